"""Moments as people read them, on pages and in mails alike."""

from datetime import UTC, datetime

import pytest

from service.present import times

pytestmark = pytest.mark.usefixtures("inside")

TWICE = (
    datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
    datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
)


def test_a_moment_is_told_in_utc_by_its_short_name() -> None:
    moment = datetime(2026, 11, 28, 23, 11, tzinfo=UTC)

    assert times.in_zone(moment, "UTC") == "Saturday 28 November, 23:11 UTC"


def test_the_hour_that_comes_twice_is_clear() -> None:
    written = [times.in_zone(moment, "Europe/Zurich") for moment in TWICE]

    assert written == [
        "Sunday 25 October, 02:30 Central European Summer Time",
        "Sunday 25 October, 02:30 Central European Standard Time",
    ]


@pytest.mark.parametrize("zone", ["Moon/Sea", "", "../etc/passwd"])
def test_a_zone_nobody_knows_is_utc(zone: str) -> None:
    assert times.in_zone(TWICE[0], zone) == "Sunday 25 October, 00:30 UTC"
