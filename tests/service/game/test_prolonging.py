"""Spare time, and a day more, end as suits whoever is asked."""

from datetime import date, timedelta

import msgspec
import pytest

from engine.verify.table import PACES
from service.game import pace
from service.store.availability import Availability
from service.values.enums import DueKind
from tests.rig.engine.tables import options
from tests.rig.service.free_times import at, away, off, quiet

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

PROLONGED = [
    # It would end at 23:00 in Zurich, on a Saturday, and while they are away.
    (quiet("22:00", "08:00"), "2026-05-12T20:00Z", "2026-05-13T09:00+02:00"),
    (off("UTC"), "2026-05-15T23:30Z", "2026-05-18T09:00Z"),
    (
        away("2026-05-12", "2026-05-19"),
        "2026-05-12T11:00Z",
        "2026-05-20T09:00Z",
    ),
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
