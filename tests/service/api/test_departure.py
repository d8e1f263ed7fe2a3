"""Leaving a running game by program, and coming back."""

from werkzeug.test import TestResponse

from tests.rig.service import programs
from tests.rig.service.programs import Api, Table, in_election


def depart(table: Table, seat: int, who: int | None = None) -> TestResponse:
    token = table.tokens[seat if who is None else who]
    return table.api.call("PUT", f"{table.path}/seats/{seat}/departure", token)


def come_back(table: Table, seat: int) -> TestResponse:
    path = f"{table.path}/seats/{seat}/departure"
    return table.api.call("DELETE", path, table.tokens[seat])


def test_who_leaves_gets_their_seat_with_the_bot_on_it(api: Api) -> None:
    table = Table(api)

    left, again = depart(table, 1), depart(table, 1)

    assert left.status_code == again.status_code == 200
    assert left.json == again.json
    kept = (left.json["kind"], left.json["bot"], left.json["kept"])
    assert kept == ("bot", "steady", True)
    assert left.json["name"] == "Simon"


def test_everybody_sees_that_a_bot_keeps_the_seat(api: Api) -> None:
    table = Table(api)

    depart(table, 1)

    for seat in (None, 0, 1, 2):
        view = table.view(seat).json
        assert [each["kept"] for each in view["seats"]] == [False, True, False]
    revision = view["revision"]
    past = api.get(f"{table.path}/view?at={revision}").json["seats"]
    assert [each["kept"] for each in past] == [False, True, False]
    before = api.get(f"{table.path}/view?at={revision - 1}").json["seats"]
    assert [each["kind"] for each in before] == ["person"] * 3
    (event,) = api.get(f"{table.path}/events?after={revision - 1}").json["events"]
    assert event["event"] == {"type": "bot_seated", "seat": 1, "bot": "steady"}


def test_who_has_left_sees_what_a_spectator_sees(api: Api) -> None:
    table = in_election(api)

    depart(table, 1)
    mine: dict[str, object] = dict(table.view(1).json or {})
    anybodys: dict[str, object] = dict(table.view().json or {})

    assert mine.pop("kept_seat") == 1
    assert anybodys.pop("kept_seat") is None
    assert mine == anybodys
    assert mine["own"] is None
    turns = api.get("/v1/me/turns", table.tokens[1]).json["turns"]
    assert turns == []


def test_a_table_of_players_alone_stays_open_to_who_has_left(api: Api) -> None:
    table = Table(api, visibility="players")

    depart(table, 1)

    assert table.view(1).status_code == 200
    assert table.view().status_code == 404
    listed = api.get("/v1/games?mine=true", table.tokens[1]).json["games"]
    assert [(each["game"], each["seat"]) for each in listed] == [(str(table.id), None)]


def test_who_has_left_is_refused_by_name(api: Api) -> None:
    table = in_election(api)
    depart(table, 1)

    refused = table.put(1, {"kind": "election", "card": "yes"})

    assert refused.status_code == 409
    assert refused.json["code"] == "seat-kept"


def test_nobody_comes_back_before_the_round_is_over(api: Api) -> None:
    table = Table(api, placement="random")
    depart(table, 1)

    early = come_back(table, 1)
    table.inside("play_round")
    back, again = come_back(table, 1), come_back(table, 1)

    assert (early.status_code, early.json["code"]) == (409, "cards-not-open")
    assert early.json["round"] == 1
    assert back.status_code == again.status_code == 200
    assert (back.json["kind"], back.json["kept"]) == ("person", False)
    assert table.view(1).json["own"]["seat"] == 1


def test_another_seat_is_not_left_for_somebody(api: Api) -> None:
    table = Table(api)

    refused = depart(table, 1, who=0)

    assert (refused.status_code, refused.json["reason"]) == (403, "not-your-seat")
    assert not table.view().json["seats"][1]["kept"]


def test_a_seat_that_is_not_there_is_not_found(api: Api) -> None:
    table = Table(api)

    missing = api.call("PUT", f"{table.path}/seats/7/departure", table.tokens[0])

    assert (missing.status_code, missing.json["what"]) == (404, "seat")


def test_strangers_leave_nothing(api: Api) -> None:
    table = Table(api)

    path = f"{table.path}/seats/1/departure"
    refused = api.call("PUT", path, programs.stranger(api))

    assert (refused.status_code, refused.json["reason"]) == (403, "no-seat")


def test_a_game_that_does_not_run_is_not_left(api: Api, host: str) -> None:
    wish = {"seats": [{"kind": "open"}, {"kind": "open"}]}
    path = api.call("POST", "/v1/games", host, json=wish).json["game"]

    refused = api.call("PUT", f"/v1/games/{path}/seats/0/departure", host)

    assert (refused.status_code, refused.json["code"]) == (409, "game-not-running")
