"""A thousand twin games behind two web processes each: no byte differs."""

import sys
import time
from pathlib import Path

import pytest

from tests.rig import twin_service, twin_web

TWINS = 1000
MOST_TO_FIND = 100


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_no_answer_tells_two_worlds_apart(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    began = time.monotonic()
    with twin_service.pair(tmp_path, environ) as both:
        for number in range(TWINS):
            twin_service.play(number, both)
        tally = both.tally

    figures = ", ".join(f"{count} {name}" for name, count in sorted(tally.items()))
    sys.stdout.write(f"\n{figures}; 0 differences; {time.monotonic() - began:.0f} s\n")
    assert tally["twins"] == TWINS
    assert tally["requests"] > 50 * TWINS
    for kind in ("ballots", "hands", "other"):
        assert tally[f"positions of {kind}"] > TWINS / 10


@pytest.mark.proof
@pytest.mark.parametrize("leak", twin_web.LEAKS)
def test_a_planted_leak_is_found(
    leak: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    with twin_service.pair(tmp_path, environ, leak) as both:
        found = twin_service.found_at(both, MOST_TO_FIND)

    sys.stdout.write(f"\n{leak}: found in twin game {found}\n")
    assert found is not None
