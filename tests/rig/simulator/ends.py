"""When questions were to end: at no time that whoever is asked keeps free."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from tests.rig.service.seated import run
from tests.rig.simulator.history import Asked, Course
from tests.rig.simulator.people import Person
from tests.rig.simulator.virtual_time import Span

_SATURDAY: Final = 5
_PUNCTUAL: Final = timedelta(minutes=1)
_OVER: Final = 8
"""At this hour days off are over, on the morning after the last."""

_REMINDED: Final = """SELECT decision, key FROM notice
    WHERE game_id = :g AND kind = 'reminder' AND key LIKE '%/spare-%'"""
_UNTIL: Final = re.compile("/spare-([^/]+)/")

Ends = Mapping[tuple[UUID, int], Sequence[Span]]
"""From when on which deadline of a question was seen, in order."""


def unsuitable(course: Course, ends: Ends, people: Sequence[Person]) -> Iterator[str]:
    """What was to end when the one person it was put to keeps free.

    As it is put, that is, by each piece of spare time, and by an extension: what only
    keeps the time that was left may end at any hour, and so may what waits for whoever
    comes back to their seat meanwhile.
    """
    daily = course.game.table.daily_at is not None
    alone = Counter(each.decision for each in course.asked)
    pieces = _pieces(UUID(course.game.id))
    for asked in course.asked:
        person = people[asked.seat] if asked.seat < len(people) else None
        since = None if person is None else person.met_at
        if person is None or since is None or asked.at < since:
            continue
        if alone[asked.decision] > 1:
            continue
        seen = ends.get((person.game_id, asked.decision), ())
        found = {
            "as it was put": _first(course, asked, seen),
            "by spare time": pieces.get(asked.decision, []),
            "a day later": _extended(course, asked, seen),
        }
        for how, moments in found.items():
            for end in moments:
                if not suits(person, end, daily=daily):
                    free = f"{person.free}, {person.waits}"
                    yield f"{asked.decision} was to end {how} at {end}, in {free}"


def _first(course: Course, asked: Asked, seen: Sequence[Span]) -> list[datetime]:
    again = asked.decision in course.reopened
    if again or course.opened[asked.decision] < asked.at:
        return []
    # What was only seen later may have been moved meanwhile.
    return [each.end for each in seen[:1] if each.begin <= asked.at + _PUNCTUAL]


def _extended(course: Course, asked: Asked, seen: Sequence[Span]) -> list[datetime]:
    at = course.extended.get(asked.decision)
    if at is None:
        return []
    later = [each for each in seen if at <= each.begin <= at + _PUNCTUAL]
    return [each.end for each in later[:1]]


def _pieces(game_id: UUID) -> dict[int, list[datetime]]:
    """By question, until when its pieces of spare time were to last."""
    found: dict[int, list[datetime]] = {}
    for number, key in run(_REMINDED, {"g": game_id}):
        until = _UNTIL.search(key)
        assert until is not None, key
        found.setdefault(number, []).append(datetime.fromisoformat(until[1]))
    return found


def suits(person: Person, moment: datetime, *, daily: bool) -> bool:
    """Whether a moment is in no quiet hours, nor on a day that is kept free.

    A `daily` pace has one hour, which may be a quiet one of somebody's every day.
    """
    wall = moment.astimezone(ZoneInfo(person.zone))
    if person.free.weekends and wall.weekday() >= _SATURDAY:
        return False
    if person.waits is not None:
        first, last = person.waits
        over = wall - timedelta(days=1) if wall.hour < _OVER else wall
        if first <= wall.date() and over.date() <= last:
            return False
    return daily or person.free.quiet_hours is None or _OVER <= wall.hour < 22
