"""A hundred rewritten games are found, and no true one of a hundred is accused."""

import sys
from collections import Counter

import pytest

from tests.rig.engine.accusations import (
    check_forged,
    check_true,
    stopped_game,
    whole_game,
)
from tests.rig.engine.forgeries import End, Game


@pytest.mark.proof
@pytest.mark.timeout(1200)
def test_a_hundred_rewritten_games_are_found_by_receipts_and_by_a_head() -> None:
    found = Counter(check_forged(number) for number in range(100))

    counts = ", ".join(f"{name} {count}" for name, count in found.most_common())
    sys.stdout.write(f"\n100 rewritten games found; by receipts: {counts}\n")


@pytest.mark.proof
@pytest.mark.timeout(1200)
def test_a_hundred_true_games_with_all_receipts_are_not_accused() -> None:
    for number in range(60):
        check_true(Game(whole_game(number), None))
    for number in range(20):
        check_true(stopped_game(number, End.CANCELLED))
        check_true(stopped_game(number, End.RUNNING))

    sys.stdout.write("\n60 finished, 20 cancelled, 20 running games: none accused\n")
