"""Ten thousand twin games, every channel compared; every part runs alone."""

import sys
from collections import Counter

import pytest

from tests.rig.engine.twins import CASES, handles
from tests.rig.engine.twins_channels import ONE_IN
from tests.rig.engine.twins_play import play

PARTS = 10
TWINS = 1000
FIGURES = (
    "positions",
    "comparisons",
    "bytes",
    "elections",
    "positions of other ballots",
    "positions of other hands",
    "bots bytes",
)


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_channel_tells_two_worlds_apart(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    handles(monkeypatch)
    monkeypatch.setitem(ONE_IN, "shrewd", 40)
    tally = Counter[str]()
    first = len(CASES) + part * TWINS

    for number in range(first, first + TWINS):
        tally.update(play(number))

    assert tally["twins"] == TWINS
    for kind in ("favourites", "deck", "ballots"):
        assert tally[f"other {kind}"] > 0.95 * TWINS
    assert tally["other spent cards"] > 0.15 * TWINS
    assert tally["ended early"] < 0.05 * TWINS
    figures = ", ".join(f"{tally[name]} {name}" for name in FIGURES)
    sys.stdout.write(f"\npart {part}: {TWINS} twins, {figures}; 0 differences\n")
