"""Lines that lie with a ballot: nobody's until the reveal, and everybody's with it."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from service.game import time_up
from service.store import clock
from tests.rig.service import seated
from tests.rig.service.called import Listening, listening
from tests.rig.service.programs import Api, in_election
from tests.rig.service.seated import run
from tests.rig.service.talk import LINE, lines, read, say


@pytest.fixture
def ear(api: Api, environ: dict[str, str]) -> Iterator[Listening]:
    with listening(api.app, environ) as found:
        yield found


def test_lines_of_ballots_come_in_seat_order_with_the_reveal(api: Api) -> None:
    table = in_election(api)
    before, decision = read(table, 0), table.decision
    for seat in (2, 0, 1):
        table.put(seat, {"kind": "election", "card": "yes", "line": f"I am {seat}"})

    hidden = [read(table, seat) for seat in range(3)]
    table.inside("resolve")

    assert hidden == [before] * 3
    found = read(table, 1)["messages"]
    assert [(m["id"], m["seat"], m["line"]) for m in found] == [
        (1, 0, "I am 0"),
        (2, 1, "I am 1"),
        (3, 2, "I am 2"),
    ]
    assert {message["decision"] for message in found} == {decision}
    with api.app.app_context():
        [(moment,)] = run(
            "SELECT recorded_at FROM event WHERE decision = :d", {"d": decision}
        )
        assert run("SELECT DISTINCT said_at FROM message") == [(moment,)]
        assert run("SELECT count(*) FROM sealed_line") == [(0,)]


def test_until_the_reveal_a_line_has_no_number_that_others_miss(api: Api) -> None:
    table = in_election(api)
    table.put(0, {"kind": "election", "card": "yes", **LINE})

    said = say(table, 1)
    table.put(1, {"kind": "election", "card": "yes"})
    table.put(2, {"kind": "election", "card": "yes"})
    table.inside("resolve")

    assert said.json["id"] == 1
    assert lines(table, 2) == [(1, 1, LINE["line"]), (2, 0, LINE["line"])]


def test_a_line_with_a_ballot_calls_nobody(api: Api, ear: Listening) -> None:
    table = in_election(api)
    ear.called()

    table.put(0, {"kind": "election", "card": "yes", **LINE})

    assert ear.called() == set()


def test_lines_of_an_election_that_is_called_off_are_erased(api: Api) -> None:
    table = in_election(api)
    table.put(0, {"kind": "election", "card": "yes", **LINE})

    with api.app.app_context():
        seated.cancel(table.id, table.table.holder(0))

        assert run("SELECT count(*) FROM sealed_line") == [(0,)]
    assert lines(table, 0) == []


def test_a_line_comes_with_the_reveal_when_the_clock_lays_what_is_missing(
    api: Api,
) -> None:
    table = in_election(api)
    decision = table.decision
    table.put(0, {"kind": "election", "card": "yes", **LINE})
    with api.app.app_context():
        while not time_up.run_out(table.id, decision):
            clock.shift(timedelta(days=1))

    assert [(seat, line) for _, seat, line in lines(table, 1)] == [(0, LINE["line"])]


def test_whoever_leaves_keeps_their_words_there_and_hears_no_more(api: Api) -> None:
    table = in_election(api)
    table.put(1, {"kind": "election", "card": "yes", **LINE})
    departure = f"{table.path}/seats/1/departure"

    left = api.call("PUT", departure, table.tokens[1])
    answers = [
        api.get(f"{table.path}/messages", table.tokens[1]),
        say(table, 1),
    ]
    for seat in (0, 2):
        table.put(seat, {"kind": "election", "card": "yes"})
    table.inside("resolve")

    assert left.status_code == 200
    assert [answer.status_code for answer in answers] == [403, 403]
    assert [(seat, line) for _, seat, line in lines(table, 0)] == [(1, LINE["line"])]
