"""What is over stays over: old invitations, discarded drafts, tables one has left."""

import pytest
from flask import Flask

from service.tables import cancellation
from tests.rig.service import seated
from tests.rig.service.new_tables import BOT, SIMON, answer, lay, mailed
from tests.rig.service.programs import Api, operator_token
from tests.rig.service.seated import run

TERRY = {"kind": "person", "address": "terry@example.org", "name": "Terry"}
ASKED = {"address": SIMON["address"], "name": "Simon"}


@pytest.fixture
def host(api: Api) -> str:
    return operator_token(api)


def test_a_new_invitation_to_the_same_seat_ends_the_link_of_the_old_one(
    api: Api, host: str
) -> None:
    path = lay(api, host, SIMON, TERRY)
    old = mailed(api, path, 1)
    api.call("DELETE", f"{path}/seats/1", host)

    again = api.call("PUT", f"{path}/seats/1", host, json={"kind": "person", **ASKED})
    late = answer(api, old, "in")

    assert again.status_code < 300, again.text
    assert late.json["code"] == "invitation-over"
    assert answer(api, mailed(api, path, 1), "in").status_code == 200


def test_whoever_declined_hears_no_more_of_a_table_for_its_players_alone(
    api: Api, host: str
) -> None:
    path = lay(api, host, SIMON, TERRY, visibility="players")
    invitation = mailed(api, path, 1)
    answer(api, invitation, "no")
    api.call("DELETE", path, host)

    opened, repeated = api.get(invitation), answer(api, invitation, "no")

    assert opened.json["code"] == "invitation-over"
    assert (repeated.json["state"], repeated.json["status"]) == (
        "declined",
        "inviting",
    )


def test_whoever_declined_is_told_of_a_table_that_anybody_sees(
    api: Api, host: str
) -> None:
    path = lay(api, host, SIMON, TERRY)
    invitation = mailed(api, path, 1)
    answer(api, invitation, "no")

    api.call("DELETE", path, host)

    assert answer(api, invitation, "no").json["status"] == "over"


def test_a_draft_that_was_thrown_away_was_never_its_guests_table(app: Flask) -> None:
    api = Api(app)
    with app.app_context():
        game_id = seated.draft(3)
        cancellation.give_up(game_id)

    guest = operator_token(api, seated.address("Simon"))

    assert api.get(f"/v1/games/{game_id}", guest).status_code == 404
    assert api.get("/v1/games?mine=true", guest).json["games"] == []


def test_that_a_program_plays_for_somebody_is_told_once_they_have_joined(
    api: Api, host: str
) -> None:
    simon = operator_token(api, SIMON["address"])
    api.call("PATCH", "/v1/me", simon, json={"program": True})
    path = lay(api, host, SIMON, TERRY)

    before = api.get(path).json["seats"][1]["program"]
    joined = answer(api, mailed(api, path, 1), "in", name="Simon")
    after = api.get(path).json["seats"][1]["program"]

    assert joined.json["state"] == "joined", joined.text
    assert (before, after) == (False, True)


def test_a_key_makes_nothing_twice_once_a_guest_has_left_for_good(
    api: Api, host: str
) -> None:
    body = {"seats": [SIMON, TERRY]}
    key = {"Idempotency-Key": "a-table-of-mine"}
    first = api.call("POST", "/v1/games", host, json=body, headers=key)
    api.call("DELETE", "/v1/me", operator_token(api, SIMON["address"]))

    again = api.call("POST", "/v1/games", host, json=body, headers=key)

    assert (again.status_code, again.data) == (201, b"")
    assert "Content-Type" not in again.headers
    assert again.headers["Location"] == first.headers["Location"]
    with api.app.app_context():
        assert run("SELECT count(*) FROM game") == [(1,)]


def test_a_token_of_one_game_is_not_told_where_the_rematch_is(
    api: Api, host: str
) -> None:
    path = lay(api, host, BOT, BOT)
    game_id = path[-36:]
    with api.app.app_context():
        run("UPDATE game SET status = 'over', ended_at = kingup_now()")
    rematch = api.call("POST", f"{path}/rematch", host)
    wish = {"description": "one", "scopes": ["games:read"], "game": game_id}
    one = api.call("POST", "/v1/me/tokens", host, json=wish).json["token"]

    assert rematch.status_code == 201
    assert api.get(path, host).json["rematch_url"] is not None
    assert api.get(path, one).json["rematch_url"] is None


def test_no_token_is_made_that_is_over_already(api: Api, host: str) -> None:
    wish = {
        "description": "old",
        "scopes": ["games:read"],
        "expires_at": "2020-01-01T00:00:00Z",
    }

    refused = api.call("POST", "/v1/me/tokens", host, json=wish)

    assert (refused.status_code, refused.json["reason"]) == (422, "past")


def test_no_seat_is_named_where_none_is_free(api: Api, host: str) -> None:
    path = lay(api, host, BOT, SIMON)
    api.call("PUT", f"{path}/seats/2", host, json={"kind": "person", **ASKED})
    answer(api, mailed(api, path, 2), "no")
    api.call("PUT", f"{path}/seats/2", host, json={"kind": "person", **ASKED})

    refused = api.call(
        "POST", f"{path}/invitations", host, json={"address": "x@example.org"}
    )

    assert refused.json["code"] == "seat-taken"
    assert "seat" not in refused.json
