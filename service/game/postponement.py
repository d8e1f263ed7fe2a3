"""Moments that suit people: outside of quiet hours, weekends and absences."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, TypeAlias

import msgspec

from service.store.availability import Availability
from service.values import clocks
from service.values.free_time import FreeTime

MOST_DAYS: Final = 21
"""For so many days of somebody's absences one game waits."""

_AFTERWARDS: Final = timedelta(hours=1)
"""So long after somebody's free time something of theirs may end."""

_MORNING: Final = time(8)
"""When a day off is over, on the morning after it: nobody is back at midnight."""

_DAY: Final = timedelta(days=1)
_SATURDAY: Final = 5
_STEPS: Final = 24
"""So often a moment is put off: whatever suits all at all comes within fewer."""

Rounding: TypeAlias = Callable[[datetime], datetime]
"""The first moment from another one on at which something may end."""


class Suitable(msgspec.Struct, frozen=True):
    """A moment that suits people, and those whose absences it has waited for."""

    moment: datetime
    waited: tuple[Availability, ...]


def first_suitable(
    earliest: datetime, people: Sequence[Availability], rounding: Rounding
) -> Suitable:
    """The first moment from `earliest` on that suits everybody.

    It waits for absences as far as each one's days reach. Where the quiet hours of all
    together leave no hour of the day, none of them counts.
    """
    found = _search(earliest, people, rounding)
    if found is None:
        found = _search(earliest, _without_quiet_hours(people), rounding)
    return found or Suitable(earliest, ())


def _without_quiet_hours(people: Sequence[Availability]) -> tuple[Availability, ...]:
    return tuple(
        msgspec.structs.replace(each, free=FreeTime(None, each.free.weekends))
        for each in people
    )


def _search(
    earliest: datetime, people: Sequence[Availability], rounding: Rounding
) -> Suitable | None:
    """What `first_suitable` finds; None where it would go on and on."""
    moment, later = earliest, tuple(people)
    for _ in range(_STEPS):
        steps = [_put_off(each, moment) for each in later]
        later = tuple(step.person for step in steps)
        latest = max((step.moment for step in steps), default=moment)
        if latest <= moment:
            waited = (b for a, b in zip(people, later, strict=True) if a.days < b.days)
            return Suitable(moment, tuple(waited))
        moment = rounding(latest)
    return None


class _Step(msgspec.Struct, frozen=True):
    """Until when one person puts a moment off, and what they have used by that."""

    moment: datetime
    person: Availability


def _put_off(person: Availability, moment: datetime) -> _Step:
    """The moment itself where it suits somebody, or one behind their free time."""
    away = _behind_absence(person, moment)
    if away is not None:
        return away
    ends = [end for end in _ends(person, moment) if end > moment]
    return _Step(max(ends, default=moment), person)


def _ends(person: Availability, moment: datetime) -> Iterator[datetime]:
    """Moments behind the quiet hours and the weekend that a moment lies in."""
    wall = moment.astimezone(clocks.zone(person.zone))
    today, now = wall.date(), wall.time()
    if person.free.quiet_hours is not None:
        begin, end = person.free.quiet_hours.times
        over_midnight = end < begin
        if not end <= now < begin if over_midnight else begin <= now < end:
            yield _behind(person, today + _DAY if end <= now else today, end)
    monday = today + _DAY * (-today.weekday() % 7)
    if person.free.weekends and (
        today.weekday() >= _SATURDAY or (today == monday and now < _MORNING)
    ):
        yield _behind(person, monday, _MORNING)


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
    return _Step(_behind(person, reached + _DAY, _MORNING), later)


def _behind(person: Availability, day: date, over: time) -> datetime:
    """An hour after a moment on somebody's wall, in UTC."""
    wall = datetime.combine(day, over, clocks.zone(person.zone))
    return wall.astimezone(UTC) + _AFTERWARDS
