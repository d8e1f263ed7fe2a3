"""By whom every page is counted: by its link or cookie, or by the network."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule as Route
from werkzeug.test import TestResponse

from service.people import calendars
from service.rate_limits.limits import REFUSED
from service.store import links
from service.store.transactions import transaction
from service.values import public_urls, signed_tokens
from tests.rig.service import seated, visitor
from tests.rig.service.counted import MADE_UP, ORIGIN, Ledger, remembered, whose_of
from tests.rig.service.programs import Api, Table

# Nothing is read for them that costs more than to count.
UNCOUNTED = {"static", "health.Alive", "health.Ready"}


@pytest.fixture
def api(ledger: Ledger, app: Flask) -> Api:
    return Api(app)


def pages(app: Flask) -> list[tuple[Route, str]]:
    """Every page that a request may be for, with a method."""
    return [
        (rule, method)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("web.")
        for method in sorted((rule.methods or set()) - {"OPTIONS", "HEAD"})
    ]


def page(api: Api, rule: Route, method: str, **known: Any) -> TestResponse:
    values = {name: known.get(name, 1) for name in rule.arguments}
    with api.app.test_request_context():
        path = api.app.url_map.bind("localhost").build(rule.endpoint, values, method)
    # Some pages have two addresses, one in capitals.
    path = rule.rule.split("<")[0] + path[len(rule.rule.split("<")[0]) :]
    return api.app.test_client(use_cookies=False).open(
        path, method=method, headers={**ORIGIN, **known.get("headers", {})}
    )


def test_everything_else_is_known_by_name(app: Flask) -> None:
    others = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if not rule.endpoint.startswith("web.") and not rule.rule.startswith("/v1")
    }

    assert others == UNCOUNTED


def test_the_page_of_every_link_is_known_as_one(app: Flask) -> None:
    """To the process for strangers, and to whoever keeps a proxy's log."""
    guide = (Path(__file__).parents[3] / "docs" / "self-hosting.md").read_text("utf-8")
    made = {rule.rule[:3].lower() for rule, _ in pages(app) if "raw" in rule.arguments}
    signer = signed_tokens.signer(str(app.secret_key))
    paths = [f"{path}{signer.make(signed_tokens.Origin.MAILBOX)}" for path in made]

    assert made == {f"/{page}/" for page in public_urls.LINK_PAGES.values()}
    assert not [path for path in made if f"`{path}`" not in guide]
    assert all(signer.has_mailbox({"PATH_INFO": path}) for path in paths)


PURPOSES = {
    "/i/": "invitation",
    "/t/": "table",
    "/r/": "remember",
    "/b/": "devices",
    "/o/": "replacement",
    "/p/": "proposal",
    "/u/": "unsubscribe",
}
"""What the links are good for that other pages than a decision's take."""


def test_pages_are_counted_by_a_good_link_or_cookie_alone(
    api: Api, ledger: Ledger
) -> None:
    for rule, method in pages(api.app):
        table = Table(api, rounds=1)
        with api.app.app_context():
            good = visitor.link(table.table, 0).removeprefix("/d/")
            purpose = PURPOSES.get(rule.rule[:3].lower())
            if purpose is not None:
                good = links_to(table, purpose)
            cookie = remembered(table)
            secret = calendars.renew(seated.person_on(table.table.id, 0))
        ledger.forget()

        answer = page(
            api,
            rule,
            method,
            raw=good,
            secret=secret.rpartition("/")[2],
            game_id=table.id,
            headers={"Cookie": cookie},
        )

        own = {"browser"} if rule.endpoint == "web.home.index" else set()
        own |= {"link"} if {"raw", "secret"} & rule.arguments else set()
        own |= {"browser"} if "game_id" in rule.arguments else set()
        counted = whose_of(ledger.counted())
        if rule.endpoint == "web.games.act":
            assert counted == set()
        elif rule.endpoint == "web.home.practise":
            assert counted == {"network", "person"}, answer.text
        else:
            assert counted == (own or {"network"}), (rule.rule, method, answer.text)


def links_to(table: Table, purpose: str) -> str:
    with transaction():
        return links.add(seated.link(table.table.id, 0, purpose))


def test_pages_with_a_bad_link_or_cookie_are_counted_by_the_network(
    api: Api, ledger: Ledger
) -> None:
    table = Table(api, rounds=1)
    cookie = f"seat_{table.table.id.hex}={MADE_UP}"
    for rule, method in pages(api.app):
        ledger.forget()

        page(
            api,
            rule,
            method,
            raw=MADE_UP,
            secret=MADE_UP,
            game_id=table.id,
            headers={"Cookie": cookie},
        )

        shows = {"raw", "secret", "game_id"} & rule.arguments
        shows = shows or rule.endpoint == "web.home.index"
        refused = (REFUSED.name, "network") in ledger.counted()
        assert refused is bool(shows), rule.rule


def test_pages_of_strangers_are_counted_by_the_network(
    api: Api, ledger: Ledger
) -> None:
    table = Table(api, rounds=1)
    for rule, method in pages(api.app):
        if "raw" in rule.arguments:
            continue
        ledger.forget()

        page(api, rule, method, game_id=table.id)

        expected = {"network"}
        expected |= {"all"} if rule.endpoint == "web.home.practise" else set()
        assert whose_of(ledger.counted()) == expected, (rule.rule, method)
