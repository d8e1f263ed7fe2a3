"""When people answer: between eight and ten in the evening, on clocks of their own."""

import math
import random
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

ZONES: Final = (
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Halifax",
    "Europe/London",
    "Europe/Paris",
)
"""From the first to the last there are nine hours."""

_MORNING: Final = time(8)
_EVENING: Final = time(22)
_WAKING_HOURS: Final = 14.0

# Of a day a person is awake for 14 hours, so whoever takes a day has let 14 waking
# hours go by: that is one in ten. Nights included the median is then three hours.
_MEDIAN_HOURS: Final = 1.8
_NINE_IN_TEN: Final = 1.2816
_SPREAD: Final = math.log(_WAKING_HOURS / _MEDIAN_HOURS) / _NINE_IN_TEN


def answered_at(asked_at: datetime, zone: str, chance: random.Random) -> datetime:
    """When somebody answers what they were asked at a moment: three hours later, say.

    That is the median; one in ten takes longer than a day.
    """
    hours = math.exp(chance.gauss(math.log(_MEDIAN_HOURS), _SPREAD))
    return awake_for(timedelta(hours=hours), asked_at, zone)


def awake_for(span: timedelta, since: datetime, zone: str) -> datetime:
    """The moment at which somebody has been awake for a while since another."""
    day = since.astimezone(ZoneInfo(zone)).date()
    while True:
        begin = max(since, _moment(day, _MORNING, zone))
        rest = _moment(day, _EVENING, zone) - begin
        if span <= rest:
            return begin + span
        span -= max(rest, timedelta(0))
        day += timedelta(days=1)


def _moment(day: date, hour: time, zone: str) -> datetime:
    return datetime.combine(day, hour, ZoneInfo(zone)).astimezone(UTC)
