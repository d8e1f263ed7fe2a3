"""A rematch: one table for the same people, whoever of them asks first."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.test import TestResponse

from service.people import deletion
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run


@pytest.fixture
def table(api: Api) -> Table:
    """A table of three that was played to its end."""
    table = Table(api, rounds=1, placement="random", first=2, ballot_history="open")
    table.inside("finish")
    return table


def ask(api: Api, table: Table, seat: int) -> TestResponse:
    return api.call("POST", f"{table.path}/rematch", table.tokens[seat])


def test_whoever_asks_hosts_the_same_people_in_the_same_order(
    api: Api, table: Table
) -> None:
    answer = ask(api, table, 1)

    game = answer.json
    assert answer.status_code == 201
    assert [seat["name"] for seat in game["seats"]] == ["Simon", "Terry", "Rachel"]
    assert [seat["state"] for seat in game["seats"]] == ["joined", *["invited"] * 2]
    old = api.get(table.path, table.tokens[2]).json
    assert game["options"] == old["options"] | {"first": None}
    assert answer.headers["Location"] == old["rematch_url"]
    assert old["rematch_url"].endswith(game["game"])
    with api.app.app_context():
        assert seated.kinds(game["game"]) == ["invitation", "invitation"]


def test_a_rematch_renames_nobody(api: Api, table: Table) -> None:
    token = table.tokens[1]
    api.call("PATCH", "/v1/me", token, json={"name": "New Me"})

    seats = ask(api, table, 1).json["seats"]

    assert seats[0]["name"] == "Simon"
    assert api.get("/v1/me", token).json["name"] == "New Me"


def test_whoever_asks_second_finds_the_first_rematch(api: Api, table: Table) -> None:
    first = ask(api, table, 1)

    second, again = ask(api, table, 0), ask(api, table, 1)

    assert (second.status_code, again.status_code) == (200, 200)
    assert second.headers["Location"] == first.headers["Location"]
    assert second.json["seat"] == 2


def test_all_who_ask_at_once_find_one_table(api: Api, table: Table) -> None:
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda seat: ask(Api(api.app), table, seat), range(3)))

    assert sorted(answer.status_code for answer in found) == [200, 200, 201]
    assert len({answer.json["game"] for answer in found}) == 1


def test_a_rematch_that_was_called_off_leaves_room_for_another(
    api: Api, table: Table
) -> None:
    first = ask(api, table, 1).json["game"]
    api.call("DELETE", f"/v1/games/{first}", table.tokens[1])

    assert api.get(table.path, table.tokens[0]).json["rematch_url"] is None
    second = ask(api, table, 0)

    assert second.status_code == 201
    assert second.json["seats"][0]["name"] == "Rachel"


def test_a_game_that_is_not_over_has_no_rematch(api: Api) -> None:
    running = Table(api)

    answer = ask(api, running, 0)

    assert (answer.status_code, answer.json["code"]) == (409, "no-rematch")
    assert api.get(running.path).json["rematch_url"] is None


def test_only_who_sat_there_asks(api: Api, table: Table) -> None:
    path = f"{table.path}/rematch"

    assert api.call("POST", path).status_code == 401
    assert api.call("POST", path, programs.stranger(api)).status_code == 403
    with api.app.app_context():
        bound = table.token(1, game_id=table.id)
    assert api.call("POST", path, bound).status_code == 403


def test_where_they_meet_again_is_told_to_the_players_alone(
    api: Api, table: Table
) -> None:
    before = [api.get(table.path, token).headers["ETag"] for token in table.tokens]
    laid = ask(api, table, 1).headers["Location"]

    seen = [api.get(table.path, token) for token in table.tokens]
    others = [api.get(table.path, token) for token in (None, programs.stranger(api))]

    assert {each.json["rematch_url"] for each in seen} == {laid}
    assert all(a.headers["ETag"] != b for a, b in zip(seen, before, strict=True))
    assert {each.json["rematch_url"] for each in others} == {None}


def test_a_player_who_may_not_see_the_rematch_is_not_told_of_it(api: Api) -> None:
    table = Table(api, rounds=1, visibility="players")
    table.inside("finish")
    laid = ask(api, table, 1).json["game"]

    api.call("DELETE", f"/v1/games/{laid}/seats/2", table.tokens[0])

    assert api.get(table.path, table.tokens[0]).json["rematch_url"] is None
    assert api.get(table.path, table.tokens[2]).json["rematch_url"].endswith(laid)
    with api.app.app_context():
        bound = table.token(2, game_id=table.id)
    assert api.get(table.path, bound).json["rematch_url"] is None


def test_whoever_left_for_good_is_asked_no_more(api: Api, table: Table) -> None:
    with api.app.app_context():
        statement = "SELECT person_id FROM seat WHERE game_id = :g AND number = 2"
        deletion.erase(run(statement, {"g": table.id})[0][0])

    game = ask(api, table, 0).json

    assert [s["state"] for s in game["seats"]] == ["joined", "invited", "declined"]
    assert game["seats"][2]["name"] == "Player 3"
