"""Invitations over the API: sent, listed, opened and answered by their holder."""

from typing import Any

import pytest

from service.auth import bearer
from service.store import opt_outs
from tests.rig.service import programs, seated
from tests.rig.service.new_tables import BOT, OPEN, SIMON, answer, lay, mailed, states
from tests.rig.service.programs import Api
from tests.rig.service.seated import run


@pytest.fixture
def host(api: Api) -> str:
    with api.app.app_context():
        return bearer.issue_token("rachel@example.org", "Rachel")


@pytest.fixture
def path(api: Api, host: str) -> str:
    """Rachel's table: Simon and Terry are invited."""
    terry = {"kind": "person", "address": "terry@example.org", "name": "Terry"}
    return lay(api, host, SIMON, terry)


def test_its_holder_reads_who_invites_and_to_what_and_changes_nothing(
    api: Api, path: str
) -> None:
    invitation = mailed(api, path, 1)
    before = seated.everything(api.app)

    found = api.get(invitation)

    shown = found.json
    assert (shown["host_name"], shown["seat"], shown["state"]) == (
        "Rachel",
        1,
        "invited",
    )
    assert [s["name"] for s in shown["seats"]] == ["Rachel", "Simon", "Terry"]
    first = api.get(f"{path}/events").json["events"][0]["event"]
    assert shown["seed"] == first["seed"]
    assert "@" not in found.text
    assert seated.everything(api.app) == before


def test_the_last_one_in_starts_the_game(api: Api, path: str) -> None:
    one, two = mailed(api, path, 1), mailed(api, path, 2)

    first = answer(api, one, "in", name="Simone", word="luck")
    last = answer(api, two, "in", language="it", zone="Europe/Rome")

    assert (first.json["state"], first.json["status"]) == ("joined", "inviting")
    assert (last.json["state"], last.json["status"]) == ("joined", "running")
    names = [seat["name"] for seat in api.get(path).json["seats"]]
    assert names == ["Rachel", "Simone", "Terry"]
    with api.app.app_context():
        profile = "SELECT language, zone FROM person WHERE name = 'Terry'"
        assert run(profile) == [("it", "Europe/Rome")]


@pytest.mark.parametrize("choice", ["in", "no", "never"])
def test_the_same_answer_again_changes_nothing_and_another_comes_too_late(
    api: Api, host: str, path: str, choice: str
) -> None:
    invitation = mailed(api, path, 1)
    first = answer(api, invitation, choice)
    before = seated.everything(api.app)

    again = answer(api, invitation, choice)
    other = answer(api, invitation, "no" if choice == "in" else "in")

    assert (again.status_code, again.json) == (200, first.json)
    assert (other.status_code, other.json["code"]) == (404, "invitation-over")
    assert seated.everything(api.app) == before


def test_never_lets_nobody_mail_that_address_again_and_tells_nobody_so(
    api: Api, host: str, path: str
) -> None:
    answer(api, mailed(api, path, 1), "never")

    wish = {"address": "SIMON@example.org", "seat": 1}
    again = api.call("POST", f"{path}/invitations", host, json=wish)

    assert (again.status_code, again.json["state"]) == (201, "open")
    with api.app.app_context():
        latest = (
            "SELECT p.address FROM notice n JOIN person p ON p.id = n.person_id"
            " WHERE n.kind = 'invitation' ORDER BY n.created_at DESC LIMIT 1"
        )
        assert run(latest) == [(None,)]


def test_an_invitation_is_over_once_the_seat_is_somebody_elses(
    api: Api, host: str, path: str
) -> None:
    invitation = mailed(api, path, 1)
    api.call("PUT", f"{path}/seats/1", host, json=OPEN)

    for found in (api.get(invitation), answer(api, invitation, "in")):
        assert (found.status_code, found.json["code"]) == (404, "invitation-over")
    for unknown in ("x", "a" * 26):
        assert api.get(f"/v1/invitations/{unknown}").status_code == 404


def test_never_is_heard_also_once_the_seat_is_somebody_elses(
    api: Api, host: str, path: str
) -> None:
    invitation = mailed(api, path, 1)
    api.call("PUT", f"{path}/seats/1", host, json=OPEN)
    seats = states(api, path, host)

    refused = answer(api, invitation, "no")
    never = answer(api, invitation, "never")

    assert (refused.status_code, refused.json["code"]) == (404, "invitation-over")
    assert (never.status_code, never.json["state"]) == (200, "declined")
    assert answer(api, invitation, "never").json == never.json
    assert states(api, path, host) == seats
    with api.app.app_context():
        assert opt_outs.has("simon@example.org")


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({}, 422),
        ({"choice": "yes"}, 422),
        ({"choice": "in", "name": "a\u202eb"}, 422),
        ({"choice": "in", "zone": "Moon"}, 422),
        ({"choice": "in", "word": "x" * 65}, 422),
        ({"choice": "in", "name": "Теrrу"}, 409),
    ],
)
def test_an_answer_that_is_no_good_leaves_the_invitation_open(
    api: Api, path: str, wish: dict[str, Any], status: int
) -> None:
    invitation = mailed(api, path, 1)
    before = seated.everything(api.app)

    found = api.call("POST", f"{invitation}/acceptance", json=wish)

    assert found.status_code == status
    assert seated.everything(api.app) == before


def test_the_host_invites_to_a_free_seat_and_sees_no_address(
    api: Api, host: str
) -> None:
    path = lay(api, host, OPEN, BOT)

    wish = {"address": "simon@example.org", "name": "Simon"}
    sent = api.call("POST", f"{path}/invitations", host, json=wish)

    assert (sent.status_code, sent.json["seat"]) == (201, 1)
    assert sent.headers["Location"] == f"http://localhost{path}/seats/1"
    listed = api.get(f"{path}/invitations", host)
    assert listed.json["invitations"] == [sent.json]
    assert "@" not in listed.text
    assert states(api, path, host)[1] == "invited"
    full = api.call("POST", f"{path}/invitations", host, json=wish)
    assert (full.status_code, full.json["code"]) == (409, "seat-taken")


def test_nobody_else_invites_or_reads_who_was_invited(api: Api, path: str) -> None:
    simon = programs.operator_token(api, "simon@example.org")
    wish = {"address": "paul@example.org", "seat": 1}

    for token, status in ((None, 401), (simon, 403), (programs.stranger(api), 403)):
        assert api.get(f"{path}/invitations", token).status_code == status
        sent = api.call("POST", f"{path}/invitations", token, json=wish)
        assert sent.status_code == status


def test_addresses_are_compared_without_case_and_kept_as_typed(
    api: Api, host: str
) -> None:
    path = lay(api, host, OPEN, OPEN, OPEN)
    for seat, address in ((1, "Rita@Example.org"), (2, "rita+a@example.org")):
        wish = {"address": address, "name": f"Rita the {seat}", "seat": seat}
        sent = api.call("POST", f"{path}/invitations", host, json=wish)
        assert sent.status_code == 201, sent.text

    for address in ("rita@example.org", "RITA@EXAMPLE.ORG", "rachel@EXAMPLE.org"):
        wish = {"address": address, "name": "Rosa", "seat": 3}
        twice = api.call("POST", f"{path}/invitations", host, json=wish)
        assert (twice.status_code, twice.json["code"]) == (409, "address-twice")
    wish = {"address": "rita@bücher.example", "name": "Rosa", "seat": 3}
    assert api.call("POST", f"{path}/invitations", host, json=wish).status_code == 201
    with api.app.app_context():
        kept = run("SELECT address FROM person WHERE address_key LIKE 'rita%'")
    assert ("Rita@example.org",) in kept
