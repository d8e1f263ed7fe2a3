"""Four hundred acts at the very moment of a deadline, or of the next seat's act."""

import sys
from collections import Counter
from collections.abc import Callable

import pytest

from tests.rig.service import deadline_races
from tests.rig.service.deadline_races import next_seat
from tests.rig.service.races import Apps

ROUNDS = 100


@pytest.mark.proof
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "race",
    [
        deadline_races.last_card,
        deadline_races.taking_back,
        deadline_races.leaving,
        deadline_races.returning,
    ],
)
def test_a_race_with_the_deadline_ends_one_way(
    apps: Apps, race: Callable[[Apps, int], Counter[str]]
) -> None:
    ends = race(apps, ROUNDS)

    sys.stdout.write(f"\n{race.__name__}: {dict(ends)}\n")
    assert ends.total() == ROUNDS
    assert all(ends[end] for end in ("by hand", "by clock"))


@pytest.mark.proof
def test_of_an_undo_and_the_next_seat_s_act_there_is_one(apps: Apps) -> None:
    ends = deadline_races.taking_back(apps, ROUNDS, next_seat)

    assert ends.total() == ROUNDS
    assert len(ends) > 1
