"""Codes that others ask for use up none of an owner's, who has signed in before."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.people import accounts
from service.rate_limits import network_digests
from service.store import clock, proved_networks
from service.store.transactions import transaction
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import let_pass, operator_token
from tests.rig.service.seated import run

HOME = "198.51.100.1"
WORK = "198.51.100.2"
TRAIN = "198.51.100.3"
DAY = 24


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def at(origin: str) -> dict[str, Any]:
    return {"environ_base": {"REMOTE_ADDR": origin}}


def mailed(post: Postbox, to: str) -> int:
    """How many mails with codes are on their way to an address, or there."""
    with post.api.app.app_context():
        found = run(
            "SELECT count(*) FROM mailed_code"
            " WHERE address_key = :key AND state IN ('queued', 'sent')",
            {"key": to.lower()},
        )
    return int(found[0][0])


def ask(
    post: Postbox, origin: str, times: int = 1, token: str | None = None, to: str = RITA
) -> int:
    """Ask for codes from somewhere; how many of them are mailed."""
    before = mailed(post, to)
    for _ in range(times):
        asked = {"address": to}
        answer = post.api.call("POST", "/v1/sign-in", token, json=asked, **at(origin))
        assert answer.status_code == 202
    return mailed(post, to) - before


def sign_in(post: Postbox, origin: str, to: str = RITA) -> str:
    """A token of somebody who signs in somewhere."""
    asked = post.api.call("POST", "/v1/sign-in", json={"address": to}, **at(origin))
    sent = {"sign_in": asked.json["sign_in"], "code": post.code(to)}
    answer = post.api.call("POST", "/v1/sign-in/confirmation", json=sent, **at(origin))
    assert answer.status_code == 201, answer.text
    token: str = answer.json["token"]
    return token


def besiege(post: Postbox, to: str = RITA) -> None:
    """Have strangers ask for codes until the address is mailed none at their wish."""
    with post.api.app.app_context():
        for hour in range(3):
            for network, times in enumerate((4, 4, 1, 1, 1, 1)):
                for _ in range(times):
                    accounts.ask_to_sign_in(to, f"203.0.{hour}.{network}")
            if hour < 2:
                clock.shift(timedelta(minutes=66))
    assert ask(post, "203.0.113.9", to=to) == 0


def known_networks(post: Postbox) -> int:
    with post.api.app.app_context():
        return int(run("SELECT count(*) FROM known_network")[0][0])


def test_an_owner_gets_codes_where_they_have_signed_in_before(post: Postbox) -> None:
    sign_in(post, HOME)
    besiege(post)

    assert ask(post, TRAIN) == 0
    assert ask(post, HOME) == 1
    assert sign_in(post, HOME)


def test_an_owner_gets_codes_with_a_token_wherever_they_are(post: Postbox) -> None:
    token, other = sign_in(post, HOME), operator_token(post.api, "rosa@example.org")
    besiege(post)

    assert ask(post, TRAIN, token=other) == 0
    assert ask(post, TRAIN, token="kup_nothing") == 0
    assert ask(post, TRAIN, token=token) == 1


@pytest.mark.parametrize("end", ["revoked_at", "expires_at"])
def test_a_token_that_is_over_is_no_owners(post: Postbox, end: str) -> None:
    token = sign_in(post, HOME)
    besiege(post)
    with post.api.app.app_context():
        run(f"UPDATE token SET {end} = kingup_now()")

    assert ask(post, TRAIN, token=token) == 0


def test_what_an_owner_may_ask_for_has_an_end_too(post: Postbox) -> None:
    token = sign_in(post, HOME)
    for place in (WORK, TRAIN):
        sign_in(post, place)
    let_pass(post.api, 25)
    besiege(post)

    asked = [ask(post, place, 6) for place in (HOME, WORK, TRAIN)]

    # Three quarters of eight, and one each where none was asked for.
    assert asked == [4, 2, 1]
    assert ask(post, HOME, 6, token) == 1
    assert ask(post, HOME, 6, token) == 0


def test_a_neighbour_uses_up_only_what_is_asked_for_from_there(post: Postbox) -> None:
    sign_in(post, HOME)
    sign_in(post, WORK)
    let_pass(post.api, 25)
    besiege(post)
    ask(post, WORK, 9)

    assert ask(post, HOME) == 1


def test_a_network_is_known_for_one_address_alone(post: Postbox) -> None:
    sign_in(post, HOME, "rosa@example.org")
    sign_in(post, WORK)
    besiege(post)

    assert ask(post, HOME) == 0
    with post.api.app.app_context():
        rows = run("SELECT k::text FROM known_network k")
        marks = run("SELECT DISTINCT length(digest) FROM known_network")
    assert not any("198.51" in row or "rita" in row for (row,) in rows)
    assert marks == [(16,)]


def test_a_network_is_known_for_180_days_after_its_last_sign_in(post: Postbox) -> None:
    sign_in(post, HOME)
    let_pass(post.api, 179 * DAY)
    sign_in(post, HOME)
    let_pass(post.api, 179 * DAY)
    post.tidy()
    before = known_networks(post)
    let_pass(post.api, 2 * DAY)

    post.tidy()

    assert (before, known_networks(post)) == (1, 0)


def test_of_many_networks_the_latest_are_known(post: Postbox) -> None:
    sign_in(post, HOME)
    key = RITA.lower()
    with post.api.app.app_context():
        person = run("SELECT id FROM person")[0][0]
    for number in range(22):
        with post.api.app.app_context(), transaction():
            proved_networks.add(
                person, network_digests.known_network(f"198.51.100.{number}", key)
            )
        let_pass(post.api, 1)

    assert known_networks(post) == 20
    besiege(post)
    assert ask(post, "198.51.100.21") == 1
    assert ask(post, "198.51.100.0") == 0


def test_networks_leave_with_their_person(post: Postbox) -> None:
    token = sign_in(post, HOME)
    sign_in(post, WORK)
    export = post.api.get("/v1/me/export", token).json

    post.api.call("DELETE", "/v1/me", token)

    assert export["known_networks"] == 2
    assert known_networks(post) == 0


def test_with_a_new_address_the_network_of_the_change_is_known_alone(
    post: Postbox,
) -> None:
    token, new = sign_in(post, HOME), "rita@example.net"
    sign_in(post, WORK)
    post.api.call("PATCH", "/v1/me", token, json={"address": new})
    codes = {"old_code": post.code(RITA), "new_code": post.code(new)}
    path = "/v1/me/address/confirmation"

    answer = post.api.call("POST", path, token, json=codes, **at(TRAIN))

    assert answer.status_code == 200
    assert known_networks(post) == 1
    let_pass(post.api, 25)
    besiege(post, new)
    assert ask(post, TRAIN, to=new) == 1


def test_strangers_keep_nobody_from_changing_their_address(post: Postbox) -> None:
    token, new = sign_in(post, HOME), "rita@example.net"
    besiege(post)
    besiege(post, new)
    old, before = mailed(post, RITA), mailed(post, new)

    post.api.call("PATCH", "/v1/me", token, json={"address": new}, **at(TRAIN))

    assert (mailed(post, RITA), mailed(post, new)) == (old + 1, before + 1)


def test_members_use_up_nothing_of_who_signs_in_and_have_an_end(post: Postbox) -> None:
    members = [operator_token(post.api, f"m{n}@example.org") for n in range(12)]

    for number, token in enumerate(members):
        origin = at(f"203.0.113.{number}")
        post.api.call("PATCH", "/v1/me", token, json={"address": RITA}, **origin)

    assert mailed(post, RITA) == 8
    assert ask(post, TRAIN) == 1


def test_one_member_has_ten_addresses_a_day_mailed(post: Postbox) -> None:
    token = operator_token(post.api, RITA)
    for number in range(12):
        let_pass(post.api, 1.1)
        address = {"address": f"new{number}@example.org"}
        post.api.call("PATCH", "/v1/me", token, json=address)

    with post.api.app.app_context():
        sent = run("SELECT count(*) FROM mailed_code WHERE state = 'queued'")
    # As many went to the address they have.
    assert sent == [(20,)]


def test_a_network_that_had_no_code_gets_one_of_the_last(
    post: Postbox,
) -> None:
    for network in range(3):
        ask(post, f"203.0.113.{network}", 9)

    assert ask(post, "203.0.113.2") == 0
    assert sign_in(post, TRAIN)
