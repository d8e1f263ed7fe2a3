"""Each bot wins clearly more than its share against three of the weaker kind."""

import sys
from statistics import mean

import pytest

from engine.editions import EDITIONS
from tests.bench import arena

GAMES = 200
"""Half an interval of 95 % is 7 % of them: the bounds stand some 14 % below."""

LEAST = {("steady", "random"): 0.40, ("shrewd", "steady"): 0.45}
"""The share of wins at a table of four, where 25 % is even."""


@pytest.mark.proof
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("bot", "against"), list(LEAST))
def test_a_bot_wins_more_than_its_share(edition: str, bot: str, against: str) -> None:
    row = arena.Row(edition, bot, against, GAMES)

    outcomes = [arena.play(row, number) for number in range(GAMES)]

    sys.stdout.write(f"\n{arena.line(row, outcomes)}\n")
    assert mean(outcome.share for outcome in outcomes) > LEAST[bot, against]
