"""No answer of the service tells two worlds apart, and a planted leak is found."""

from pathlib import Path

import pytest

from tests.rig import twin_service, twin_web

TWINS = 6
MOST_TO_FIND = 40


def test_no_answer_tells_two_worlds_apart(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    with twin_service.pair(tmp_path, environ) as both:
        for number in range(TWINS):
            twin_service.play(number * 13, both)

        assert both.tally["requests"] > 50 * TWINS
        assert both.tally["streams"] > 2 * TWINS


@pytest.mark.parametrize("leak", list(twin_web.LEAKS)[:1])
def test_a_planted_leak_is_found(
    leak: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    with twin_service.pair(tmp_path, environ, leak) as both:
        found = twin_service.found_at(both, MOST_TO_FIND)

    assert found is not None
