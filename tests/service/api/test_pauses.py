"""A game's time by program: its pause, and a decision that waits for longer."""

import pytest
from werkzeug.test import TestResponse

from tests.rig.service import programs
from tests.rig.service.programs import Api, Table, in_election


def pause(table: Table, seat: int, days: int = 1) -> TestResponse:
    wish = {"days": days}
    token = table.tokens[seat]
    return table.api.call("PUT", f"{table.path}/pause", token, json=wish)


def resume(table: Table, seat: int) -> TestResponse:
    return table.api.call("DELETE", f"{table.path}/pause", table.tokens[seat])


def extend(table: Table, seat: int, decision: int | None = None) -> TestResponse:
    wish = {"decision": table.decision if decision is None else decision}
    token = table.tokens[seat]
    return table.api.call("POST", f"{table.path}/extensions", token, json=wish)


def test_who_pauses_the_game_gets_their_seat_with_its_pause(api: Api) -> None:
    table = Table(api)

    paused, again = pause(table, 1), pause(table, 1)

    assert paused.status_code == again.status_code == 200
    assert paused.json == again.json
    assert (paused.json["number"], paused.json["pauses_used"]) == (1, 1)
    assert paused.json["paused_until"] is not None


def test_everybody_sees_who_has_paused_the_game_and_until_when(api: Api) -> None:
    table = Table(api)
    until = pause(table, 1, 3).json["paused_until"]
    pause(table, 2, 1)

    for seat in (None, 0, 1, 2):
        view = table.view(seat).json
        assert view["paused"]["seats"] == [1, 2]
        assert view["paused"]["until"] == until
        assert view["decision"]["deadline"] is None
    revision = view["revision"]
    past = api.get(f"{table.path}/view?at={revision}").json
    assert (past["paused"], past["seats"][1]["pauses_used"]) == (None, None)
    (event,) = api.get(f"{table.path}/events?after={revision - 1}").json["events"]
    assert event["event"] == {"type": "paused"}


def test_who_ends_their_pause_gets_their_seat_without_it(api: Api) -> None:
    table = Table(api)
    pause(table, 1)

    ended, again = resume(table, 1), resume(table, 1)

    assert ended.status_code == again.status_code == 200
    assert (ended.json["paused_until"], ended.json["pauses_used"]) == (None, 1)
    view = table.view().json
    assert view["paused"] is None
    assert view["decision"]["deadline"] is not None


def test_a_third_pause_is_refused_by_name(api: Api) -> None:
    table = Table(api)
    for _ in range(2):
        pause(table, 1)
        resume(table, 1)

    refused = pause(table, 1)

    assert (refused.status_code, refused.json["code"]) == (409, "no-pause-left")
    assert refused.json["most"] == 2


@pytest.mark.parametrize("days", [0, 8, -1, "2", None, 1.5])
def test_a_pause_has_one_to_seven_whole_days(api: Api, days: object) -> None:
    table = Table(api)

    wish = {"days": days}
    refused = api.call("PUT", f"{table.path}/pause", table.tokens[0], json=wish)

    assert (refused.status_code, refused.json["field"]) == (422, "days")


def test_a_decision_that_is_extended_says_so(api: Api) -> None:
    table = Table(api)
    before = table.view().json

    extended = extend(table, 2)

    assert extended.status_code == 201
    view = table.view().json
    assert extended.json == {
        "decision": table.decision,
        "deadline": view["decision"]["deadline"],
        "extensions_left": 2,
    }
    assert view["decision"]["deadline"] > before["decision"]["deadline"]
    told = [each["decision"]["extended"] for each in (before, view)]
    left = [each["extensions_left"] for each in (before, view)]
    assert (told, left) == ([False, True], [3, 2])


def test_a_second_extension_of_a_decision_is_refused_by_name(api: Api) -> None:
    table = Table(api)
    extend(table, 2)

    again = extend(table, 1)

    assert (again.status_code, again.json["code"]) == (409, "already-extended")


def test_where_nothing_has_a_deadline_there_is_no_time_to_stop(api: Api) -> None:
    table = Table(api, decision_time=None)

    for refused in (pause(table, 0), resume(table, 0), extend(table, 0)):
        assert (refused.status_code, refused.json["code"]) == (409, "no-deadline")
    assert table.view().json["extensions_left"] is None


def test_a_decision_that_is_over_is_not_extended(api: Api) -> None:
    table = Table(api)
    number, _, _ = table.play_a_turn()

    refused = extend(table, 0, number)

    assert (refused.status_code, refused.json["code"]) == (409, "decision-closed")


def test_who_has_left_is_refused_by_name(api: Api) -> None:
    table = Table(api)
    api.call("PUT", f"{table.path}/seats/1/departure", table.tokens[1])

    for refused in (pause(table, 1), resume(table, 1), extend(table, 1)):
        assert (refused.status_code, refused.json["code"]) == (409, "seat-kept")


def test_strangers_stop_no_clock(api: Api) -> None:
    table = Table(api)
    token = programs.stranger(api)

    for method, path, wish in (
        ("PUT", "pause", {"days": 1}),
        ("POST", "extensions", {"decision": 1}),
    ):
        refused = api.call(method, f"{table.path}/{path}", token, json=wish)
        assert (refused.status_code, refused.json["reason"]) == (403, "no-seat")
    assert table.view().json["paused"] is None


def test_a_card_laid_in_a_pause_changes_nothing_that_others_see(api: Api) -> None:
    table = in_election(api)
    pause(table, 1)
    before = table.view(0)

    table.put(2, table.first_legal(2))

    after = table.view(0)
    assert (after.json, after.headers["ETag"]) == (before.json, before.headers["ETag"])
