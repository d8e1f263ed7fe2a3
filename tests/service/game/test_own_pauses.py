"""A seat's own pause: how often, how long, and who ends it."""

from datetime import timedelta

import pytest

from engine.errors import SeatKept
from service.game import table_acts, timing
from service.store import clock
from service.values.conflicts import NoDeadline, NoPauseLeft
from tests.rig.service import seated
from tests.rig.service.deadlines import close_to, deadline, has_deadline, sweep_after
from tests.rig.service.paused import pause, paused_until, resume, times

DAY = timedelta(days=1)
PIECE = timedelta(seconds=seated.PACE)

pytestmark = pytest.mark.usefixtures("inside")


def test_whoever_paused_it_ends_that_at_any_time() -> None:
    table = seated.started(3)
    end = deadline(table)
    pause(table, 1, 7)
    clock.shift(timedelta(hours=5))

    resume(table, 1)
    resume(table, 1)

    assert times(table) == ["paused", "resumed"]
    assert close_to(deadline(table), end + timedelta(hours=5))
    assert paused_until(table, 1) is None


def test_nobody_ends_the_pause_of_another() -> None:
    table = seated.started(3)
    pause(table, 1)

    resume(table, 2)

    assert times(table) == ["paused"]


def test_while_it_runs_its_end_can_be_changed_up_to_seven_days_after_its_begin() -> (
    None
):
    table = seated.started(3)
    pause(table, 1, 2)
    begun = clock.now()
    clock.shift(DAY)

    pause(table, 1, 7)
    assert close_to(paused_until(table, 1), begun + 7 * DAY)
    pause(table, 1, 3)
    assert close_to(paused_until(table, 1), begun + 3 * DAY)
    sweep_after(2 * DAY)

    assert times(table) == ["paused", "resumed"]


def test_a_pause_that_was_made_longer_does_not_end_when_it_was_to() -> None:
    table = seated.started(3)
    pause(table, 1, 1)
    pause(table, 1, 3)

    sweep_after(DAY)
    table_acts.end_pauses(table.id)

    assert times(table) == ["paused"]


def test_each_seat_has_two_pauses_in_a_game() -> None:
    table = seated.started(3)
    for _ in range(2):
        pause(table, 1)
        resume(table, 1)

    with pytest.raises(NoPauseLeft) as refused:
        pause(table, 1)

    assert refused.value.facts == {"most": 2}
    pause(table, 2)
    assert times(table) == ["paused", "resumed"] * 2 + ["paused"]


def test_all_the_pauses_of_one_player_hold_a_game_up_for_fourteen_days() -> None:
    table = seated.started(3)
    decision = table.decision
    for _ in range(timing.MOST):
        pause(table, 1, timing.MOST_DAYS)
        sweep_after(timing.MOST_DAYS * DAY)

    sweep_after(PIECE)

    assert table.decision == decision + 1


def test_whoever_leaves_ends_their_pause() -> None:
    table = seated.started(3)
    pause(table, 1)

    table_acts.depart(table.id, table.principals[1], 1)

    assert times(table) == ["paused", "resumed"]
    assert paused_until(table, 1) is None
    assert has_deadline(table)


def test_the_pause_of_who_stays_goes_on_when_another_leaves() -> None:
    table = seated.started(3)
    pause(table, 1)
    pause(table, 2)

    table_acts.depart(table.id, table.principals[1], 1)

    assert times(table) == ["paused"]
    assert [paused_until(table, seat) is None for seat in (1, 2)] == [True, False]


def test_when_all_have_left_nothing_is_paused() -> None:
    table = seated.started(3)
    pause(table, 0)
    pause(table, 1)

    for seat in range(3):
        table_acts.depart(table.id, table.principals[seat], seat)

    assert times(table) == ["paused", "resumed"]


def test_whose_seat_a_bot_keeps_pauses_nothing() -> None:
    table = seated.started(3)
    table_acts.depart(table.id, table.principals[1], 1)

    with pytest.raises(SeatKept):
        pause(table, 1)


def test_a_game_without_deadlines_has_no_pause() -> None:
    table = seated.started(3, decision_time=None)

    with pytest.raises(NoDeadline):
        pause(table, 1)
