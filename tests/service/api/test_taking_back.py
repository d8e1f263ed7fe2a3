"""Taking a placement or move back by program."""

from typing import Any

import pytest
from werkzeug.test import TestResponse

from engine.board import Card
from tests.rig.service import programs
from tests.rig.service.programs import Api, Table


def take_back(table: Table, seat: int, decision: int) -> TestResponse:
    path = f"{table.path}/decisions/{decision}/taken-back"
    return table.api.call("PUT", path, table.tokens[seat])


def own(table: Table, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = table.view(seat).json["own"]
    return found


def test_an_act_is_taken_back_and_the_seat_is_asked_again(api: Api) -> None:
    table = Table(api)
    number, seat, _ = table.play_a_turn()
    assert own(table, seat)["take_back"] == number

    back, again = take_back(table, seat, number), take_back(table, seat, number)

    assert (back.status_code, again.status_code) == (200, 200)
    assert back.json == again.json == {"decision": number, "reopened": number + 2}
    decision = table.view(seat).json["decision"]
    assert (decision["number"], decision["seat"]) == (number + 2, seat)
    assert own(table, seat)["take_back"] is None


def test_everybody_reads_it_in_the_record(api: Api) -> None:
    table = Table(api)
    number, seat, _ = table.play_a_turn()
    before = table.view().json["revision"]

    take_back(table, seat, number)

    (event,) = api.get(f"{table.path}/events?after={before}").json["events"]
    assert event["event"] == {
        "type": "taken_back",
        "decision": number,
        "reopened": number + 2,
    }
    then = api.get(f"{table.path}/view?at={before}").json
    now = api.get(f"{table.path}/view?at={before + 1}").json
    first = api.get(f"{table.path}/view?at={before - 1}").json
    assert now["places"] == first["places"] != then["places"]


def test_only_whoever_may_take_it_back_is_told_so(api: Api) -> None:
    table = Table(api)
    _, seat, _ = table.play_a_turn()

    others = [each for each in range(3) if each != seat]

    assert [own(table, each)["take_back"] for each in others] == [None, None]
    assert table.view().json["own"] is None


def test_a_repeated_answer_is_refused_with_the_new_number(api: Api) -> None:
    table = Table(api)
    number, seat, answer = table.play_a_turn()
    take_back(table, seat, number)

    again = table.put(seat, answer, number)

    assert again.status_code == 409
    found = {name: again.json[name] for name in ("code", "decision", "reopened")}
    assert found == {"code": "taken-back", "decision": number, "reopened": number + 2}
    assert again.json["legal"]
    given = api.get(f"{table.path}/decisions/{number}/answer", table.tokens[seat])
    assert (given.json["answer"], given.json["reopened"]) == (answer, number + 2)


def test_once_somebody_has_acted_it_is_refused_with_the_reason(api: Api) -> None:
    table = Table(api)
    number, seat, _ = table.play_a_turn()
    table.play_a_turn()

    late = take_back(table, seat, number)

    assert late.status_code == 409
    assert (late.json["code"], late.json["reason"]) == (
        "cannot-take-back",
        "acted-since",
    )
    assert "acted since" in late.json["detail"]


@pytest.mark.parametrize("laid", [0, 1])
def test_a_nomination_and_a_ballot_stay(api: Api, laid: int) -> None:
    table = programs.in_election(api)
    decision = table.view().json["decision"]
    mover, number = decision["mover"], decision["number"]
    if laid:
        table.put(mover, {"kind": "election", "card": Card.YES.value})

    moved, ballot = (take_back(table, mover, n) for n in (number - 1, number))

    assert (moved.json["code"], moved.json["reason"]) == (
        "cannot-take-back",
        "nominated",
    )
    assert (ballot.json["code"], ballot.json["reason"]) == (
        "cannot-take-back",
        "ballot",
    )


def test_while_an_election_is_open_nobody_learns_who_has_laid_a_card(api: Api) -> None:
    table = programs.in_election(api)
    number = table.decision

    def told() -> list[dict[str, Any]]:
        """What everybody but the one who lays a card is told, whatever they try."""
        tries = ((seat, back) for seat in (0, 2) for back in (0, 1))
        return [
            take_back(table, seat, number - back).json or {} for seat, back in tries
        ]

    before = told()
    table.put(1, {"kind": "election", "card": "yes"})

    assert told() == before
    assert {each["code"] for each in before} == {"cannot-take-back"}


def test_what_was_said_with_it_is_marked(api: Api) -> None:
    table = Table(api)
    view = table.view().json["decision"]
    number, seat = view["number"], view["seat"]
    legal = table.view(seat).json["legal"][0]["answer"]
    path = f"{table.path}/decisions/{number}/answer"
    said = {**legal, "line": "Up you go"}
    given = api.call("PUT", path, table.tokens[seat], json=said)
    assert given.status_code == 200

    take_back(table, seat, number)

    other = table.tokens[(seat + 1) % 3]
    (message,) = api.get(f"{table.path}/messages", other).json["messages"]
    assert (message["line"], message["decision"]) == ("Up you go", number)
    assert message["taken_back"] is True


def test_a_host_may_choose_that_nothing_is_taken_back(api: Api) -> None:
    table = Table(api, take_back=False)
    number, seat, _ = table.play_a_turn()

    refused = take_back(table, seat, number)

    assert (refused.status_code, refused.json["reason"]) == (409, "off")
    assert "take_back" not in table.view().json["options"]
    assert Table(api).view().json["options"]["take_back"] is True


def test_strangers_and_spectators_take_nothing_back(api: Api) -> None:
    table = Table(api)
    number, _, _ = table.play_a_turn()
    path = f"{table.path}/decisions/{number}/taken-back"

    assert api.call("PUT", path).status_code == 401
    assert api.call("PUT", path, programs.stranger(api)).status_code == 403
