"""Absences: announced and called off by whoever will be away, for all their games."""

from datetime import date, datetime, time, timedelta
from typing import Final
from uuid import UUID

import msgspec

from service.people import accounts
from service.store import absences, clock, people
from service.store.absences import AbsenceDays, AnnouncedAbsence
from service.store.transactions import transaction
from service.values import clocks
from service.values.conflicts import AbsencesOverlap, TooManyAbsences
from service.values.enums import AbsenceChoice
from service.values.errors import Invalid, NotFound, Unauthorized

MOST_DAYS: Final = 14
"""The longest absence."""

_DAY: Final = timedelta(days=1)
_FARTHEST: Final = timedelta(days=3653)


class AbsenceWish(msgspec.Struct, frozen=True):
    """The first and the last day of an absence, and what becomes of one's seats."""

    first: date
    last: date
    choice: AbsenceChoice


def announce(person_id: UUID, wish: AbsenceWish) -> AnnouncedAbsence:
    """Keep that somebody will be away, on days of their own time zone.

    What is asked already ends when it would have. Raises Invalid for days that are
    past, too many or too far off, AbsencesOverlap, TooManyAbsences, or Unauthorized for
    somebody who was erased meanwhile.
    """
    with transaction():
        # Two at once would each find that they don't overlap.
        if not people.hold(person_id):
            raise Unauthorized(reason="bad-token")
        zone = accounts.known(person_id).profile.zone
        _check(wish, clock.now().astimezone(clocks.zone(zone)).date())
        ahead = absences.of_person(person_id)
        if any(wish.first <= a.last and a.first <= wish.last for a in ahead):
            raise AbsencesOverlap
        if len(ahead) >= absences.MOST_AHEAD:
            raise TooManyAbsences(most=absences.MOST_AHEAD)
        return absences.add(
            person_id,
            AbsenceDays(
                wish.first,
                wish.last,
                wish.choice,
                begins_at=_midnight(wish.first, zone),
                ends_at=_midnight(wish.last + _DAY, zone),
            ),
        )


def call_off(person_id: UUID, absence_id: UUID) -> None:
    """Forget an absence, also one that has begun. Raises NotFound."""
    with transaction():
        if not absences.remove(person_id, absence_id):
            raise NotFound(what="absence")


def _check(wish: AbsenceWish, today: date) -> None:
    """Raise Invalid for days on which nobody can be away."""
    if wish.first < today:
        raise Invalid(["first"], reason="gone")
    if wish.first > today + _FARTHEST:
        raise Invalid(["first"], reason="too-far")
    if wish.last < wish.first:
        raise Invalid(["last"], reason="before-first")
    if (wish.last - wish.first).days >= MOST_DAYS:
        raise Invalid(["last"], reason="too-many-days", max=MOST_DAYS)


def _midnight(day: date, zone: str) -> datetime:
    return datetime.combine(day, time(), clocks.zone(zone))
