"""Until when a question waits that was put again: no longer than it would have."""

from datetime import datetime, timedelta

import msgspec
import pytest

from engine.state import Kind
from service.game import pace, table_acts, time_up
from service.store import clock
from service.values.enums import DueKind
from tests.rig.engine.tables import options
from tests.rig.service import seated
from tests.rig.service.deadlines import deadline, has_deadline, sweep_after
from tests.rig.service.seated import run
from tests.rig.service.taken_back import A4, due_rows, first_act, take_back

pytestmark = pytest.mark.usefixtures("inside")


def test_it_waits_no_longer_than_it_would_have() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    until = deadline(table)
    clock.shift(timedelta(hours=5))
    table.answer(seat, A4)
    clock.shift(timedelta(hours=5))

    take_back(table, seat, 1)

    assert deadline(table) == until
    span = until - clock.now()
    moments = {kind: at for _, kind, at in due_rows(table)}
    assert moments["deadline"] == until
    assert abs(until - moments["reminder"] - span / 2) < timedelta(minutes=1)
    assert {decision for decision, _, _ in due_rows(table)} == {3}


def test_but_it_waits_for_an_hour_at_least() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    clock.shift(timedelta(seconds=seated.PACE - 60))
    table.answer(seat, A4)
    clock.shift(timedelta(hours=2))
    now = clock.now()

    take_back(table, seat, 1)

    assert (
        timedelta(0)
        <= deadline(table) - now - timedelta(hours=1)
        < timedelta(minutes=1)
    )


def test_it_keeps_the_time_that_spare_time_has_added() -> None:
    table = seated.started(3, spare=2)
    seat = int(table.game.asked()[0])
    clock.shift(timedelta(seconds=seated.PACE + 1))
    time_up.run_out(table.id, 1)
    until = deadline(table)
    table.answer(seat, A4)

    take_back(table, seat, 1)

    assert deadline(table) == until


def test_it_keeps_the_day_that_the_table_has_added() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    table_acts.extend(table.id, table.holder(2), 1)
    until = deadline(table)
    table.answer(seat, A4)

    take_back(table, seat, 1)

    assert until - clock.now() > timedelta(seconds=seated.PACE)
    assert deadline(table) == until


def test_a_pause_in_between_takes_none_of_its_time() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    until = deadline(table)
    table.answer(seat, A4)
    table_acts.pause(table.id, table.holder(seat), 1)
    clock.shift(timedelta(hours=10))
    table_acts.resume(table.id, table.holder(seat))

    take_back(table, seat, 1)

    assert abs(deadline(table) - until - timedelta(hours=10)) < timedelta(minutes=1)


def test_while_the_game_is_paused_it_may_be_taken_back_and_no_clock_runs() -> None:
    table, seat = first_act()
    table_acts.pause(table.id, table.holder(seat), 1)

    take_back(table, seat, 1)
    held = run("SELECT claim_at = 'infinity' FROM due WHERE decision = 3")
    stopped = not has_deadline(table)
    table_acts.resume(table.id, table.holder(seat))

    assert set(held) == {(True,)}
    assert stopped
    assert deadline(table) - clock.now() > timedelta(hours=20)


@pytest.mark.parametrize("answered_in_it", [False, True])
@pytest.mark.parametrize("hours_left", [1, 10, 23])
def test_in_a_pause_it_keeps_the_time_it_had_whenever_it_was_answered(
    hours_left: int, *, answered_in_it: bool
) -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    clock.shift(timedelta(seconds=seated.PACE) - timedelta(hours=hours_left))
    left = deadline(table) - clock.now()

    if answered_in_it:
        table_acts.pause(table.id, table.holder(2), 3)
        clock.shift(timedelta(hours=5))
    table.answer(seat, A4)
    if not answered_in_it:
        table_acts.pause(table.id, table.holder(2), 3)
    clock.shift(timedelta(hours=30))
    take_back(table, seat, 1)
    clock.shift(timedelta(hours=7))
    table_acts.resume(table.id, table.holder(2))

    wanted = max(left, timedelta(hours=1))
    assert abs(deadline(table) - clock.now() - wanted) < timedelta(minutes=1)


def test_a_pause_in_which_it_was_answered_takes_none_of_its_time_afterwards() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    clock.shift(timedelta(hours=4))
    left = deadline(table) - clock.now()
    table_acts.pause(table.id, table.holder(2), 3)
    clock.shift(timedelta(hours=20))
    table.answer(seat, A4)
    clock.shift(timedelta(hours=20))
    table_acts.resume(table.id, table.holder(2))

    take_back(table, seat, 1)

    assert abs(deadline(table) - clock.now() - left) < timedelta(minutes=1)


def test_an_answer_with_which_a_pause_ends_is_taken_back_with_the_time_it_had() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    clock.shift(timedelta(hours=4))
    left = deadline(table) - clock.now()
    table_acts.pause(table.id, table.holder(2), 1)
    clock.shift(timedelta(days=1, hours=2))
    table.answer(seat, A4)
    sweep_after(timedelta())

    take_back(table, seat, 1)

    assert abs(deadline(table) - clock.now() - left) < timedelta(minutes=6)


def test_a_question_that_waits_for_ever_does_so_again() -> None:
    table, seat = first_act(decision_time=None)

    take_back(table, seat, 1)

    kinds = {kind for _, kind, _ in due_rows(table)}
    assert kinds.isdisjoint(("deadline", "reminder", "last_reminder"))


def test_where_no_deadline_is_known_it_has_a_new_one() -> None:
    table, seat = first_act()
    run("UPDATE game SET answered_deadline = NULL WHERE id = :g", {"g": table.id})
    now = clock.now()

    take_back(table, seat, 1)

    wanted = now + timedelta(seconds=seated.PACE)
    assert abs(deadline(table) - wanted) < timedelta(minutes=1)


def test_where_decisions_end_at_an_hour_taking_back_gains_no_day() -> None:
    daily = msgspec.structs.replace(options(), daily_at="20:00", zone="UTC")
    now = datetime.fromisoformat("2026-11-01T19:59:00+00:00")
    fresh = pace.at_opening(daily, Kind.MOVE, now, ())
    assert fresh is not None

    for kept, minutes in ((1, 60), (60, 60), (61, 61)):
        again = pace.at_reopening(fresh, now + timedelta(minutes=kept), now)
        assert again.deadline == now + timedelta(minutes=minutes)


def test_what_ends_off_the_hour_gains_no_day_by_a_pause() -> None:
    daily = msgspec.structs.replace(options(), daily_at="20:00", zone="UTC")
    now = datetime.fromisoformat("2026-11-01T20:10:00+00:00")
    off, on = now + timedelta(minutes=49), now + timedelta(hours=23, minutes=50)

    for until, later in ((off, off + timedelta(minutes=30)), (on, on)):
        waiting = {DueKind.DEADLINE: until}
        moved = pace.gone_on(daily, waiting, now, now + timedelta(minutes=30))
        assert moved == {DueKind.DEADLINE: later}


def test_the_hour_that_it_waits_at_least_is_no_longer_than_a_new_question() -> None:
    now = datetime.fromisoformat("2026-11-01T12:00:00+00:00")
    fresh = pace.Pace(now + timedelta(minutes=30), now, None)

    for kept, minutes in ((1, 30), (45, 45)):
        again = pace.at_reopening(fresh, now + timedelta(minutes=kept), now)
        assert again.deadline == now + timedelta(minutes=minutes)
