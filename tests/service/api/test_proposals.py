"""Calling a game off by program: what is proposed, who agrees, and who sees it."""

from werkzeug.test import TestResponse

from tests.rig.service import programs
from tests.rig.service.programs import Api, Table, let_pass


def propose(table: Table, seat: int) -> TestResponse:
    wish = {"kind": "cancel"}
    token = table.tokens[seat]
    return table.api.call("POST", f"{table.path}/proposals", token, json=wish)


def vote(
    table: Table, seat: int, agrees: object = True, number: int = 1
) -> TestResponse:
    path = f"{table.path}/proposals/{number}/vote"
    wish = {"agrees": agrees}
    return table.api.call("PUT", path, table.tokens[seat], json=wish)


def test_all_agree_and_the_game_is_over(api: Api) -> None:
    table = Table(api)

    made, agreed, last = propose(table, 1), vote(table, 0), vote(table, 2)

    assert (made.status_code, made.json["state"]) == (201, "open")
    assert (made.json["seat"], made.json["agreed"]) == (1, [1])
    assert (agreed.json["agreed"], agreed.json["state"]) == ([1, 0], "open")
    assert (last.json["agreed"], last.json["state"]) == ([1, 0, 2], "agreed")
    view = table.view().json
    assert (view["status"], view["end_reason"]) == ("over", "cancelled")
    assert vote(table, 2).json == last.json


def test_the_table_sees_who_agrees_and_nobody_else_sees_anything(api: Api) -> None:
    table = Table(api)
    before = table.view().headers["ETag"]
    propose(table, 1)

    for seat in range(3):
        assert table.view(seat).json["proposal"]["agreed"] == [1]
    spectators = table.view()
    assert spectators.json["proposal"] is None
    assert spectators.headers["ETag"] == before


def test_whose_no_it_was_is_told_to_nobody(api: Api) -> None:
    table = Table(api)
    propose(table, 1)

    refused = vote(table, 2, agrees=False)

    assert (refused.status_code, refused.json["state"]) == (200, "refused")
    assert [table.view(seat).json["proposal"] for seat in range(3)] == [
        refused.json
    ] * 3
    assert "2" not in str(refused.json["agreed"])
    assert vote(table, 2, agrees=False).json == refused.json
    late = vote(table, 0)
    assert (late.status_code, late.json["code"]) == (409, "proposal-closed")
    assert late.json["state"] == "refused"


def test_another_is_refused_while_one_is_open_and_after_two(api: Api) -> None:
    table = Table(api)
    propose(table, 1)
    beside = propose(table, 0)
    vote(table, 2, agrees=False)
    propose(table, 1)
    vote(table, 2, agrees=False, number=2)

    third = propose(table, 1)

    assert (beside.status_code, beside.json["code"]) == (409, "proposal-open")
    assert beside.json["proposal"] == 1
    assert (third.status_code, third.json["code"]) == (409, "no-proposal-left")


def test_what_has_lapsed_says_so(api: Api) -> None:
    table = Table(api, decision_time=14 * 86_400)
    propose(table, 1)
    let_pass(api, 72)

    late = vote(table, 0)

    assert (late.status_code, late.json["state"]) == (409, "lapsed")


def test_a_vote_is_true_or_false(api: Api) -> None:
    table = Table(api)
    propose(table, 1)

    refused = vote(table, 0, agrees="yes")

    assert (refused.status_code, refused.json["field"]) == (422, "agrees")


def test_what_was_never_proposed_is_not_found(api: Api) -> None:
    table = Table(api)

    missing = vote(table, 0, number=3)

    assert (missing.status_code, missing.json["what"]) == (404, "proposal")


def test_strangers_and_who_has_left_have_no_say(api: Api) -> None:
    table = Table(api)
    propose(table, 0)
    wish = {"kind": "cancel"}
    api.call("PUT", f"{table.path}/seats/1/departure", table.tokens[1])

    path = f"{table.path}/proposals"
    stranger = api.call("POST", path, programs.stranger(api), json=wish)

    assert (stranger.status_code, stranger.json["reason"]) == (403, "no-seat")
    for refused in (propose(table, 1), vote(table, 1)):
        assert (refused.status_code, refused.json["code"]) == (409, "seat-kept")


def test_a_game_that_has_not_begun_is_called_off_otherwise(api: Api, host: str) -> None:
    wish = {"seats": [{"kind": "open"}, {"kind": "open"}]}
    game = api.call("POST", "/v1/games", host, json=wish).json["game"]

    path = f"/v1/games/{game}/proposals"
    refused = api.call("POST", path, host, json={"kind": "cancel"})

    assert (refused.status_code, refused.json["code"]) == (409, "game-not-running")
