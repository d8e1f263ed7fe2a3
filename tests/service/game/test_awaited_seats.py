"""Whom a table waits for while a bot keeps their seat, and for how long."""

from datetime import date, timedelta

import pytest

from engine.board import Seat
from engine.commands import PlacementOption
from service.game import handlers, table_acts
from service.game.postponement import MOST_DAYS
from service.people import absences
from service.people.absences import AbsenceWish
from service.store import clock, games, seats
from service.store.absences import AnnouncedAbsence
from service.store.transactions import transaction
from service.values.conflicts import PersonReturns
from service.values.enums import AbsenceChoice
from service.values.principals import Bot
from tests.rig.service import away, replaced, seated
from tests.rig.service.seated import Seated, run
from worker.clock import absences as worker

pytestmark = pytest.mark.usefixtures("inside")

GONE, FIRST, SECOND = 1, 0, 2
WEEK = timedelta(days=7)


def table(rounds: int, pace: int = 14 * 86_400) -> Seated:
    return seated.started(
        3, placement=PlacementOption.RANDOM, rounds=rounds, decision_time=pace
    )


def is_awaited(game: Seated) -> bool:
    with transaction():
        return GONE in seats.awaited(game.game)


def announce(
    game: Seated,
    begin: int,
    length: int,
    choice: AbsenceChoice = AbsenceChoice.BOT,
) -> AnnouncedAbsence:
    """Days off of seat 1's person, the first in so many days."""
    first: date = clock.now().date() + timedelta(days=begin)
    last = first + timedelta(days=length - 1)
    who = seated.person_on(game.id, GONE)
    return absences.announce(who, AbsenceWish(first, last, choice))


def days_pass(days: int) -> None:
    for _ in range(days):
        clock.shift(timedelta(days=1))
        worker.sweep()


def away_for_weeks(game: Seated) -> None:
    """Absences end to end, with a bot; the first day of them has begun."""
    run("UPDATE person SET zone = 'UTC'")
    for number in range(5):
        announce(game, 14 * number, 14)
    worker.sweep()


def both_agree(game: Seated) -> None:
    table_acts.propose(game.id, game.principals[FIRST])
    table_acts.vote(game.id, game.principals[SECOND], 1, agrees=True)


def used(game: Seated) -> int:
    found: int = run(
        "SELECT away_days FROM seat WHERE game_id = :g AND number = :s",
        {"g": game.id, "s": GONE},
    )[0][0]
    return found


def told(game: Seated) -> int:
    rows = run(
        "SELECT FROM notice WHERE game_id = :g AND kind = 'kept'", {"g": game.id}
    )
    return len(rows)


def test_who_is_away_end_to_end_is_waited_for_so_many_days_and_no_more() -> None:
    game = table(rounds=3)
    away_for_weeks(game)

    days_pass(MOST_DAYS - 1)
    assert is_awaited(game)
    assert used(game) == MOST_DAYS
    with pytest.raises(PersonReturns):
        replaced.name(game, replaced.fresh(), seat=GONE)
    assert told(game) == 0
    days_pass(1)

    assert not is_awaited(game)
    assert told(game) == 1
    replaced.name(game, replaced.fresh(), seat=GONE)
    both_agree(game)
    assert game.game.reason == "cancelled"


def test_what_waits_for_their_consent_alone_is_decided_when_their_days_are_used() -> (
    None
):
    game = table(rounds=3)
    away_for_weeks(game)
    days_pass(MOST_DAYS - 1)
    both_agree(game)
    assert game.game.running

    days_pass(1)

    assert game.game.reason == "cancelled"


def test_whose_days_are_used_keeps_the_seat_and_comes_back_by_one_tap() -> None:
    game = table(rounds=3)
    away_for_weeks(game)
    days_pass(MOST_DAYS)
    game.play_round()
    replaced.name(game, replaced.fresh(), seat=GONE)
    days_pass(40)
    assert game.game.has_bot(Seat(GONE))

    table_acts.come_back(game.id, game.principals[GONE], GONE)
    worker.sweep()

    assert not game.game.has_bot(Seat(GONE))
    seen = games.read(game.id, game.holder(GONE))
    assert seen is not None
    assert seen.seat == GONE
    assert replaced.state(game) == "returned"


def test_days_on_which_the_table_waited_and_those_of_a_bot_are_one_count() -> None:
    game = table(rounds=3)
    run("UPDATE person SET zone = 'UTC'")
    run("UPDATE seat SET away_days = 20 WHERE number = :s", {"s": GONE})
    announce(game, 0, 14)

    worker.sweep()
    assert is_awaited(game)
    days_pass(1)

    assert not is_awaited(game)


def test_who_comes_back_early_has_used_the_days_so_far_and_no_more() -> None:
    game = table(rounds=3)
    run("UPDATE person SET zone = 'UTC'")
    found = announce(game, 0, 14)
    worker.sweep()
    days_pass(3)
    game.play_round()

    absences.call_off(seated.person_on(game.id, GONE), found.id)
    days_pass(5)

    assert not game.game.has_bot(Seat(GONE))
    assert used(game) == 4


def test_a_day_that_the_table_has_waited_for_is_counted_once() -> None:
    game = table(rounds=3)
    run("UPDATE person SET zone = 'UTC'")
    today = clock.now().date()
    counted = "UPDATE seat SET away_days = 3, away_until = :day WHERE number = :s"
    run(counted, {"day": today + timedelta(days=2), "s": GONE})
    announce(game, 0, 14)

    worker.sweep()
    days_pass(2)
    assert used(game) == 3
    days_pass(1)

    assert used(game) == 4


def test_a_day_is_counted_once_however_often_the_worker_looks() -> None:
    game = table(rounds=3)
    away_for_weeks(game)

    for _ in range(3):
        worker.sweep()

    assert used(game) == 1


def test_in_the_last_round_nobody_waits_for_the_consent_of_who_cannot_come_back() -> (
    None
):
    game = table(rounds=1)
    away.leaves_a_bot(game, GONE)

    both_agree(game)

    assert game.game.reason == "cancelled"


def test_an_absence_that_begins_in_the_last_round_lets_the_others_decide() -> None:
    game = table(rounds=1)
    both_agree(game)
    assert game.game.running

    away.leaves_a_bot(game, GONE)

    assert game.game.reason == "cancelled"


def test_who_is_back_before_the_end_is_waited_for_in_the_last_round_too() -> None:
    game = table(rounds=2)
    away_for_weeks(game)
    game.play_round()
    assert game.game.round == 2

    both_agree(game)

    assert game.game.running


@pytest.mark.parametrize("first_away", [True, False])
def test_bots_play_at_once_for_people_who_cannot_come_back(first_away: bool) -> None:
    game = table(rounds=1, pace=seated.PACE)
    if first_away:
        away.leaves_a_bot(game, GONE)
    for seat in (FIRST, SECOND):
        table_acts.depart(game.id, game.principals[seat], seat)
    if not first_away:
        away.leaves_a_bot(game, GONE)

    # What bots were asked before nobody was left keeps its time.
    asked = game.game.asked()[0]
    legal = seated.own(game.game, asked).legal
    handlers.answer(game.id, Bot(asked), game.decision, legal[0].answer)
    at_once = run(
        "SELECT due_at <= kingup_now() FROM due WHERE game_id = :g AND kind = 'bot'",
        {"g": game.id},
    )
    assert at_once
    assert all(now for (now,) in at_once)


def test_the_table_is_told_no_days_off_of_whom_it_does_not_wait_for() -> None:
    last, game = table(rounds=1), table(rounds=3)
    for each in (last, game):
        announce(each, 0, 14)
    worker.sweep()
    told = []
    for each in (last, game):
        seen = games.read(each.id, each.holder(FIRST))
        assert seen is not None
        told.append([absence.seat for absence in seen.absences])

    assert told == [[], [GONE]]
