"""Moments as people read them: one shape on pages and in mails."""

from datetime import datetime
from typing import Final

from babel.dates import format_datetime
from flask_babel import get_locale

from service.values import clocks

UTC: Final = clocks.UTC

_MOMENT: Final = "EEEE d MMMM, HH:mm "


def in_zone(moment: datetime, zone_name: str) -> str:
    """A moment on a reader's clock, in their language, with the name of their time.

    The name tells summer from winter time, so that the hour which comes twice is clear.
    A zone that nobody knows counts as UTC.
    """
    zone = clocks.zone(zone_name)
    name = "z" if zone.key == UTC else "zzzz"
    return format_datetime(moment, _MOMENT + name, tzinfo=zone, locale=get_locale())
