"""Time zones as a list offers them: those that most people look for come first."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

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
