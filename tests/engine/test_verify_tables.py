"""Tables that nobody can have are found, and named for what is wrong with them."""

import pytest

from engine.commands import Chair
from engine.verify import verify
from tests.rig.engine.changes import edited
from tests.rig.engine.verified import CHAIRS, sample, wrong

BAD_CHAIRS = [
    (0, Chair("bot", "steady")),
    *((3, Chair("bot", name)) for name in (None, "", "Steady", "a b", "x" * 33)),
    *((3, Chair("bot", name)) for name in ("\x1b[2J", "a\0", "b\n", "x" * 100_000)),
    (3, Chair("person", "steady")),
    (3, Chair("person", "")),
]
"""Seats that no table has."""


def test_settings_changed_after_the_start_are_not_what_the_key_came_from() -> None:
    late = edited(sample(), 2, lambda e: e["options"].update(decision_time=None))

    assert wrong(late) == ("wrong-key", 3, None, None)


@pytest.mark.parametrize("pace", [-5, 0, 59, 60 * 86400 + 1, 2**63 - 1, 10**18])
def test_a_pace_that_no_service_gives_is_named(pace: int) -> None:
    report = verify(sample(pace=pace))

    assert report.wrong is not None
    assert (report.wrong.code, report.wrong.event) == ("bad-table", 2)
    assert report.wrong.found == f"decision_time {pace}"


@pytest.mark.parametrize(
    ("wrong_options", "found"),
    [
        ({"spare": -1}, "spare -1"),
        ({"spare": 100}, "spare 100"),
        ({"misses": 0}, "misses 0"),
        ({"misses": 6}, "misses 6"),
        ({"daily_at": "25:00", "zone": "UTC"}, "daily_at 25:00"),
        ({"daily_at": "20:00"}, "zone None"),
        ({"zone": "UTC"}, "zone UTC"),
    ],
)
def test_spare_time_and_ends_that_no_service_gives_are_named(
    wrong_options: dict[str, object], found: str
) -> None:
    report = verify(sample(**wrong_options))

    assert report.wrong is not None
    assert (report.wrong.code, report.wrong.found) == ("bad-table", found)


@pytest.mark.parametrize(("seat", "chair"), BAD_CHAIRS)
def test_a_seat_that_nobody_can_have_is_named_in_a_line(
    seat: int, chair: Chair
) -> None:
    chairs = (*CHAIRS[:seat], chair, *CHAIRS[seat + 1 :])

    report = verify(sample(chairs=chairs))

    assert report.wrong is not None
    assert (report.wrong.code, report.wrong.seat) == ("bad-table", seat)
    assert len(str(report.wrong)) < 400
