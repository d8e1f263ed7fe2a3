"""Moments as people read them: one shape on pages and in mails."""

from datetime import date, datetime
from typing import Final

from babel.dates import format_datetime, format_interval, format_skeleton
from flask_babel import get_locale

from service.values import clocks

UTC: Final = clocks.UTC

_DAY: Final = "MMMd"
_TIME: Final = "HH:mm"
_MOMENT: Final = f"EEEE d MMMM, {_TIME} "


def in_zone(moment: datetime, zone_name: str) -> str:
    """A moment on a reader's clock, in their language, with the name of their time.

    The name tells summer from winter time, so that the hour which comes twice is clear.
    A zone that nobody knows counts as UTC.
    """
    zone = clocks.zone(zone_name)
    name = "z" if zone.key == UTC else "zzzz"
    return format_datetime(moment, _MOMENT + name, tzinfo=zone, locale=get_locale())


def of_day(moment: datetime, zone_name: str) -> str:
    """Hours and minutes of a moment on a reader's clock."""
    zone = clocks.zone(zone_name)
    return format_datetime(moment, _TIME, tzinfo=zone, locale=get_locale())


def days(first: date, last: date) -> str:
    """Days of the calendar, from the first to the last, in the reader's language."""
    locale = get_locale()
    if first == last:
        return format_skeleton(_DAY, first, locale=locale)
    return format_interval(first, last, _DAY, locale=locale)
