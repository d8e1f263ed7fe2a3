"""By whom every request is counted: by a good proof, by the network of a bad one."""

import uuid
from collections.abc import Iterator

import msgspec
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service import app as application
from service import config
from service.rate_limits import limits
from service.rate_limits.limits import REFUSED, By
from service.store import links
from service.store.transactions import transaction
from service.values import entropy
from tests.rig import apps
from tests.rig.service import programs, seated, visitor
from tests.rig.service.counted import (
    HERE,
    MADE_UP,
    ORIGIN,
    Ledger,
    remembered,
    use_up,
    whose_of,
)
from tests.rig.service.programs import Api, Table
from tests.rig.service.promised import Operation, below_v1

OWN = {"token", "link", "browser", "person"}
# No stream ends by itself.
ENDLESS = ("streamGame", "streamTurns")


@pytest.fixture
def api(ledger: Ledger, app: Flask) -> Api:
    return Api(app)


def ask(table: Table, each: Operation, token: str | None, link: str) -> TestResponse:
    options = {} if each.body is None else {"json": each.body}
    method = "HEAD" if each.name in ENDLESS else each.method
    path = each.at(game=table.id, decision=table.decision, secret=link)
    return table.api.call(method, path, token, **options)


def invited(table: Table, api: Api) -> str:
    """A good invitation's secret, to a table that waits."""
    with api.app.app_context():
        game = seated.draft(3, tag=f"-{entropy.token()[:8]}")
        seated.confirm(game)
        with transaction():
            return links.add(seated.link(game, 1))


def looks_at(each: Operation) -> bool:
    """Whether an operation looks at what a request shows."""
    return each.who != "public" or each.name == "createPracticeGame"


def test_who_shows_a_good_proof_is_counted_by_it_alone(
    api: Api, ledger: Ledger
) -> None:
    table, link = Table(api, rounds=1), ""
    for each in below_v1(api.app):
        if not link or each.method != "GET":
            table = Table(api, rounds=1)
            link = invited(table, api)
        ledger.forget()

        answer = ask(table, each, table.tokens[0], link)

        if looks_at(each):
            assert whose_of(ledger.counted()) <= OWN, (each.name, answer.text)
            answers = each.name == "putAnswer"
            assert bool(ledger.counted()) is not answers, each.name
        else:
            assert whose_of(ledger.counted()) == {"network"}, each.name


def test_a_bad_proof_is_counted_by_its_network(api: Api, ledger: Ledger) -> None:
    table = Table(api, rounds=1)
    for each in below_v1(api.app):
        ledger.forget()

        answer = ask(table, each, f"kup_{MADE_UP}", MADE_UP)

        refused = (REFUSED.name, "network") in ledger.counted()
        assert refused is looks_at(each), (each.name, answer.text)


def test_without_a_proof_the_network_is_counted(api: Api, ledger: Ledger) -> None:
    table = Table(api, rounds=1)
    for each in below_v1(api.app):
        if each.who == "holder":
            continue
        ledger.forget()

        ask(table, each, None, "")

        counted = {"all", "network"} if each.name != "putAnswer" else set()
        assert whose_of(ledger.counted()) <= counted, each.name
        assert bool(ledger.counted()) is (each.name != "putAnswer"), each.name


@pytest.fixture
def unreachable(settings: config.Config) -> Iterator[Api]:
    """The API and the pages, limited, of an instance whose database is away."""
    nowhere = "postgresql://nobody@127.0.0.1:1/nothing"
    away = msgspec.structs.replace(settings, database_url=nowhere, rate_limits=1)
    app = application.create_app(away)
    app.extensions["kingup_limits"] = Ledger(settings.secret_key)
    yield Api(app)
    apps.put_away(app)


@pytest.mark.parametrize(
    ("method", "path", "header"),
    [
        ("GET", "/v1/games", "Authorization"),
        ("GET", f"/v1/games/{uuid.UUID(int=7)}/view", "Authorization"),
        ("PUT", f"/v1/games/{uuid.UUID(int=7)}/decisions/1/answer", "Authorization"),
        ("GET", f"/v1/invitations/{MADE_UP}", ""),
        ("GET", f"/d/{MADE_UP}", ""),
        ("POST", f"/d/{MADE_UP}", ""),
        ("GET", f"/i/{MADE_UP}", ""),
        ("GET", f"/t/{MADE_UP}", ""),
        ("GET", f"/g/{uuid.UUID(int=7)}", "Cookie"),
        ("POST", f"/g/{uuid.UUID(int=7)}", "Cookie"),
        ("GET", "/", "Cookie"),
    ],
)
def test_a_network_of_too_many_bad_proofs_costs_no_reading(
    unreachable: Api, method: str, path: str, header: str
) -> None:
    shown = {
        "Authorization": f"Bearer kup_{MADE_UP}",
        "Cookie": f"seat_{uuid.UUID(int=7).hex}={MADE_UP}",
    }
    headers = {**ORIGIN, **({header: shown[header]} if header else {})}
    answer = {"kind": "move", "character": "A"}
    options = {"json": answer} if method == "PUT" else {}
    options |= {"data": {"do": "answer"}} if path.startswith("/d") else {}

    browser = unreachable.app.test_client(use_cookies=False)

    def asked() -> TestResponse:
        return browser.open(path, method=method, headers=headers, **options)

    before = asked()
    use_up(unreachable.app, REFUSED)
    after = asked()

    assert before.status_code == 503
    assert after.status_code == 429
    assert REFUSED.name in after.text
    assert 0 < int(after.headers["Retry-After"]) <= 60


def test_good_proofs_are_believed_in_a_network_of_bad_ones(
    api: Api, ledger: Ledger
) -> None:
    table = Table(api, rounds=1)
    use_up(api.app, REFUSED)
    with api.app.app_context():
        link = visitor.link(table.table, table.asked)
        cookie = remembered(table)
    seat = table.asked

    browser = api.app.test_client(use_cookies=False)
    shown = browser.get(link)
    opened = browser.post(link, data={"do": "open"}, headers=ORIGIN)
    game = browser.get(f"/g/{table.id}", headers={"Cookie": cookie})
    view = table.view(seat)
    answered = table.put(seat, view.json["legal"][0]["answer"])

    statuses = [each.status_code for each in (shown, opened, game, view, answered)]
    assert statuses == [200] * 5


def unsigned(api: Api, table: Table, seat: int) -> str:
    """A good token without our signature: it is older than that."""
    signed, old = table.tokens[seat], f"kup_{entropy.token()}"
    with api.app.app_context(), transaction():
        seated.run(
            "UPDATE token SET token_hash = :new WHERE token_hash = :hash RETURNING id",
            {"new": entropy.digest(old), "hash": entropy.digest(signed)},
        )
    return old


def test_an_old_proof_that_was_good_lately_is_counted_by_itself(
    api: Api, ledger: Ledger
) -> None:
    table = Table(api, rounds=1)
    old = unsigned(api, table, table.asked)

    first = api.get(f"{table.path}/view", old)
    counted = ledger.counted()
    use_up(api.app, REFUSED)
    then = table.put(table.asked, first.json["legal"][0]["answer"], token=old)

    assert (first.status_code, then.status_code) == (200, 200)
    assert whose_of(counted) == {"token"}


def test_a_proof_is_not_believed_because_its_request_was_mistyped(
    api: Api, ledger: Ledger
) -> None:
    table = Table(api)
    made_up = f"kup_{MADE_UP}"

    for _ in range(REFUSED.amount):
        answer = api.get("/v1/games?colour=blue", made_up)
        assert answer.status_code == 401
    refused = api.get(f"{table.path}/view", made_up)

    assert (refused.status_code, refused.json["limit"]) == (429, REFUSED.name)


def test_an_old_proof_that_is_no_good_any_more_is_believed_no_longer(
    api: Api, ledger: Ledger
) -> None:
    table = Table(api)
    old = unsigned(api, table, 0)
    path = f"{table.path}/view"
    api.get(path, old)
    with api.app.app_context(), transaction():
        seated.run(
            "UPDATE token SET revoked_at = kingup_now() WHERE token_hash = :hash"
            " RETURNING id",
            {"hash": entropy.digest(old)},
        )

    first = api.get(path, old)
    use_up(api.app, REFUSED)
    then = api.get(path, old)

    assert (first.status_code, then.status_code) == (401, 429)


def test_only_what_is_made_waits_for_valkey() -> None:
    rules = [each for each in vars(limits).values() if isinstance(each, limits.Rule)]

    assert {each.name for each in rules if each.by is By.PERSON} == {"practice-games"}
    assert not any(each.quota for each in rules if each.seconds < 60)
    assert HERE.whose == "network"


def test_a_revoked_token_with_our_mark_counts_for_its_network_too(
    api: Api, ledger: Ledger
) -> None:
    token = programs.operator_token(api)
    with api.app.app_context(), transaction():
        seated.run("UPDATE token SET revoked_at = kingup_now() RETURNING id")

    answer = api.get("/v1/games", token)

    assert answer.status_code == 401
    assert (REFUSED.name, "network") in ledger.counted()
    assert "Retry-After" not in answer.headers
