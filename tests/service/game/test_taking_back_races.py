"""An act taken back at the very moment of the next one, or of its deadline.

`make proof` has a hundred of each.
"""

from functools import partial

from service.game import acts_taken_back
from tests.rig.service import deadline_races
from tests.rig.service.races import Apps, together

ROUNDS = 15


def test_of_an_undo_and_the_next_seat_s_act_there_is_one_never_both(
    apps: Apps,
) -> None:
    ends = deadline_races.taking_back(apps, ROUNDS, deadline_races.next_seat)

    assert ends.total() == ROUNDS


def test_of_an_undo_and_the_next_deadline_there_is_one_never_both(
    apps: Apps,
) -> None:
    ends = deadline_races.taking_back(apps, ROUNDS)

    assert ends.total() == ROUNDS


def test_taking_back_twice_at_once_is_taking_back_once(apps: Apps) -> None:
    tables = zip(range(8), deadline_races.newly_placed(), strict=False)
    for _, (table, seat, number) in tables:
        back = partial(acts_taken_back.take_back, table.id, table.holder(seat), number)

        assert together(apps, [back] * 4) == [number + 2] * 4
        assert table.game.last_decision == number + 2
