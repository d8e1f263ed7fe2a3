"""Games without a clock by program: waited for, ended, and about how long they take."""

from datetime import date, timedelta

import pytest
from werkzeug.test import TestResponse

from tests.rig.service.programs import Api, Table, in_election, let_pass, operator_token
from tests.rig.service.seated import run

OPEN = {"kind": "open"}
DAYS = 24 * 14


def end_wait(table: Table, seat: int, decision: int | None = None) -> TestResponse:
    number = table.decision if decision is None else decision
    path = f"{table.path}/decisions/{number}/waited-out"
    return table.api.call("PUT", path, table.tokens[seat])


def voting(api: Api) -> Table:
    table = Table(api, rounds=1, placement="random", decision_time=None)
    table.inside("nominate")
    return table


def test_a_host_may_choose_to_have_no_clock(api: Api) -> None:
    token = operator_token(api)
    wish = {"seats": [OPEN, OPEN], "visibility": "listed", "decision_time": None}

    made = api.call("POST", "/v1/games", token, json={**wish, "spare": 3})

    assert made.status_code == 201
    options = api.get(f"/v1/games/{made.json['game']}", token).json["options"]
    assert options["decision_time"] is None
    assert "spare" not in options or options["spare"] == 0
    daily = {**wish, "daily_at": "20:00", "zone": "UTC"}
    refused = api.call("POST", "/v1/games", token, json=daily)
    assert (refused.status_code, refused.json["option"]) == (409, "decision_time")


def test_after_14_days_the_wait_for_a_silent_seat_is_ended(api: Api) -> None:
    table = Table(api, decision_time=None)
    silent, other = table.asked, (table.asked + 1) % 3

    early = end_wait(table, other)
    let_pass(api, DAYS)
    done, again = end_wait(table, other, 1), end_wait(table, other, 1)

    assert (early.status_code, early.json["code"]) == (409, "not-silent")
    assert done.status_code == again.status_code == 204
    kept = [seat["kept"] for seat in table.view().json["seats"]]
    assert kept == [seat == silent for seat in range(3)]


def test_nobody_is_told_for_whom_yes_was_laid(api: Api) -> None:
    views = []
    for laid in ((), (1,), (1, 2)):
        table = voting(api)
        let_pass(api, DAYS)
        for seat in laid:
            yes = next(
                each["answer"]
                for each in table.view(seat).json["legal"]
                if each["answer"]["card"] == "yes"
            )
            assert table.put(seat, yes).status_code == 200
        before = table.view().json
        assert before["laid"] is None

        assert end_wait(table, 0).status_code == 204
        views.append([each["cards"] for each in table.view().json["showings"]])

    assert views == [[["yes"] * 3]] * 3


def test_strangers_end_no_wait_and_a_clock_needs_nobody(api: Api) -> None:
    table, paced = Table(api, decision_time=None), in_election(api)
    let_pass(api, DAYS)
    stranger = operator_token(api, "ralf@example.org")

    refused = api.call("PUT", f"{table.path}/decisions/1/waited-out", stranger)

    assert (refused.status_code, refused.json["code"]) == (403, "forbidden")
    assert end_wait(paced, 0).json["code"] == "has-clock"
    assert end_wait(table, 0, 2).json["code"] == "beyond-the-record"


def test_practice_waits_for_its_player_alone(api: Api) -> None:
    begun = api.call("POST", "/v1/practice-games", json={}).json
    path = f"/v1/games/{begun['game']}"

    refused = api.call("PUT", f"{path}/decisions/1/waited-out", begun["token"])

    assert refused.json["code"] == "has-clock"
    with api.app.app_context():
        due = "SELECT kind FROM due WHERE game_id = :g AND kind = 'call_off'"
        assert run(due, {"g": begun["game"]}) == []
    assert api.get(path, begun["token"]).json["expected_days"] is None
    assert api.get(f"{path}/view", begun["token"]).json["expected_end"] is None


def test_the_terms_say_about_how_long_it_takes(api: Api) -> None:
    whole = Table(api, decision_time=24 * 3600)
    short = Table(api, rounds=1, placement="random", decision_time=24 * 3600)
    found = [api.get(each.path).json["expected_days"] for each in (whole, short)]

    assert found[0]["least"] < found[0]["most"]
    assert found[1]["most"] < found[0]["least"] * 2
    assert found[1]["most"] < found[0]["most"] / 2


def test_about_when_it_ends_is_told_by_the_record_alone(api: Api) -> None:
    table = Table(api, decision_time=24 * 3600)
    first = table.view()
    let_pass(api, 20)

    # Time alone changes nothing.
    later = table.view()
    assert later.headers["ETag"] == first.headers["ETag"]
    assert later.data == first.data
    table.play_a_turn()

    slower = table.view(0).json["expected_end"]
    assert slower == table.view().json["expected_end"]
    began = date.fromisoformat(first.json["decision"]["opened_at"][:10])
    expected = date.fromisoformat(first.json["expected_end"])
    assert timedelta(7) < expected - began < timedelta(60)
    assert date.fromisoformat(slower) > expected
    past = api.get(f"{table.path}/view?at=3").json
    assert past["expected_end"] is None


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_card_that_is_laid_moves_no_end(api: Api, seat: int) -> None:
    table = in_election(api)
    let_pass(api, 10)
    before = table.view().json["expected_end"]

    table.put(seat, table.first_legal(seat))

    assert table.view().json["expected_end"] == before
    assert table.view(seat).json["expected_end"] == before


def test_a_game_that_is_over_has_no_end_ahead(api: Api) -> None:
    table = in_election(api)
    table.inside("finish")

    assert table.view().json["expected_end"] is None
