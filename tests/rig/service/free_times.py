"""People with quiet hours, weekends and days off, and moments to hold against these."""

from datetime import date, datetime

from service.store.availability import Availability
from service.values.free_time import FreeTime, QuietHours

ZURICH = "Europe/Zurich"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def quiet(begin: str, end: str, zone: str = ZURICH, seat: int = 0) -> Availability:
    return Availability(seat, zone, FreeTime(QuietHours(begin, end)))


def off(zone: str = ZURICH, hours: QuietHours | None = None) -> Availability:
    """Somebody who keeps weekends free."""
    return Availability(0, zone, FreeTime(hours, weekends=True))


def away(
    first: str, last: str, *, days: int = 0, until: str | None = None, zone: str = "UTC"
) -> Availability:
    lies = (date.fromisoformat(first), date.fromisoformat(last))
    counted = None if until is None else date.fromisoformat(until)
    return Availability(0, zone, absences=(lies,), days=days, until=counted)
