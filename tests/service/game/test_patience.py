"""Without a clock a game waits: 14 days until anybody may end it, 60 until we do."""

from datetime import timedelta

import pytest

from engine.board import Card, Seat
from engine.commands import Ballot, PlacementOption
from service import config
from service.game import handlers, patience, table_acts
from service.store import clock
from service.values.conflicts import BeyondTheRecord, HasClock, NotSilent
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from worker.clock import sweeper

pytestmark = pytest.mark.usefixtures("inside")

DAYS, MINUTE = timedelta(days=14), timedelta(minutes=1)
LAST = timedelta(days=60)


def waiting(**wish: object) -> Seated:
    return seated.started(3, decision_time=None, **wish)


def voting() -> Seated:
    table = waiting(rounds=1, placement=PlacementOption.RANDOM)
    table.nominate()
    return table


def end_wait(table: Seated, seat: int, decision: int | None = None) -> None:
    number = table.decision if decision is None else decision
    patience.end_wait(table.id, table.principals[seat], number)


def due(table: Seated) -> list[tuple]:
    return run("SELECT kind, decision FROM due WHERE game_id = :g", {"g": table.id})


def test_after_14_days_anybody_at_the_table_has_a_bot_keep_the_silent_seat() -> None:
    table = waiting()
    (silent,) = table.game.asked()
    other = (silent + 1) % 3

    clock.shift(DAYS - MINUTE)
    with pytest.raises(NotSilent):
        end_wait(table, other)
    assert not table.game.has_bot(silent)

    clock.shift(MINUTE)
    end_wait(table, other)
    assert table.game.has_bot(silent)
    clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))
    sweeper.sweep()
    assert table.decision == 2


def test_whose_seat_was_silent_hears_that_a_bot_keeps_it_and_nobody_else_does() -> None:
    table = waiting()
    (silent,) = table.game.asked()
    clock.shift(DAYS)

    for _ in range(2):
        end_wait(table, (silent + 1) % 3, 1)

    told = run("SELECT seat, decision FROM notice WHERE kind = 'kept'")
    assert told == [(silent, 1)]


def test_whoever_has_left_before_a_wait_is_ended_hears_nothing() -> None:
    table = waiting()
    (silent,) = table.game.asked()
    table_acts.depart(table.id, table.holder(silent), silent)
    clock.shift(DAYS)

    end_wait(table, (silent + 1) % 3)

    assert "kept" not in seated.kinds(table.id)


def test_an_answer_lets_the_time_begin_anew() -> None:
    table = waiting()
    clock.shift(DAYS)
    table.play_until((table.game.asked()[0] + 1) % 3)

    with pytest.raises(NotSilent):
        end_wait(table, 0)


def test_in_an_election_the_clock_lays_yes_for_all_who_are_silent() -> None:
    table = voting()
    election = table.decision
    table.answer(0, Ballot(Card.NO))
    clock.shift(DAYS)

    end_wait(table, 0)

    (over,) = table.game.elections
    assert (over.decision, over.cards) == (election, (Card.NO, Card.YES, Card.YES))
    assert not any(table.game.has_bot(Seat(seat)) for seat in range(3))


@pytest.mark.parametrize("laid", [(), (1,), (1, 2)])
def test_an_election_waits_for_14_days_from_its_beginning_whoever_lays(
    laid: tuple[int, ...],
) -> None:
    table = voting()
    clock.shift(DAYS - MINUTE)
    for seat in laid:
        table.answer(seat, Ballot(Card.YES))

    with pytest.raises(NotSilent):
        end_wait(table, 1)
    clock.shift(MINUTE)
    end_wait(table, 1)

    assert len(table.game.elections) == 1


def test_twice_does_the_same_as_once() -> None:
    table = waiting()
    (silent,) = table.game.asked()
    clock.shift(DAYS)

    for _ in range(2):
        end_wait(table, (silent + 1) % 3, 1)

    assert rows.events(table.id, "bot_seated") == 1


def test_what_was_never_put_is_not_ended() -> None:
    table = waiting()
    clock.shift(DAYS)

    with pytest.raises(BeyondTheRecord):
        end_wait(table, 0, 2)


def test_who_has_left_ends_nothing() -> None:
    table = waiting()
    silent = table.game.asked()[0]
    other = Seat((silent + 1) % 3)
    table_acts.depart(table.id, table.principals[other], other)
    clock.shift(DAYS)

    with pytest.raises(handlers.NotAtTable):
        end_wait(table, other)


def test_where_there_is_a_clock_nobody_ends_a_wait() -> None:
    table = seated.started(3, decision_time=14 * 24 * 3600)
    clock.shift(DAYS - MINUTE)

    with pytest.raises(HasClock):
        end_wait(table, 0)


def test_after_60_days_without_an_answer_the_game_is_called_off_and_all_are_told() -> (
    None
):
    table = waiting()
    clock.shift(LAST - MINUTE)
    sweeper.sweep()
    assert table.game.running

    clock.shift(MINUTE)
    sweeper.sweep()

    assert table.game.reason == "cancelled"
    assert seated.kinds(table.id).count("game_over") == 3
    assert due(table) == []


def test_each_question_has_60_days_of_its_own() -> None:
    table = waiting()
    clock.shift(LAST - MINUTE)
    table.play_until((table.game.asked()[0] + 1) % 3)

    assert due(table) == [("call_off", table.decision)]
    clock.shift(LAST - MINUTE)
    sweeper.sweep()
    assert table.game.running


def test_a_row_that_comes_too_early_calls_nothing_off() -> None:
    table = waiting()
    run("UPDATE due SET claim_at = kingup_now() WHERE game_id = :g", {"g": table.id})

    sweeper.sweep()

    assert table.game.running
    assert due(table) == [("call_off", 1)]


def test_a_clock_or_practice_is_never_called_off() -> None:
    assert [kind for kind, _ in due(seated.started(3))].count("call_off") == 0
