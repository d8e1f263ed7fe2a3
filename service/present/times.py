"""Moments as people read them: one shape on pages and in mails."""

from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_datetime, format_interval, format_skeleton
from flask_babel import get_locale

from service.present.languages import gettext as _
from service.values import clocks

UTC: Final = clocks.UTC

_DAY: Final = "MMMd"
_TIME: Final = "HH:mm"
_WEEKDAY: Final = "EEEE"
_MOMENT: Final = f"{_WEEKDAY} d MMMM, {_TIME}"


def in_zone(moment: datetime, zone_name: str) -> str:
    """A moment on a reader's clock, in their language, with the name of their time.

    The name tells summer from winter time, so that the hour which comes twice is clear.
    A zone that nobody knows counts as UTC.
    """
    zone = clocks.zone(zone_name)
    return _formatted(moment, f"{_MOMENT} {_name(zone)}", zone)


def spoken(moment: datetime, zone_name: str, now: datetime) -> str:
    """A moment as people say it on a day: today, tomorrow, or the day by its name.

    On the reader's own clock it goes without the name of that, but for the hour that
    comes twice. A zone that nobody knows counts as UTC, and is named: it is nobody's.
    """
    zone = clocks.zone(zone_name)
    named = zone.key == UTC or _comes_twice(moment.astimezone(zone))
    suffix = f" {_name(zone)}" if named else ""
    days = (moment.astimezone(zone).date() - now.astimezone(zone).date()).days
    if days not in (0, 1):
        return _formatted(moment, _MOMENT + suffix, zone)
    # Whoever reads it a day later is told by the day of the week.
    time = _formatted(moment, _TIME + suffix, zone)
    day = _formatted(moment, _WEEKDAY, zone)
    if days:
        return _("tomorrow, %(time)s (%(day)s)", time=time, day=day)
    return _("today, %(time)s (%(day)s)", time=time, day=day)


def _formatted(moment: datetime, pattern: str, zone: ZoneInfo) -> str:
    return format_datetime(moment, pattern, tzinfo=zone, locale=get_locale())


def _name(zone: ZoneInfo) -> str:
    """The pattern for the name of a zone's time."""
    return "z" if zone.key == UTC else "zzzz"


def _comes_twice(local: datetime) -> bool:
    return local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()


def of_day(moment: datetime, zone_name: str) -> str:
    """Hours and minutes of a moment on a reader's clock."""
    return _formatted(moment, _TIME, clocks.zone(zone_name))


def days(first: date, last: date) -> str:
    """Days of the calendar, from the first to the last, in the reader's language."""
    locale = get_locale()
    if first == last:
        return format_skeleton(_DAY, first, locale=locale)
    return format_interval(first, last, _DAY, locale=locale)
