"""An act taken back at the very moment of the next one, or of its deadline."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

from engine.errors import CannotTakeBack, DecisionClosed
from engine.state import Kind
from service.game import acts_taken_back, time_up
from service.store import clock, event_log
from tests.rig.service import seated
from tests.rig.service.races import Apps, together
from tests.rig.service.seated import Seated

ROUNDS = 100


def acts() -> Iterator[tuple[Seated, int, int]]:
    """Tables at which a seat has just placed, with its number and the decision's."""
    while True:
        table = seated.started(3, rounds=1, misses=5)
        while (asked := table.game.decision) and asked.kind is Kind.PLACEMENT:
            seat = int(table.game.asked()[0])
            table.answer(seat, seated.own(table.game, seat).legal[0].answer)
            if table.game.reopened != asked.number:
                yield table, seat, asked.number


def race(
    apps: Apps, against: Callable[[Seated, int], Callable[[], object]]
) -> tuple[int, int]:
    """How often an act was taken back, and how often the next one came first."""
    undone = acted = 0
    for _, (table, seat, number) in zip(range(ROUNDS), acts(), strict=False):
        before = len(event_log.record_after(table.id, 0, 1000))
        back = partial(acts_taken_back.take_back, table.id, table.holder(seat), number)

        taken, given = together(apps, [back, against(table, number + 1)])

        types = [e.type for e in event_log.record_after(table.id, before, 100)]
        assert table.game == event_log.replayed(table.id)
        if taken == number + 2:
            assert given is False or isinstance(given, DecisionClosed)
            assert types == ["taken_back"]
            assert table.game.asked() == (seat,)
            undone += 1
        else:
            assert isinstance(taken, CannotTakeBack)
            assert taken.reason == "acted-since"
            assert given is True or isinstance(given, bytes)
            assert types in (["placed"], ["moved"])
            acted += 1
    return undone, acted


def next_seat(table: Seated, decision: int) -> Callable[[], object]:
    seat = int(table.game.asked()[0])
    answer = seated.own(table.game, seat).legal[-1].answer
    return partial(table.answer, seat, answer, decision)


def deadline(table: Seated, decision: int) -> Callable[[], object]:
    clock.shift(timedelta(seconds=seated.PACE + 1))
    return partial(time_up.run_out, table.id, decision)


def test_of_an_undo_and_the_next_seat_s_act_there_is_one_never_both(
    apps: Apps,
) -> None:
    undone, acted = race(apps, next_seat)

    assert undone + acted == ROUNDS
    assert undone
    assert acted


def test_of_an_undo_and_the_next_deadline_there_is_one_never_both(
    apps: Apps,
) -> None:
    undone, acted = race(apps, deadline)

    assert undone + acted == ROUNDS
    assert undone
    assert acted


def test_taking_back_twice_at_once_is_taking_back_once(apps: Apps) -> None:
    for _, (table, seat, number) in zip(range(12), acts(), strict=False):
        back = partial(acts_taken_back.take_back, table.id, table.holder(seat), number)

        assert together(apps, [back] * 4) == [number + 2] * 4
        assert table.game.last_decision == number + 2
