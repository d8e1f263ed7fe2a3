"""Many networks use up all that is counted in the database; the proved go on.

Strangers, and people who have just proved as many mailboxes, ask for everything until
they are refused or mailed nothing more.
"""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from service.auth import bearer
from service.people import accounts
from service.rate_limits import budgets
from service.rate_limits.budgets import Budget
from service.store import clock
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import creation
from service.tables.confirmation import TableRequest
from service.tables.creation import BotSeat, Guest, HostWish, TableWish
from service.values import entropy
from service.values.errors import Problem, TooManyInvitations
from service.web.http import form_tokens
from tests.rig.service.postbox import Postbox
from tests.rig.service.seated import run
from tests.rig.service.visitor import ORIGIN

NETWORKS = 200
ENOUGH, MOST = 50, 60
"""So many networks leave nothing at all of such a budget."""

USED = (Budget.DRAFTS, Budget.CODES, Budget.NEWCOMERS)

A_FEW = 12
"""So many networks use up what strangers may have one address mailed."""

HOST, FRIEND = "host@example.org", "friend@example.org"
HOME = "198.51.100.1"


def ip(network: int) -> str:
    return f"203.0.113.{network}"


def at(origin: str) -> dict[str, Any]:
    return {"environ_base": {"REMOTE_ADDR": origin}}


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    post = Postbox(app, tmp_path, monkeypatch)
    small = msgspec.structs.replace(app.config["KINGUP"], invitations_a_day=MOST)
    monkeypatch.setitem(app.config, "KINGUP", small)
    return post


def sign_in(post: Postbox, address: str) -> str:
    asked = post.api.call("POST", "/v1/sign-in", json={"address": address}, **at(HOME))
    sent = {"sign_in": asked.json["sign_in"], "code": post.code(address)}
    answer = post.api.call("POST", "/v1/sign-in/confirmation", json=sent, **at(HOME))
    assert answer.status_code == 201, answer.text
    token: str = answer.json["token"]
    return token


def ask_on_page(post: Postbox, origin: str, address: str) -> int:
    """Ask for a table as somebody without an account; the status."""
    with post.api.app.app_context():
        table = str(entropy.identifier())
        form = {"table": table, "form_token": form_tokens.make("new", table)}
    form |= {"name": "Host", "address": address}
    form |= {f"seat{number}_kind": "bot" for number in (1, 2, 3)}
    sent = post.api.client.post(
        "/new", data=form, headers={"Origin": ORIGIN}, **at(origin)
    )
    return sent.status_code


def use_up_drafts(post: Postbox, *addresses: str) -> None:
    """Strangers ask for tables, by people they know and by anybody, until refused."""
    table = TableWish((BotSeat(), BotSeat()))
    with post.api.app.app_context():
        for network in range(ENOUGH):
            known = addresses if network < A_FEW else ()
            made_up = (f"s{network}.{n}@example.net" for n in range(MOST))
            with suppress(TooManyInvitations):
                for address in (*known, *made_up):
                    host = HostWish(address, Profile("Host"))
                    creation.draft(host, table, None, TableRequest(ip(network)))


def use_up_codes(post: Postbox, *addresses: str) -> None:
    with post.api.app.app_context():
        for network in range(ENOUGH):
            known = addresses if network < A_FEW else ()
            for address in (*known, f"s{network}@example.net"):
                accounts.ask_to_sign_in(address, ip(network))


def use_up_invitations(post: Postbox, *addresses: str) -> None:
    """People who have just proved a mailbox invite until they are refused."""
    for network in range(ENOUGH):
        address = f"attacker{network}@example.net"
        with post.api.app.app_context():
            bearer.issue_token(address)
            key = {"key": address}
            found = run("SELECT id FROM person WHERE address_key = :key", key)
            invite(found[0][0], network, addresses)


def invite(person: UUID, network: int, addresses: tuple[str, ...]) -> None:
    named = [*addresses, *(f"x{network}.{n}@example.net" for n in range(3))]
    guests = tuple(Guest(address, f"G{n}") for n, address in enumerate(named))
    for _ in range(3):
        try:
            creation.open_table(person, "", TableWish(guests), ip(network))
        except Problem:
            return


def mails_to(post: Postbox, address: str) -> int:
    with post.api.app.app_context():
        found = run(
            "SELECT (SELECT count(*) FROM mailed_code"
            " WHERE address_key = :key AND state <> 'superseded')"
            " + (SELECT count(*) FROM notice n JOIN person p ON p.id = n.person_id"
            " WHERE p.address_key = :key AND n.superseded_at IS NULL"
            " AND n.due_at < kingup_now() + interval '1 hour')",
            {"key": address},
        )
    return int(found[0][0])


def test_who_has_proved_a_mailbox_goes_on_whatever_others_use_up(post: Postbox) -> None:
    token = sign_in(post, HOST)
    sign_in(post, FRIEND)
    with post.api.app.app_context():
        clock.shift(timedelta(hours=25))
    before = mails_to(post, FRIEND)
    use_up_drafts(post, HOST, FRIEND)
    use_up_codes(post, HOST, FRIEND)
    use_up_invitations(post, HOST, FRIEND)
    guests = [
        {"kind": "person", "address": f"guest{n}@example.org", "name": f"Guest {n}"}
        for n in range(3)
    ]

    laid = post.api.call("POST", "/v1/games", token, json={"seats": guests}, **at(HOME))
    flood = mails_to(post, FRIEND) - before
    with post.api.app.app_context(), transaction():
        left = [each for each in USED if budgets.has_room(each, "192.0.2.1")]

    # Everything was used up indeed.
    assert left == []
    assert laid.status_code == 201, laid.text
    post.tell(UUID(laid.json["game"]))
    assert all(post.letters(f"guest{n}@example.org") for n in range(3))
    assert sign_in(post, FRIEND)
    # 12 codes, 3 tables to confirm and 3 invitations: what strangers may cause.
    assert flood == 18
    assert ask_on_page(post, "192.0.2.1", "late@example.net") == 429


@pytest.mark.parametrize("budget", Budget)
def test_of_a_usual_budget_200_networks_leave_something_for_another(
    inside: Flask, budget: Budget
) -> None:
    for network in range(NETWORKS):
        try:
            while True:
                budgets.take(budget, ip(network), 5)
        except TooManyInvitations as full:
            whose = full.facts["whose"]

    with transaction():
        has_room = budgets.has_room(budget, "192.0.2.1")

    assert whose == "instance"
    assert has_room
