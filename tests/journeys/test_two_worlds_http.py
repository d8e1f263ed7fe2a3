"""No answer of the service tells two worlds apart, and a planted leak is found."""

from pathlib import Path

import pytest

from tests.rig import twin_service, twin_web
from tests.rig.twin_service import Differs, Pair

TWINS = 20
MOST_TO_FIND = 40


def test_no_answer_tells_two_worlds_apart(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    with twin_service.pair(tmp_path, environ) as both:
        for number in range(TWINS):
            twin_service.play(number * 13, both)

        assert both.tally["requests"] > 50 * TWINS
        assert both.tally["streams"] > 2 * TWINS


@pytest.mark.parametrize("leak", twin_web.LEAKS)
def test_a_planted_leak_is_found(
    leak: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    with twin_service.pair(tmp_path, environ, leak) as both:
        found = found_at(both)

    assert found is not None


def found_at(both: Pair) -> int | None:
    """The number of the first twin game that shows a leak."""
    for number in range(MOST_TO_FIND):
        try:
            twin_service.play(number * 13, both)
        except Differs:
            return number
    return None
