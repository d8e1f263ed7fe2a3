"""A hundred thousand rounds of each edition under the naive referee; and whole games,
byte by byte. Every part runs alone.
"""

import sys

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.rig.engine.bounds import TABLES, Figures
from tests.rig.engine.side_by_side import SideBySide
from tests.rig.engine.soak import check_proof, check_record, play, play_fast

GAMES = 200
ROUNDS = {"classic": 5000, "jester": 4800}
PARTS = {"classic": 5, "jester": 3}
"""Times the numbers of players (4 and 7): 100,000 and 100,800 rounds."""

SHARES = [
    (edition, seats, part)
    for edition, seats in TABLES
    for part in range(PARTS[edition])
]


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("edition", "seats", "part"), SHARES)
def test_rounds_of_every_temper_stay_within_the_bounds(
    edition: str, seats: int, part: int
) -> None:
    figures = Figures(edition, seats)
    number = 1_000_000 * (part + 1)
    while figures.rounds < ROUNDS[edition]:
        figures.add(play_fast(number, seats, edition).referee)
        number += 1

    sys.stdout.write(f"\n{figures}\n")
    assert figures.points[33]
    assert (figures.turned[-27] if edition == "jester" else figures.zeros_made_33) > 0


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_games_of_every_temper_keep_every_rule(edition: str, seats: int) -> None:
    figures = Figures(edition, seats)
    for number in range(1000, 1000 + GAMES):
        table = play(number, seats, edition)
        check_record(table)
        check_proof(table)
        figures.add(table.referee)

    sys.stdout.write(f"\nbyte by byte: {figures}\n")
    assert figures.games == GAMES


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(4))
def test_the_engine_agrees_with_the_naive_referee_whatever_is_tried(part: int) -> None:
    run_state_machine_as_test(
        SideBySide,
        settings=settings(
            max_examples=1000,
            stateful_step_count=40,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    sys.stdout.write(f"\nside by side, part {part + 1}: 1,000 runs agree\n")
