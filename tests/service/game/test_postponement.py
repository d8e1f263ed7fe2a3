"""Nothing ends in somebody's quiet hours, on their weekends, or while they are away."""

from datetime import date, datetime, timedelta

import msgspec
import pytest

from engine.commands import Options
from engine.state import Kind
from engine.verify.table import PACES
from service.game import pace
from service.game.postponement import MOST_DAYS
from service.store.availability import Availability
from service.values.enums import DueKind
from service.values.free_time import FreeTime, QuietHours
from tests.rig.engine.tables import options

ZURICH = "Europe/Zurich"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def quiet(begin: str, end: str, zone: str = ZURICH, seat: int = 0) -> Availability:
    return Availability(seat, zone, FreeTime(QuietHours(begin, end)))


def off(zone: str = ZURICH, hours: QuietHours | None = None) -> Availability:
    """Somebody who keeps weekends free."""
    return Availability(0, zone, FreeTime(hours, weekends=True))


def away(
    first: str, last: str, *, days: int = 0, until: str | None = None, zone: str = "UTC"
) -> Availability:
    lies = (date.fromisoformat(first), date.fromisoformat(last))
    counted = None if until is None else date.fromisoformat(until)
    return Availability(0, zone, absences=(lies,), days=days, until=counted)


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
    zurich, york = quiet("22:00", "08:00"), quiet("22:00", "06:00", "America/New_York")

    # 23:00 in Zurich: after 09:00 there it is 03:00 in New York.
    put = found("2026-05-12T20:00Z", zurich, york, kind=Kind.ELECTION)

    assert put.deadline == at("2026-05-13T07:00-04:00")


def test_quiet_hours_that_leave_no_hour_together_count_for_nobody() -> None:
    never = quiet("00:00", "12:00", "UTC"), quiet("12:00", "23:30", "UTC", 1)

    put = found("2026-05-12T12:00Z", *never, kind=Kind.ELECTION)

    assert put.deadline == at("2026-05-12T13:00Z")


def test_weekends_count_even_where_quiet_hours_leave_none() -> None:
    never = quiet("00:00", "12:00", "UTC"), quiet("12:00", "23:30", "UTC", 1)

    put = found("2026-05-16T12:00Z", *never, off("UTC"), kind=Kind.ELECTION)

    assert put.deadline == at("2026-05-18T09:00Z")


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


PROLONGED = [
    # It would end at 23:00 in Zurich, on a Saturday, and while they are away.
    (quiet("22:00", "08:00"), "2026-05-12T20:00Z", "2026-05-13T09:00+02:00"),
    (off("UTC"), "2026-05-15T23:30Z", "2026-05-18T09:00Z"),
    (away("2026-05-12", "2026-05-19"), "2026-05-12T11:00Z", "2026-05-20T09:00Z"),
    (quiet("22:00", "08:00"), "2026-05-12T12:00Z", "2026-05-12T13:00Z"),
]


@pytest.mark.parametrize(("person", "now", "end"), PROLONGED)
def test_spare_time_ends_as_suits_everybody(
    person: Availability, now: str, end: str
) -> None:
    hourly = msgspec.structs.replace(options(), decision_time=3600)
    others = Availability(1, "UTC")

    later = pace.prolonged(hourly, at(now), at(now), (others, person))

    assert later.moment == at(end)
    assert [each.days for each in later.waited] == [8] * bool(person.absences)


@pytest.mark.parametrize(("person", "now", "end"), PROLONGED)
def test_a_day_more_ends_as_suits_everybody(
    person: Availability, now: str, end: str
) -> None:
    before, last = at(now) + HOUR - DAY, at(now) - 4 * HOUR - DAY
    waiting = {DueKind.DEADLINE: before, DueKind.LAST_REMINDER: last}

    longer = pace.extended(options(), waiting, (person,))

    assert longer.moments[DueKind.DEADLINE] == at(end)
    assert longer.moments[DueKind.LAST_REMINDER] == last + (at(end) - before)
    assert longer.added == DAY
    assert [each.days for each in longer.waited] == [8] * bool(person.absences)


def test_where_decisions_end_at_an_hour_what_is_prolonged_keeps_it() -> None:
    daily = msgspec.structs.replace(options(), daily_at="20:00", zone="UTC")
    friday = at("2026-05-15T20:00Z")

    later = pace.prolonged(daily, friday, friday, (off("UTC"),))
    longer = pace.extended(daily, {DueKind.DEADLINE: friday}, (off("UTC"),))

    assert later.moment == at("2026-05-18T20:00Z")
    assert longer.moments == {DueKind.DEADLINE: at("2026-05-18T20:00Z")}
    assert longer.added == DAY


def test_a_record_tells_of_a_day_more_what_its_verifier_believes() -> None:
    """However long it is waited for many who are away one after another."""
    end, people = at("2026-05-12T12:00Z"), []
    for seat in range(4):
        first = date(2026, 5, 13) + seat * timedelta(days=20)
        lies = (first, first + timedelta(days=19))
        people.append(Availability(seat, "UTC", absences=(lies,)))

    longer = pace.extended(options(), {DueKind.DEADLINE: end}, people)

    assert longer.moments[DueKind.DEADLINE] == at("2026-08-01T09:00Z")
    assert longer.added == DAY
    assert longer.added.total_seconds() in PACES


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
