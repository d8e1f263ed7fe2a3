"""Time zones as a list offers them, and the one that a browser lets us guess."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from babel.core import get_global
from flask import request
from markupsafe import Markup

from service.web.http import readers

COMMON: Final = (
    "UTC",
    "Europe/London",
    "Europe/Paris",
    "Europe/Berlin",
    "Europe/Zurich",
    "Europe/Rome",
    "Europe/Madrid",
    "Europe/Athens",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
)
"""One or two for each part of the world, from the middle of the map outwards."""

_SEASONS: Final = (datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 7, 1, tzinfo=UTC))
"""Clocks that agree at both moments are one clock to us."""


def guessed() -> str:
    """The clock of the country that the browser's languages name; else the default.

    A country with several clocks names none, nor does a language without a country.
    """
    for tag, quality in request.accept_languages:
        country = tag.rpartition("-")[2].upper() if "-" in tag else ""
        if quality > 0 and len(country) == len("CH"):
            return _clock_of(country)
    return readers.ZONES[0]


@lru_cache(maxsize=512)
def _clock_of(country: str) -> str:
    """The zone of a country by its code, a common one first; the default if unsure."""
    territories = get_global("zone_territories")
    zones = [zone for zone in readers.ZONES if territories.get(zone) == country]
    clocks = {
        tuple(moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in _SEASONS)
        for zone in zones
    }
    if len(clocks) != 1:
        return readers.ZONES[0]
    return min(zones, key=lambda zone: zone not in COMMON)


def options(chosen: str) -> tuple[Markup, Markup]:
    """The options of a list with one zone chosen: the common ones, the others."""
    # Four hundred lines are made once for each zone, not for each page.
    return _options(readers.known_zone(chosen))


@lru_cache(maxsize=64)
def _options(chosen: str) -> tuple[Markup, Markup]:
    others = (zone for zone in readers.ZONES if zone not in COMMON)
    return _joined(COMMON, chosen), _joined(others, chosen)


def _joined(zones: Iterable[str], chosen: str) -> Markup:
    line = Markup("<option{}>{}</option>")
    selected = Markup(" selected")
    return Markup().join(
        line.format(selected if zone == chosen else "", zone) for zone in zones
    )
