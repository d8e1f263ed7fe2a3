"""Who may do what: every operation, tried by everybody, as the contract declares it."""

from collections.abc import Iterator

import pytest

from service.api.http.resource import Blueprint, Resource
from service.auth import bearer
from tests.rig.service.everybody import Crowd
from tests.rig.service.programs import Api
from tests.rig.service.promised import Operation, operations

UNKNOWN = ("no header of ours", "unknown", "revoked", "expired")
"""Whose token is none."""

NOT_AT_THE_TABLE = ("seat of another game", "seat nowhere", "token for another game")


def refused(each: Operation, who: str, visibility: str) -> tuple[int, ...]:
    """The statuses of which somebody gets one; none where they are let in."""
    own = each.who in ("person", "seat", "host")
    if each.who in ("public", "holder"):
        return ()
    if who in UNKNOWN:
        return (401,)
    # The seat that is tried is another's.
    if who == f"host without {each.others or each.scope}":
        return (403,)
    if who == "nobody" and own:
        return (401,)
    if "{game}" not in each.path:
        return ()
    if visibility == "players" and who in ("nobody", *NOT_AT_THE_TABLE):
        return (403, 404) if who == "token for another game" else (404,)
    if who == "token for another game":
        return (403,)
    if each.who in ("seat", "host") and who in NOT_AT_THE_TABLE:
        return (403,)
    if each.who == "host" and who == "other seat":
        return (403,)
    return ()


def of(crowd: Crowd) -> Iterator[tuple[Operation, str]]:
    for each in operations(crowd.api.app):
        for who in crowd.tokens:
            yield each, who


@pytest.mark.parametrize("visibility", ["link", "players"])
def test_whoever_may_not_is_refused_and_nothing_changes(
    api: Api, visibility: str
) -> None:
    crowd = Crowd(api, visibility=visibility)
    tried = 0

    before = crowd.rows()
    for each, who in of(crowd):
        expected = refused(each, who, visibility)
        if expected:
            answer = crowd.ask(each, who)
            assert answer.status_code in expected, (each.name, who, answer.text)
            tried += 1
    assert crowd.rows() == before
    assert tried > 100


@pytest.mark.parametrize("visibility", ["link", "players"])
def test_whoever_may_read_is_let_in(api: Api, visibility: str) -> None:
    crowd = Crowd(api, visibility=visibility)

    for each, who in of(crowd):
        if each.method == "GET" and not refused(each, who, visibility):
            if each.who == "person" and "game" in who:
                continue
            answer = crowd.ask(each, who)
            assert answer.status_code not in (401, 403), (each.name, who, answer.text)
            if "{game}" in each.path and answer.status_code == 404:
                assert answer.json["what"] != "game", (each.name, who)


def test_whoever_may_write_is_let_in(api: Api) -> None:
    crowd = Crowd(api)
    for each in operations(api.app):
        if each.method == "GET":
            continue
        answer = crowd.ask(each, "nobody" if each.who == "public" else "host")
        assert answer.status_code not in (401, 403), (each.name, answer.text)
        if answer.status_code < 400:
            # What has been done may be in the way of what comes next.
            crowd = Crowd(api)


def test_a_token_for_one_game_is_good_for_no_account(api: Api) -> None:
    crowd = Crowd(api)

    before = crowd.rows()
    for each in operations(api.app):
        if each.scope in (bearer.SCOPES[2], bearer.SCOPES[5]) and each.who == "person":
            answer = crowd.ask(each, "host with a token for this game")
            assert answer.status_code == 403, (each.name, answer.text)
    assert crowd.rows() == before


def test_an_operation_that_declares_nothing_stops_the_start() -> None:
    bare = Blueprint("bare", "Declares nothing.")

    class Bare(Resource):
        @bare.response(204)
        def get(self) -> None:
            """Do nothing."""

    with pytest.raises(LookupError, match="get declares no access"):
        bare.place("/bare")(Bare)
