"""Pauses that begin and end at the very moment of answers, deadlines and others."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial

import pytest

from service.game import table_acts, time_up
from service.store import clock
from tests.rig.service import seated
from tests.rig.service.paused import times
from tests.rig.service.races import Apps, together
from tests.rig.service.seated import Seated, run

ROUNDS = 4

pytestmark = pytest.mark.usefixtures("inside")


def stands_right(table: Seated) -> None:
    """State, row and due rows say the same of the clock."""
    ((paused, deadline),) = run(
        "SELECT paused_at IS NOT NULL, deadline IS NOT NULL FROM game WHERE id = :g",
        {"g": table.id},
    )
    held = run(
        "SELECT DISTINCT claim_at = 'infinity' FROM due WHERE game_id = :g"
        " AND kind IN ('deadline', 'reminder', 'last_reminder')",
        {"g": table.id},
    )
    assert paused is table.game.paused
    assert deadline is not paused
    assert held == [(paused,)]


def answering(table: Seated) -> Callable[[], object]:
    game, decision = table.game, table.decision
    (asked,) = game.asked()
    answer = seated.own(game, asked).legal[0].answer
    return partial(table.answer, asked, answer, decision)


def pausing(table: Seated, seat: int) -> Callable[[], object]:
    return partial(table_acts.pause, table.id, table.principals[seat], 1)


def resuming(table: Seated, seat: int) -> Callable[[], object]:
    return partial(table_acts.resume, table.id, table.principals[seat])


def test_who_pause_at_once_stop_the_clock_once(apps: Apps) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3)

        together(apps, [pausing(table, seat) for seat in range(3)])

        assert times(table) == ["paused"]
        stands_right(table)


def test_the_last_two_pauses_that_end_at_once_let_it_go_on_once(apps: Apps) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3)
        for seat in range(2):
            pausing(table, seat)()

        together(apps, [resuming(table, seat) for seat in range(2)])

        assert times(table) == ["paused", "resumed"]
        stands_right(table)


@pytest.mark.parametrize("before", [(), (1,)])
def test_an_answer_and_a_change_of_the_clock_both_count(
    apps: Apps, before: Sequence[int]
) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3)
        decision = table.decision
        for seat in before:
            pausing(table, seat)()
        change = resuming(table, 1) if before else pausing(table, 1)

        together(apps, [answering(table), change])

        assert table.decision == decision + 1
        assert times(table) == (["paused", "resumed"] if before else ["paused"])
        stands_right(table)


def test_a_pauses_end_and_an_answer_both_count(apps: Apps) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3)
        decision = table.decision
        pausing(table, 1)()
        clock.shift(timedelta(days=1))
        sweep = partial(table_acts.end_pauses, table.id)

        together(apps, [answering(table), sweep, sweep])

        assert table.decision == decision + 1
        assert times(table) == ["paused", "resumed"]
        stands_right(table)


def test_of_a_deadline_and_a_pause_whoever_has_the_lock_first_wins(apps: Apps) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3)
        decision = table.decision
        clock.shift(timedelta(seconds=seated.PACE))
        run_out = partial(time_up.run_out, table.id, decision)

        _, ran_out = together(apps, [pausing(table, 1), run_out])

        assert table.decision == decision + bool(ran_out)
        stands_right(table)


def test_who_ask_for_a_day_more_at_once_get_one(apps: Apps) -> None:
    table = seated.started(3)
    decision = table.decision
    acts = [
        partial(table_acts.extend, table.id, table.principals[seat], decision)
        for seat in range(3)
    ]

    together(apps, acts)

    assert times(table) == ["extended"]
    assert table.game.extended == (decision,)
