"""Moments as people read them, on pages and in mails alike."""

from datetime import UTC, datetime, timedelta

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


NOW = datetime(2026, 11, 30, 20, 19, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours", "zone", "words"),
    [
        (1, "Europe/Zurich", "today, 22:19 (Monday)"),
        (2.7, "Europe/Zurich", "tomorrow, 00:01 (Tuesday)"),
        (24, "Europe/Zurich", "tomorrow, 21:19 (Tuesday)"),
        (48, "Europe/Zurich", "Wednesday 2 December, 21:19"),
        (-24, "Europe/Zurich", "Sunday 29 November, 21:19"),
        (2.7, "UTC", "today, 23:01 UTC (Monday)"),
        (24, "Moon/Sea", "tomorrow, 20:19 UTC (Tuesday)"),
        (24, "Asia/Tokyo", "tomorrow, 05:19 (Wednesday)"),
    ],
)
def test_a_deadline_is_said_as_people_do_without_the_name_of_their_own_time(
    hours: float, zone: str, words: str
) -> None:
    assert times.spoken(NOW + timedelta(hours=hours), zone, NOW) == words


def test_of_the_hour_that_comes_twice_it_is_said_which() -> None:
    before = TWICE[0] - timedelta(hours=3)

    assert [times.spoken(moment, "Europe/Zurich", before) for moment in TWICE] == [
        "tomorrow, 02:30 Central European Summer Time (Sunday)",
        "tomorrow, 02:30 Central European Standard Time (Sunday)",
    ]
