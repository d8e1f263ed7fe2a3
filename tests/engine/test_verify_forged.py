"""Rewritten games are found by what somebody kept, and true ones are never accused."""

import pytest

from tests.rig.engine.accusations import (
    check_forged,
    check_true,
    stopped_game,
    whole_game,
)
from tests.rig.engine.forgeries import End, Game


@pytest.mark.parametrize("number", range(12))
def test_a_rewritten_game_is_found_by_receipts_alone_and_by_a_head_alone(
    number: int,
) -> None:
    check_forged(number)


@pytest.mark.parametrize("number", range(6))
def test_no_true_game_is_accused_by_what_was_kept(number: int) -> None:
    check_true(Game(whole_game(number), None))
    check_true(stopped_game(number, End.CANCELLED))
    check_true(stopped_game(number, End.RUNNING))
