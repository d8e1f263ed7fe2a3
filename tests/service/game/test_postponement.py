"""Nothing ends in somebody's quiet hours, on their weekends, or while they are away."""

import random
from collections import Counter
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest

from engine.commands import Options
from engine.state import Kind
from service.game import pace
from service.game.postponement import MOST_DAYS
from service.store.availability import Availability
from service.values.free_time import FreeTime, QuietHours
from tests.rig.engine.tables import options
from tests.rig.service.free_times import ZURICH, at, away, off, quiet

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def found(
    now: str,
    *people: Availability,
    terms: Options | None = None,
    kind: Kind = Kind.MOVE,
) -> pace.Pace:
    """The pace of what waits for an hour, if nothing else is said."""
    hourly = msgspec.structs.replace(options(), decision_time=3600)
    put = pace.at_opening(terms or hourly, kind, at(now), people)
    assert put is not None
    return put


@pytest.mark.parametrize(
    ("now", "end"),
    [
        # 21:59, and it is still open.
        ("2026-05-12T18:59Z", "2026-05-12T21:59+02:00"),
        # From 22:00 on, and up to 08:00, it is an hour after 08:00.
        ("2026-05-12T19:00Z", "2026-05-13T09:00+02:00"),
        ("2026-05-13T04:59Z", "2026-05-13T09:00+02:00"),
        ("2026-05-13T05:00Z", "2026-05-13T08:00+02:00"),
        # The night in which clocks go forward, and the one in which they go back.
        ("2027-03-27T23:30Z", "2027-03-28T09:00+02:00"),
        ("2026-10-24T23:30Z", "2026-10-25T09:00+01:00"),
    ],
)
def test_what_would_end_in_quiet_hours_ends_an_hour_after_them(
    now: str, end: str
) -> None:
    assert found(now, quiet("22:00", "08:00")).deadline == at(end)


def test_quiet_hours_need_not_go_over_midnight() -> None:
    noon = quiet("09:00", "17:00", "UTC")

    assert found("2026-05-12T08:30Z", noon).deadline == at("2026-05-12T18:00Z")
    assert found("2026-05-12T16:30Z", noon).deadline == at("2026-05-12T17:30Z")
    assert found("2026-05-12T06:30Z", noon).deadline == at("2026-05-12T07:30Z")


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-05-15T20:30Z", "2026-05-15T23:30+02:00"),
        # From Saturday's midnight to Monday's morning.
        ("2026-05-15T21:00Z", "2026-05-18T09:00+02:00"),
        ("2026-05-17T12:00Z", "2026-05-18T09:00+02:00"),
        ("2026-05-18T04:59Z", "2026-05-18T09:00+02:00"),
        ("2026-05-18T05:00Z", "2026-05-18T08:00+02:00"),
    ],
)
def test_what_would_end_on_a_weekend_ends_on_monday_morning(now: str, end: str) -> None:
    assert found(now, off()).deadline == at(end)


def test_a_weekend_goes_over_into_quiet_hours() -> None:
    late = off(hours=QuietHours("22:00", "10:00"))

    assert found("2026-05-16T12:00Z", late).deadline == at("2026-05-18T11:00+02:00")


def test_everybody_who_is_asked_counts_alike() -> None:
    zurich, york = (
        quiet("22:00", "08:00"),
        quiet("22:00", "06:00", "America/New_York"),
    )

    # 23:00 in Zurich: after 09:00 there it is 03:00 in New York.
    put = found("2026-05-12T20:00Z", zurich, york, kind=Kind.ELECTION)

    assert put.deadline == at("2026-05-13T07:00-04:00")


def test_quiet_hours_that_leave_less_than_an_hour_hold_without_it() -> None:
    """Of two alike opponents neither takes anything from the other's night."""
    night, day = (
        quiet("22:00", "08:00", "UTC"),
        quiet("09:00", "21:00", "UTC", 1),
    )
    late = (
        quiet("00:00", "12:00", "UTC"),
        quiet("12:00", "23:30", "UTC", 1),
    )

    put = found("2026-05-12T02:00Z", night, day, kind=Kind.ELECTION)
    narrow = found("2026-05-12T12:00Z", *late, kind=Kind.ELECTION)

    assert put.deadline == at("2026-05-12T08:00Z")
    assert narrow.deadline == at("2026-05-12T23:30Z")


def test_only_those_lose_their_quiet_hours_who_leave_no_moment_together() -> None:
    night = quiet("22:00", "08:00", "UTC")
    whole_day = (
        quiet("08:00", "20:00", "UTC", 1),
        quiet("20:00", "08:00", "UTC", 2),
    )

    put = found("2026-05-12T02:00Z", night, *whole_day, kind=Kind.ELECTION)

    assert put.deadline == at("2026-05-12T09:00Z")


def test_quiet_hours_each_of_which_is_needed_to_leave_none_count_for_nobody() -> None:
    three = (
        quiet("22:00", "08:00", "UTC"),
        quiet("08:00", "16:00", "UTC", 1),
        quiet("15:00", "23:00", "UTC", 2),
    )
    another = quiet("01:00", "05:00", "UTC", 3)
    # With either of the first two the third leaves none: no seat comes before another.
    alike = (
        quiet("20:00", "08:00", "UTC"),
        quiet("20:00", "08:00", "UTC", 1),
        quiet("08:00", "20:00", "UTC", 2),
    )

    put = found("2026-05-12T02:00Z", *three, kind=Kind.ELECTION)
    kept = found("2026-05-12T02:00Z", *three, another, kind=Kind.ELECTION)

    assert put.deadline == at("2026-05-12T03:00Z")
    assert kept.deadline == at("2026-05-12T06:00Z")
    same = found("2026-05-12T02:00Z", *alike, kind=Kind.ELECTION)
    assert same.deadline == at("2026-05-12T03:00Z")


def test_days_off_count_even_where_quiet_hours_leave_none() -> None:
    never = (
        quiet("00:00", "12:00", "UTC"),
        quiet("12:00", "00:00", "UTC", 1),
    )
    weekends = msgspec.structs.replace(off("UTC"), seat=2)
    absent = msgspec.structs.replace(away("2026-05-16", "2026-05-20"), seat=3)

    for more, end in ((), "2026-05-18T09:00Z"), ((absent,), "2026-05-21T09:00Z"):
        people = (*never, weekends, *more)
        put = found("2026-05-16T12:00Z", *people, kind=Kind.ELECTION)
        assert put.deadline == at(end)
        assert [each.days for each in put.waited] == [5] * len(more)


def test_no_days_off_of_others_annul_somebodys() -> None:
    """Two keep weekends, and are away on all other days behind a third's, in turns."""
    first = date(2026, 5, 11)
    days = [first + timedelta(weeks=2 + n // 5, days=n % 5) for n in range(20)]
    others = [
        Availability(
            1 + each,
            "UTC",
            FreeTime(None, weekends=True),
            tuple((day, day) for day in days[each::2]),
        )
        for each in range(2)
    ]

    put = found(
        "2026-05-11T10:00Z",
        away("2026-05-11", "2026-05-24"),
        *others,
        kind=Kind.ELECTION,
    )

    assert put.deadline == at("2026-06-22T09:00Z")
    assert [each.days for each in put.waited] == [14, 10, 10]


def somebody(chance: random.Random, seat: int, since: date) -> Availability:
    """A person of random habits, with as many absences as there may be."""
    begin, length = chance.randrange(96), chance.randrange(1, 49)
    hours = [f"{n // 4 % 24:02}:{n % 4 * 15:02}" for n in (begin, begin + length)]
    lies, day = [], since
    for _ in range(chance.choice((0, 0, 3, 10))):
        first = day + chance.choice((0, 0, 1, 2, 5)) * DAY
        day = first + chance.choice((1, 1, 2, 14)) * DAY
        lies.append((first, day - DAY))
    return Availability(
        seat=seat,
        zone=chance.choice((ZURICH, "UTC", "Pacific/Auckland", "Pacific/Honolulu")),
        free=FreeTime(
            QuietHours(*hours) if chance.random() < 0.7 else None,
            weekends=chance.random() < 0.5,
        ),
        absences=tuple(lies),
    )


def on_a_day_off(person: Availability, moment: datetime, days: int) -> bool:
    """Whether a moment is on a weekend of somebody's, or an absence waited for."""
    wall = moment.astimezone(ZoneInfo(person.zone))
    days_over = (wall - 8 * HOUR).date()
    weekend = person.free.weekends and {wall.weekday(), days_over.weekday()} & {5, 6}
    lies = any(
        first <= wall.date() and days_over <= last for first, last in person.absences
    )
    return bool(weekend) or (lies and days < MOST_DAYS)


def quietly(person: Availability, moment: datetime) -> bool:
    hours = person.free.quiet_hours
    if hours is None:
        return False
    now = f"{moment.astimezone(ZoneInfo(person.zone)):%H:%M}"
    inside = hours.begin <= now < hours.end
    return inside if hours.begin < hours.end else not hours.end <= now < hours.begin


@pytest.mark.parametrize("daily_at", [None, "06:00", "20:00"])
def test_days_off_always_hold_and_quiet_hours_that_leave_a_moment_do(
    daily_at: str | None,
) -> None:
    chance, together = random.Random(f"free {daily_at}"), Counter[bool]()
    terms = msgspec.structs.replace(
        options(),
        decision_time=86400 if daily_at else 3600,
        daily_at=daily_at,
        zone="UTC" if daily_at else None,
    )
    for _ in range(250):
        now = at("2026-05-12T00:00Z") + chance.randrange(365 * 96) * HOUR / 4
        people = [
            somebody(chance, seat, now.date()) for seat in range(chance.randrange(1, 9))
        ]
        put = pace.at_opening(terms, Kind.MOVE, now, people)
        assert put is not None
        days = {each.seat: each.days for each in put.waited}
        for each in people:
            assert not on_a_day_off(each, put.deadline, days.get(each.seat, 0))
        # With a moment in every hour of the day the end would be there, or later.
        quarters = [put.deadline + n * HOUR / 4 for n in range(-48, 48)]
        leaves = daily_at is None and any(
            not any(quietly(each, moment) for each in people) for moment in quarters
        )
        together[leaves] += 1
        if leaves:
            assert not any(quietly(each, put.deadline) for each in people)
    assert together[False]
    assert together[True] or daily_at


def test_a_daily_end_keeps_its_hour_and_takes_a_later_day() -> None:
    daily = msgspec.structs.replace(options(), daily_at="20:00", zone="UTC")
    people = (
        (off("UTC"), "2026-05-18T20:00Z"),
        (away("2026-05-16", "2026-05-19"), "2026-05-20T20:00Z"),
        # At that hour it is always quiet; whoever joined has agreed to it.
        (quiet("19:00", "07:00", "UTC"), "2026-05-16T20:00Z"),
    )

    for person, end in people:
        assert found("2026-05-16T07:00Z", person, terms=daily).deadline == at(end)


def test_who_wants_to_be_waited_for_is_until_the_morning_after_the_last_day() -> None:
    put = found("2026-05-12T12:00Z", away("2026-05-12", "2026-05-20"))

    assert put.deadline == at("2026-05-21T09:00Z")
    assert [(each.days, str(each.until)) for each in put.waited] == [(9, "2026-05-20")]


def test_reminders_go_by_the_whole_span() -> None:
    put = found("2026-05-12T09:00Z", away("2026-05-12", "2026-05-19"))

    assert put.deadline - at("2026-05-12T09:00Z") == timedelta(days=8)
    assert put.reminder == at("2026-05-16T09:00Z")
    assert put.last_reminder == at("2026-05-19T09:00Z")


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-05-11T22:30Z", "2026-05-11T23:30Z"),
        ("2026-05-11T23:00Z", "2026-05-15T09:00Z"),
        ("2026-05-15T06:59Z", "2026-05-15T09:00Z"),
        ("2026-05-15T07:00Z", "2026-05-15T08:00Z"),
    ],
)
def test_outside_of_an_absence_nothing_changes(now: str, end: str) -> None:
    assert found(now, away("2026-05-12", "2026-05-14")).deadline == at(end)


def test_a_day_that_was_waited_for_once_counts_once() -> None:
    again = away("2026-05-12", "2026-05-20", days=9, until="2026-05-20")

    put = found("2026-05-14T12:00Z", again)

    assert put.deadline == at("2026-05-21T09:00Z")
    assert put.waited == ()


def test_a_game_waits_as_far_as_somebodys_days_reach() -> None:
    used = away("2026-05-12", "2026-05-20", days=MOST_DAYS - 3)

    put = found("2026-05-12T12:00Z", used)

    assert put.deadline == at("2026-05-15T09:00Z")
    assert [(each.days, str(each.until)) for each in put.waited] == [(21, "2026-05-14")]


def test_nobody_is_waited_for_whose_days_are_used_up() -> None:
    used = away("2026-05-12", "2026-05-20", days=MOST_DAYS, until="2026-04-30")

    put = found("2026-05-12T12:00Z", used)

    assert put.deadline == at("2026-05-12T13:00Z")
    assert put.waited == ()


def test_one_absence_leads_into_the_weekend_behind_it() -> None:
    person = msgspec.structs.replace(
        away("2026-05-12", "2026-05-15"), free=FreeTime(None, weekends=True)
    )

    assert found("2026-05-12T12:00Z", person).deadline == at("2026-05-18T09:00Z")
