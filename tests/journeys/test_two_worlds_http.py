"""No answer of the service tells two worlds apart.

One pair in each run; `make proof` plays a thousand of them, and sees that planted
leaks are found.
"""

from pathlib import Path

from tests.rig import twin_service

TWINS = 1


def test_no_answer_tells_two_worlds_apart(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    with twin_service.pair(tmp_path, environ) as both:
        for number in range(TWINS):
            twin_service.play(number * 13, both)

        assert both.tally["requests"] > 50 * TWINS
        assert both.tally["streams"] > 2 * TWINS
