"""Until when a decision waits: spans, times of the day and evenings, over switches."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from engine.commands import Options
from engine.errors import BadTable
from engine.state import Kind
from service.game import pace
from service.store.availability import Availability
from service.values import clocks
from tests.rig.engine.tables import options

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def chosen(**more: object) -> Options:
    return msgspec.structs.replace(options(), **more)


def daily(zone: str, at: str = "20:00") -> Options:
    return chosen(daily_at=at, zone=zone)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def living_in(*zones: str) -> list[Availability]:
    return [Availability(seat, zone) for seat, zone in enumerate(zones)]


def ends(
    terms: Options, now: str, *zones: str, kind: Kind = Kind.PLACEMENT
) -> datetime:
    found = pace.at_opening(terms, kind, at(now), living_in(*zones))
    assert found is not None
    return found.deadline


def test_without_a_time_nothing_ends() -> None:
    assert (
        pace.at_opening(
            chosen(decision_time=None), Kind.MOVE, at("2026-05-12T12:00Z"), ()
        )
        is None
    )


@pytest.mark.parametrize("seconds", [3600, 86400, 14 * 86400])
def test_a_span_is_elapsed_time_and_the_first_reminder_halves_it(seconds: int) -> None:
    now, span = at("2026-10-24T12:00Z"), timedelta(seconds=seconds)

    found = pace.at_opening(
        chosen(decision_time=seconds), Kind.MOVE, now, living_in("Europe/Zurich")
    )

    assert found is not None
    assert (found.deadline, found.reminder) == (now + span, now + span / 2)
    near = None if span < 6 * HOUR else now + span * 7 / 8
    assert found.last_reminder == near


@pytest.mark.parametrize(
    ("zone", "now", "end"),
    [
        # Both switches in Zurich: at 20:00 on the wall, whatever the offset.
        ("Europe/Zurich", "2026-10-24T10:00Z", "2026-10-25T20:00+01:00"),
        ("Europe/Zurich", "2026-10-25T02:00Z", "2026-10-25T20:00+01:00"),
        ("Europe/Zurich", "2027-03-27T20:00Z", "2027-03-28T20:00+02:00"),
        # And in New York.
        ("America/New_York", "2026-10-31T16:00Z", "2026-11-01T20:00-05:00"),
        ("America/New_York", "2027-03-13T20:00Z", "2027-03-14T20:00-04:00"),
        # Half a day is the least there is.
        ("UTC", "2026-05-12T08:00Z", "2026-05-12T20:00Z"),
        ("UTC", "2026-05-12T08:01Z", "2026-05-13T20:00Z"),
    ],
)
def test_daily_it_ends_at_that_time_on_the_wall(zone: str, now: str, end: str) -> None:
    assert ends(daily(zone), now) == at(end)


@pytest.mark.parametrize(
    ("now", "end"),
    [
        # The hour that is left out comes an hour later, of the one that comes twice
        # the first counts.
        ("2027-03-27T12:00Z", "2027-03-28T03:30+02:00"),
        ("2026-10-24T12:00Z", "2026-10-25T02:30+02:00"),
    ],
)
def test_the_two_odd_hours_are_as_documented(now: str, end: str) -> None:
    assert ends(daily("Europe/Zurich", "02:30"), now) == at(end)


@pytest.mark.parametrize(
    ("now", "zones", "end"),
    [
        # Opened before the evening: that one is whole.
        ("2026-05-12T15:00Z", ["UTC"], "2026-05-13T15:00Z"),
        # In the middle of one: the next has to be over.
        ("2026-05-12T19:00Z", ["UTC"], "2026-05-13T22:00Z"),
        ("2026-05-12T23:00Z", ["UTC"], "2026-05-13T23:00Z"),
        # Whoever lives elsewhere has evenings of their own.
        ("2026-05-12T17:00Z", ["UTC", "Europe/Zurich"], "2026-05-13T20:00Z"),
        ("2026-05-12T23:00Z", ["America/New_York", "UTC"], "2026-05-14T02:00Z"),
    ],
)
def test_an_election_of_a_day_holds_an_evening_of_everybody(
    now: str, zones: list[str], end: str
) -> None:
    assert ends(chosen(), now, *zones, kind=Kind.ELECTION) == at(end)
    assert ends(chosen(), now, *zones) == at(now) + DAY
    short = chosen(decision_time=8 * 3600)
    assert ends(short, now, *zones, kind=Kind.ELECTION) == at(now) + 8 * HOUR


def test_a_daily_election_ends_after_an_evening_at_its_time() -> None:
    found = ends(daily("UTC"), "2026-05-12T07:00Z", "UTC", kind=Kind.ELECTION)

    assert found == at("2026-05-13T20:00Z")


def test_in_every_hour_of_a_year_an_election_holds_a_whole_evening() -> None:
    zones = ["Europe/Zurich", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"]
    now = datetime(2026, 6, 1, tzinfo=UTC)
    # Four times each hour of the week, on either side of every change of the clocks.
    for hours in range(0, 365 * 24, 13):
        opened = now + hours * HOUR
        end = ends(chosen(), opened.isoformat(), *zones, kind=Kind.ELECTION)

        assert DAY <= end - opened <= 2 * DAY + 6 * HOUR
        for zone in zones:
            assert any(
                opened <= begin and last <= end
                for begin, last in evenings(opened, zone)
            )


def evenings(since: datetime, zone: str) -> list[tuple[datetime, datetime]]:
    """The next evenings somewhere, found hour by hour on the wall."""
    hours = [
        (moment, moment.astimezone(clocks.zone(zone)))
        for moment in (
            since.replace(minute=0) + half * HOUR / 2 for half in range(2 * 96)
        )
    ]
    begins = [real for real, wall in hours if (wall.hour, wall.minute) == (18, 0)]
    lasts = [real for real, wall in hours if (wall.hour, wall.minute) == (22, 0)]
    return [(b, next(x for x in lasts if x > b)) for b in begins if b < lasts[-1]]


@pytest.mark.parametrize("late", [timedelta(0), HOUR, 90 * DAY + HOUR])
def test_spare_time_is_as_much_again_and_never_in_the_past(late: timedelta) -> None:
    end = at("2026-10-24T18:00Z")

    for terms in (chosen(), chosen(decision_time=3600), daily("Europe/Zurich")):
        assert pace.prolonged(terms, end, end + late, ()).moment > end + late
    assert pace.prolonged(chosen(), end, end, ()).moment == end + DAY
    on_the_wall = pace.prolonged(daily("Europe/Zurich"), end, end, ()).moment
    assert on_the_wall == at("2026-10-25T20:00+01:00")


@pytest.mark.parametrize(
    ("terms", "option"),
    [
        (chosen(daily_at="20:00"), "zone"),
        (chosen(daily_at="20:00", zone="UTC", decision_time=3600), "decision_time"),
    ],
)
def test_a_daily_end_needs_a_zone_and_is_once_a_day(
    terms: Options, option: str
) -> None:
    with pytest.raises(BadTable) as refused:
        pace.settled(terms)

    assert refused.value.option == option
