"""Thousands of whole games under the naive referee; every part runs alone."""

import sys
from collections import Counter

import pytest

from tests.engine.soak import check_proof, check_record, play

GAMES = 500
MOVES = {3: 54, 4: 54, 5: 58, 6: 54}


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_games_of_every_temper_keep_every_rule(seats: int, part: int) -> None:
    seen = Counter[str]()
    longest = 0
    for number in range(1000 + part * GAMES, 1000 + (part + 1) * GAMES):
        table = play(number, seats)
        check_record(table)
        check_proof(table)
        assert table.referee.longest <= MOVES[seats]
        longest = max(longest, table.referee.longest)
        seen.update(row.type for row in table.rows)

    assert seen["game_over"] == GAMES
    answers = seen["placed"] + seen["moved"] + seen["ballot_cast"]
    sys.stdout.write(
        f"\n{seats} seats: {GAMES} games, {answers} answers, "
        f"{seen['election_resolved']} elections, longest round {longest} moves\n"
    )
