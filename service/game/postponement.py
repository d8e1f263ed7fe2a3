"""Moments that suit people: outside of quiet hours, weekends and absences.

Days off always hold. Quiet hours do as far as those of all together leave a moment.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import combinations
from typing import Final, TypeAlias

import msgspec

from service.store.availability import Availability
from service.values import clocks
from service.values.free_time import FreeHours, FreeTime

MOST_DAYS: Final = 21
"""For so many days of somebody's absences one game waits."""

_AFTERWARDS: Final = timedelta(hours=1)
"""So long after somebody's free time something of theirs may end."""

_AT_ONCE: Final = timedelta()

_MORNING: Final = time(8)
"""When a day off is over, on the morning after it: nobody is back at midnight."""

_DAY: Final = timedelta(days=1)
_SATURDAY: Final = 5
_ENOUGH: Final = 2 * _DAY
"""Hours of the day that leave no moment for so long leave none at all: in one of these
days no clock is changed."""

Rounding: TypeAlias = Callable[[datetime], datetime]
"""The first moment from another one on at which something may end."""

_People: TypeAlias = tuple[Availability, ...]


class Suitable(msgspec.Struct, frozen=True):
    """A moment that suits people, and those whose absences it has waited for."""

    moment: datetime
    waited: tuple[Availability, ...]


class _Stuck(msgspec.Struct, frozen=True):
    """From when on quiet hours alone have put everything off."""

    since: datetime


def first_suitable(
    earliest: datetime, people: Sequence[Availability], rounding: Rounding
) -> Suitable:
    """The first moment from `earliest` on that suits everybody.

    It waits for absences as far as each one's days reach. Where quiet hours together
    leave none, it needn't be an hour behind them; and if that isn't enough, those don't
    count of which each is needed to leave none.
    """
    found = _search(earliest, tuple(people), rounding, _AFTERWARDS)
    if isinstance(found, _Stuck):
        found = _search(earliest, tuple(people), rounding, _AT_ONCE)
    if isinstance(found, Suitable):
        return found
    covering = _covering(found.since, people, rounding)
    fewer = [_without_quiet_hours(p) if p.seat in covering else p for p in people]
    return first_suitable(earliest, fewer, rounding)


def _search(
    earliest: datetime, people: _People, rounding: Rounding, afterwards: timedelta
) -> Suitable | _Stuck:
    """The first moment from `earliest` on that suits people, as far as there is one.

    It ends: absences do, and between two weekends of whoever lives where there is time
    `_ENOUGH`.
    """
    moment = since = earliest
    later = people
    while moment - since < _ENOUGH:
        off = [_behind_days_off(each, moment) for each in later]
        later = tuple(step.person for step in off)
        behind = max((step.moment for step in off), default=moment)
        if behind > moment:
            moment = since = rounding(behind)
            continue
        hours = (_behind_quiet_hours(each, moment, afterwards) for each in later)
        behind = max(hours, default=moment)
        if behind == moment:
            waited = (b for a, b in zip(people, later, strict=True) if a.days < b.days)
            return Suitable(moment, tuple(waited))
        moment = rounding(behind)
    return _Stuck(since)


def _covering(
    since: datetime, people: Sequence[Availability], rounding: Rounding
) -> frozenset[int]:
    """The seats whose quiet hours together leave no moment: of no fewer, if possible.

    Where several are as few, all of them.
    """
    hours = [
        msgspec.structs.replace(each, free=FreeTime(each.free.quiet_hours), absences=())
        for each in people
    ]
    for size in range(1, len(hours)):
        sets = (
            each
            for each in combinations(hours, size)
            if isinstance(_search(since, each, rounding, _AT_ONCE), _Stuck)
        )
        seats = frozenset(each.seat for few in sets for each in few)
        if seats:
            return seats
    return frozenset(each.seat for each in people)


def _without_quiet_hours(person: Availability) -> Availability:
    return msgspec.structs.replace(person, free=FreeTime(None, person.free.weekends))


class _Step(msgspec.Struct, frozen=True):
    """Until when one person puts a moment off, and what they have used by that."""

    moment: datetime
    person: Availability


def _behind_days_off(person: Availability, moment: datetime) -> _Step:
    """The moment itself where it is on no day off, or one behind that."""
    away = _behind_absence(person, moment)
    if away is not None:
        return away
    wall = moment.astimezone(clocks.zone(person.zone))
    today = wall.date()
    monday = today + _DAY * (-today.weekday() % 7)
    if person.free.weekends and (
        today.weekday() >= _SATURDAY or (today == monday and wall.time() < _MORNING)
    ):
        return _Step(_on_the_wall(person, monday, _MORNING) + _AFTERWARDS, person)
    return _Step(moment, person)


def _behind_quiet_hours(
    person: Availability, moment: datetime, afterwards: timedelta
) -> datetime:
    """The moment itself where it is in no quiet hours, or one behind them."""
    end = FreeHours(person.free, person.zone).quiet_until(moment)
    return moment if end is None else max(moment, end + afterwards)


def _behind_absence(person: Availability, moment: datetime) -> _Step | None:
    """A moment behind the absence that one lies in, as far as the days reach."""
    wall = moment.astimezone(clocks.zone(person.zone))
    today = wall.date()
    # Until the morning after it the last day isn't over.
    evening = today - _DAY if wall.time() < _MORNING else today
    inside = (last for first, last in person.absences if first <= today)
    last = next((last for last in inside if evening <= last), None)
    if last is None:
        return None
    # A day that was waited for once is free, however many questions wait in it.
    known = person.until
    since = today if known is None else max(today, known + _DAY)
    reached = min(last, since + _DAY * (MOST_DAYS - person.days - 1))
    if reached < evening:
        return None
    used = max(0, (reached - since).days + 1)
    later = msgspec.structs.replace(
        person, days=person.days + used, until=reached if used else known
    )
    return _Step(_on_the_wall(person, reached + _DAY, _MORNING) + _AFTERWARDS, later)


def _on_the_wall(person: Availability, day: date, hour: time) -> datetime:
    """A moment of somebody's wall clock, in UTC."""
    return datetime.combine(day, hour, clocks.zone(person.zone)).astimezone(UTC)
