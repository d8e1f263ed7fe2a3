"""Free time: the hours of the day, and the weekends, in which somebody won't play."""

from datetime import UTC, datetime, time, timedelta
from typing import Final

import msgspec

from service.values import clocks

MOST_QUIET: Final = timedelta(hours=12)
"""The longest quiet hours of a day."""

MOST_CHANGES: Final = 3
"""How often somebody may change their free time in `CHANGE_DAYS`.

Hours that moved with each question would hold up a table without end.
"""

CHANGE_DAYS: Final = 7

_DAY: Final = timedelta(days=1)


class QuietHours(msgspec.Struct, frozen=True):
    """Hours of every day, as HH:MM by one's own clock; they may go over midnight."""

    begin: str
    end: str

    @property
    def times(self) -> tuple[time, time]:
        """When they begin, and when they end."""
        return time.fromisoformat(self.begin), time.fromisoformat(self.end)

    @property
    def length(self) -> timedelta:
        """How long they are, by the clock on the wall; a whole day is none."""
        begin, end = (
            timedelta(hours=each.hour, minutes=each.minute) for each in self.times
        )
        return (end - begin) % _DAY


class FreeTime(msgspec.Struct, frozen=True):
    """When nothing of somebody's shall end; nobody else is told."""

    quiet_hours: QuietHours | None = None
    weekends: bool = False


class FreeHours(msgspec.Struct, frozen=True):
    """When nothing of somebody's shall end, by the clock of a zone."""

    free: FreeTime
    zone: str

    def quiet_until(self, moment: datetime) -> datetime | None:
        """When the quiet hours end, in UTC, in which a moment is; None if in none."""
        if self.free.quiet_hours is None:
            return None
        begin, end = self.free.quiet_hours.times
        zone = clocks.zone(self.zone)
        wall = moment.astimezone(zone)
        now, over_midnight = wall.time(), end < begin
        if end <= now < begin if over_midnight else not begin <= now < end:
            return None
        day = wall.date() + _DAY if end <= now else wall.date()
        return datetime.combine(day, end, zone).astimezone(UTC)

    def takes_more_than(self, before: "FreeHours") -> bool:
        """Whether there is any free time in it that there wasn't before."""
        if self.free == FreeTime():
            return False
        quiet, known = self.free.quiet_hours, before.free.quiet_hours
        moved = self.zone != before.zone or quiet not in (None, known)
        return moved or self.free.weekends > before.free.weekends


def may_be_quiet(hours: QuietHours) -> bool:
    """Whether these are quiet hours at all, and no more than there may be."""
    return timedelta(0) < hours.length <= MOST_QUIET
