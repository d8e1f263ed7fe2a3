"""Pauses: the clock stands still for everybody, until the last of them is over."""

from datetime import datetime, timedelta

import pytest

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from engine.errors import GameNotRunning, GamePaused
from service.game import time_up
from service.store import clock, due
from service.store.transactions import transaction
from service.tables import practice
from service.values.enums import DueKind
from tests.rig.service import seated
from tests.rig.service.deadlines import close_to, deadline, has_deadline, sweep_after
from tests.rig.service.paused import pause, paused_until, resume, times
from tests.rig.service.seated import Seated, run
from worker.clock import sweeper

DAY = timedelta(days=1)
PIECE = timedelta(seconds=seated.PACE)

pytestmark = pytest.mark.usefixtures("inside")


def falls_due(table: Seated) -> dict[DueKind, datetime]:
    return due.moments(table.id, table.decision)


def waits(table: Seated) -> list[tuple]:
    return run(
        "SELECT kind, claim_at = 'infinity' FROM due WHERE game_id = :g ORDER BY kind",
        {"g": table.id},
    )


def reminders(table: Seated) -> int:
    return seated.kinds(table.id).count("reminder")


def test_while_a_game_is_paused_no_deadline_and_no_reminder_falls_due() -> None:
    table = seated.started(3, spare=2)
    decision = table.decision

    pause(table, 1, 7)
    sweep_after(6 * DAY)

    assert table.decision == decision
    assert not has_deadline(table)
    assert reminders(table) == 0
    assert waits(table) == [
        ("deadline", True),
        ("last_reminder", True),
        ("pause_end", False),
        ("reminder", True),
    ]
    assert times(table) == ["paused"]


def test_it_stops_the_clock_and_no_answer() -> None:
    table = seated.started(3)
    decision = table.decision
    pause(table, 1)
    (asked,) = table.game.asked()

    table.answer(asked, seated.own(table.game, asked).legal[0].answer)

    assert table.decision == decision + 1
    assert not has_deadline(table)
    assert dict(waits(table))["deadline"]


def test_when_it_ends_every_moment_is_as_much_later_as_it_was_long() -> None:
    table = seated.started(3)
    before = falls_due(table)
    end = deadline(table)

    clock.shift(DAY / 4)
    pause(table, 1, 3)
    sweep_after(3 * DAY)

    assert times(table) == ["paused", "resumed"]
    assert close_to(deadline(table), end + 3 * DAY)
    assert falls_due(table)[DueKind.DEADLINE] == deadline(table)
    for kind, moment in falls_due(table).items():
        assert close_to(moment, before[kind] + 3 * DAY)
    assert not any(held for _, held in waits(table))


def test_then_the_clock_answers_as_ever() -> None:
    table = seated.started(3)
    decision = table.decision
    pause(table, 1)
    sweep_after(DAY)
    sweep_after(PIECE - timedelta(minutes=1))
    assert table.decision == decision
    assert reminders(table) == 2

    sweep_after(timedelta(minutes=1))

    assert table.decision == decision + 1


def test_a_question_that_came_in_a_pause_has_its_whole_time_when_it_is_over() -> None:
    table = seated.started(3)
    pause(table, 1, 2)
    clock.shift(DAY)
    (asked,) = table.game.asked()
    table.answer(asked, seated.own(table.game, asked).legal[0].answer)

    sweep_after(DAY)

    assert close_to(deadline(table), clock.now() + PIECE)
    assert close_to(falls_due(table)[DueKind.REMINDER], clock.now() + PIECE / 2)


def test_the_clock_goes_on_when_the_last_pause_ends() -> None:
    table = seated.started(3)
    end = deadline(table)
    pause(table, 1, 3)
    clock.shift(DAY)
    pause(table, 2, 1)

    resume(table, 1)
    assert times(table) == ["paused"]
    assert not has_deadline(table)
    sweep_after(DAY)

    assert times(table) == ["paused", "resumed"]
    assert close_to(deadline(table), end + 2 * DAY)


def test_a_pause_that_ends_before_another_is_over_by_itself() -> None:
    table = seated.started(3)
    pause(table, 1, 1)
    pause(table, 2, 2)

    sweep_after(DAY)

    assert (paused_until(table, 1), times(table)) == (None, ["paused"])
    assert paused_until(table, 2) is not None
    sweep_after(DAY)
    assert times(table) == ["paused", "resumed"]


def test_a_game_that_is_over_is_not_paused_and_its_pause_is_over_with_it() -> None:
    table = seated.started(3, rounds=1)
    pause(table, 1)

    table.finish()

    assert times(table) == ["paused"]
    assert (paused_until(table, 1), waits(table)) == (None, [])
    assert run("SELECT paused_at FROM game WHERE id = :g", {"g": table.id}) == [(None,)]
    with pytest.raises(GameNotRunning):
        pause(table, 1)


def test_a_reminder_that_was_claimed_before_the_pause_waits_with_the_others() -> None:
    table = seated.started(3)
    clock.shift(PIECE / 2)
    with transaction():
        rows = due.claim(5, 5.0, bots=False)
    pause(table, 1)

    for row in rows:
        time_up.remind(row.game_id, row.decision, kind=row.kind)

    assert [row.kind for row in rows] == [DueKind.REMINDER]
    assert reminders(table) == 0
    resume(table, 1)
    sweeper.sweep()
    assert reminders(table) == 1


def test_a_deadline_that_was_claimed_before_the_pause_waits_with_the_others() -> None:
    table = seated.started(3)
    decision = table.decision
    clock.shift(PIECE)
    pause(table, 1)

    assert not time_up.run_out(table.id, decision)
    resume(table, 1)
    assert time_up.run_out(table.id, decision)


def test_in_an_election_a_card_laid_after_a_pauses_end_ends_it_not_any_earlier() -> (
    None
):
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    pause(table, 1)
    clock.shift(DAY)

    table.answer(0, Ballot(Card.YES))

    # Else the record would tell that somebody has just laid a card.
    assert times(table) == ["paused"]
    sweeper.sweep()
    assert times(table) == ["paused", "resumed"]


def test_an_election_is_turned_over_in_a_pause_as_ever() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    pause(table, 1)

    for seat in range(3):
        table.answer(seat, Ballot(Card.YES))
    sweeper.sweep()

    assert table.game.scored


def test_a_worker_that_was_away_at_the_end_costs_nobody_their_time() -> None:
    table = seated.started(3)
    end = deadline(table)
    pause(table, 1)

    sweep_after(3 * DAY)

    assert close_to(deadline(table), end + 3 * DAY)


def test_spare_time_is_not_used_in_a_pause_and_goes_on_from_the_moved_deadline() -> (
    None
):
    table = seated.started(3, spare=2)
    decision = table.decision
    (asked,) = table.game.asked()
    clock.shift(PIECE)
    sweeper.sweep()
    end = deadline(table)
    pause(table, 1)
    sweep_after(DAY)
    assert close_to(deadline(table), end + DAY)

    sweep_after(PIECE)

    assert table.decision == decision
    assert close_to(deadline(table), end + DAY + PIECE)
    used = run(
        "SELECT spare_used FROM seat WHERE game_id = :g AND number = :s",
        {"g": table.id, "s": asked},
    )
    assert used == [(2,)]


def test_in_a_paused_practice_game_no_time_is_let_pass() -> None:
    against = practice.Against(decision_time=600)
    begun = practice.practise("Rita", against=against)
    table = Seated(begun.game_id)
    pause(table, 0)

    for until in practice.Until:
        with pytest.raises(GamePaused):
            practice.let_pass(table.id, table.principals[0], table.decision, until)


def daily(zone: str, now: str) -> Seated:
    clock.shift(datetime.fromisoformat(now) - clock.now())
    return seated.started(3, decision_time=86_400, daily_at="20:00", zone=zone)


@pytest.mark.parametrize(
    ("now", "end", "moved"),
    [
        # Zurich changes its clocks on 28 March and 31 October 2027.
        ("2027-03-25T06:00+01:00", "2027-03-25T20:00+01:00", "2027-04-01T20:00+02:00"),
        ("2027-10-28T06:00+02:00", "2027-10-28T20:00+02:00", "2027-11-04T20:00+01:00"),
        ("2027-05-12T06:00+02:00", "2027-05-12T20:00+02:00", "2027-05-19T20:00+02:00"),
    ],
)
def test_eight_in_the_evening_stays_that_after_seven_days_over_a_change_of_clocks(
    now: str, end: str, moved: str
) -> None:
    table = daily("Europe/Zurich", now)
    assert deadline(table) == datetime.fromisoformat(end)

    pause(table, 1, 7)
    ends = paused_until(table, 1)
    assert ends is not None
    sweep_after(ends - clock.now() + timedelta(seconds=1))

    assert times(table) == ["paused", "resumed"]
    assert deadline(table) == datetime.fromisoformat(moved)


def test_a_pause_of_minutes_costs_nobody_a_day() -> None:
    table = daily("Europe/Zurich", "2027-05-12T06:00+02:00")
    end = deadline(table)
    pause(table, 1)
    clock.shift(timedelta(minutes=20))

    resume(table, 1)

    assert deadline(table) == end
