"""The write path and the clock: read after the wait for the row, never before."""

import time
from datetime import timedelta

import psycopg
import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from service.game import time_up
from service.store import clock
from service.values.principals import System
from tests.rig.service import held, seated
from tests.rig.service.seated import run

WAIT = 1.5

pytestmark = pytest.mark.usefixtures("inside")


GAME = "SELECT 1 FROM game WHERE id = %(id)s FOR UPDATE"


def test_the_next_deadline_counts_from_the_moment_of_writing(
    inside: Flask, outside: psycopg.Connection
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    seat, decision = table.game.asked()[0], table.decision
    answer = seated.own(table.game, seat).legal[0].answer
    before = clock.now()

    held.while_held(
        inside,
        outside,
        GAME,
        {"id": table.id},
        lambda: table.answer(seat, answer, decision),
        lambda: time.sleep(WAIT),
    )

    [(recorded, deadline)] = run(
        "SELECT e.recorded_at, g.deadline FROM event e JOIN game g ON g.id = e.game_id"
        " WHERE e.type = 'moved' AND g.id = :g",
        {"g": table.id},
    )
    assert recorded - before > timedelta(seconds=WAIT)
    pace = timedelta(seconds=seated.PACE)
    assert abs(deadline - recorded - pace) < timedelta(seconds=0.1)
    due = run("SELECT due_at FROM due WHERE kind = 'deadline'")
    assert abs(due[0][0] - deadline) < timedelta(seconds=0.1)


def test_a_deadline_that_passes_while_the_row_is_awaited_has_passed(
    inside: Flask, outside: psycopg.Connection
) -> None:
    table = seated.started(3)
    decision = table.decision

    ran_out = held.while_held(
        inside,
        outside,
        GAME,
        {"id": table.id},
        lambda: time_up.run_out(table.id, decision),
        lambda: clock.shift(timedelta(seconds=seated.PACE)),
    )

    assert ran_out is True


def test_before_its_deadline_no_decision_runs_out(inside: Flask) -> None:
    table = seated.in_election(3)
    clock.shift(timedelta(seconds=seated.PACE - 5))
    before = seated.everything(inside)

    assert time_up.run_out(table.id, table.decision) is False

    assert seated.everything(inside) == before


def test_the_clock_answers_no_decision_but_the_one_it_was_due_for(
    inside: Flask,
) -> None:
    table = seated.started(3)
    first = table.decision
    clock.shift(timedelta(seconds=seated.PACE))
    assert time_up.run_out(table.id, first) is True
    clock.shift(timedelta(seconds=seated.PACE))
    before = seated.everything(inside)

    assert time_up.run_out(table.id, first) is False

    assert seated.everything(inside) == before


def test_a_ballot_of_an_open_election_moves_no_deadline() -> None:
    table = seated.in_election(3)
    [before] = run("SELECT deadline, laid FROM game")

    table.answer(0, Ballot(Card.YES))

    assert run("SELECT deadline, laid FROM game") == [before]
    assert before[1] is None


def test_a_missed_ballot_is_a_yes_laid_by_the_clock() -> None:
    table = seated.in_election(3)
    decision = table.decision
    table.answer(1, Ballot(Card.NO))
    clock.shift(timedelta(seconds=seated.PACE))

    assert time_up.run_out(table.id, decision) is True
    assert time_up.run_out(table.id, decision) is False

    rows = run(
        "SELECT seat, source FROM answer WHERE decision = :d ORDER BY seat",
        {"d": decision},
    )
    assert rows == [(0, "clock"), (1, "person"), (2, "clock")]
    cards = table.game.elections[0].cards
    assert cards == (Card.YES, Card.NO, Card.YES)


def test_a_reminder_shows_who_has_laid_and_later_ballots_change_it_not() -> None:
    table = seated.in_election(4)
    table.answer(2, Ballot(Card.YES))

    time_up.remind(table.id, table.decision)
    table.answer(0, Ballot(Card.YES))

    assert run("SELECT laid FROM game") == [([2],)]
    reminded = run("SELECT seat FROM notice WHERE kind = 'reminder' ORDER BY seat")
    assert reminded == [(0,), (1,), (3,)]


def test_a_reminder_that_is_repeated_shows_no_ballot_laid_since() -> None:
    table = seated.in_election(4)
    time_up.remind(table.id, table.decision)
    table.answer(2, Ballot(Card.YES))

    time_up.remind(table.id, table.decision)

    assert run("SELECT laid FROM game") == [([],)]


def test_reminding_twice_tells_everybody_once() -> None:
    table = seated.in_election(4)

    time_up.remind(table.id, table.decision)
    time_up.remind(table.id, table.decision)

    assert run("SELECT count(*) FROM notice WHERE kind = 'reminder'") == [(4,)]


def test_a_reminder_for_a_decision_that_is_over_tells_nobody(inside: Flask) -> None:
    table = seated.in_election(3)
    before = seated.everything(inside)

    time_up.remind(table.id, table.decision - 1)

    assert seated.everything(inside) == before


def test_what_showed_who_has_laid_is_gone_with_the_election() -> None:
    table = seated.in_election(3)
    time_up.remind(table.id, table.decision)

    table.lay([Card.YES, Card.NO, Card.YES])
    table.resolve()

    assert run("SELECT laid FROM game") == [(None,)]


def test_what_was_due_for_a_decision_goes_with_it() -> None:
    table = seated.started(3, bots=2, first=0)
    decision = table.decision
    kinds = [kind for (kind,) in run("SELECT kind FROM due ORDER BY kind")]
    assert kinds == ["deadline", "last_reminder", "reminder"]

    table.answer(0, seated.own(table.game, 0).legal[0].answer)

    left = run("SELECT decision, kind, seat FROM due ORDER BY kind")
    assert left == [
        (decision + 1, "bot", 1),
        (decision + 1, "deadline", -1),
        (decision + 1, "last_reminder", -1),
        (decision + 1, "reminder", -1),
    ]


def test_a_cancelled_game_has_nothing_due_and_keeps_its_open_ballots_sealed() -> None:
    table = seated.in_election(3)
    table.answer(0, Ballot(Card.NO))

    seated.cancel(table.id, System())

    assert run("SELECT count(*) FROM due") == [(0,)]
    assert run("SELECT status, deadline FROM game") == [("over", None)]
    public = run("SELECT public FROM event WHERE public IS NOT NULL")
    assert not any(b'"cards":["no"' in bytes(row[0]) for row in public)
