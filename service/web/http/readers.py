"""Readers: their language, their clock, and what a browser lets us guess of them."""

from datetime import datetime
from typing import Final
from uuid import UUID
from zoneinfo import available_timezones

from flask import g, request

from service.present import languages, times
from service.store import people

_AREAS: Final = (
    "Africa/",
    "America/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
)

ZONES: Final = (
    times.UTC,
    *sorted(zone for zone in available_timezones() if zone.startswith(_AREAS)),
)
"""The time zones somebody may choose, the default first."""


def address(person_id: UUID) -> None:
    """Speak to this person for the rest of the request: their language, their clock."""
    person = people.by_id(person_id)
    if person is not None:
        g.language = person.profile.language
        g.zone = person.profile.zone


def guessed_language() -> str:
    """The language of ours that the browser likes best."""
    return languages.wanted(request, languages.LANGUAGES)


def known_zone(raw: str) -> str:
    """A zone of ours; whatever isn't one is the default."""
    return raw if raw in ZONES else ZONES[0]


def clock_time(moment: datetime | None) -> str | None:
    """A moment by the reader's clock, with the name of its zone."""
    if moment is None:
        return None
    return times.in_zone(moment, _zone())


def time_of_day(moment: datetime) -> str:
    """A moment of the next hours by the reader's clock, hours and minutes alone."""
    return times.of_day(moment, _zone())


def _zone() -> str:
    zone: str = g.get("zone", ZONES[0])
    return zone
