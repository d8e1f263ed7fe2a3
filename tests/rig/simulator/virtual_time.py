"""The clock that a simulation sets forward, and what happens next on it."""

import heapq
import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from service.store import clock


class VirtualClock:
    """The database's clock, which only ever goes forward; known here as well."""

    def __init__(self) -> None:
        self._ahead = clock.now() - datetime.now(UTC)

    def now(self) -> datetime:
        """The time now, as whoever asks the database is told it."""
        return datetime.now(UTC) + self._ahead

    def advance_to(self, moment: datetime) -> None:
        """Set the clock forward; to a moment that has passed, it isn't set at all."""
        by = moment - self.now()
        if by > timedelta(0):
            clock.shift(by)
            self._ahead += by


class Span(NamedTuple):
    """A time between two moments."""

    begin: datetime
    end: datetime

    def within(self, other: "Span") -> timedelta:
        """How much of it lies in another."""
        shared = min(self.end, other.end) - max(self.begin, other.begin)
        return max(shared, timedelta(0))


class Agenda:
    """What happens when, the first first; at one moment in the order of writing."""

    def __init__(self) -> None:
        self._entries: list[tuple[datetime, int, Callable[[], None]]] = []
        self._numbers = itertools.count()

    def add(self, moment: datetime, act: Callable[[], None]) -> None:
        """Have something happen at a moment."""
        heapq.heappush(self._entries, (moment, next(self._numbers), act))

    def next(self) -> datetime | None:
        """When the next thing happens; None if nothing more does."""
        return self._entries[0][0] if self._entries else None

    def take(self) -> Callable[[], None]:
        """What happens next; it is struck out."""
        return heapq.heappop(self._entries)[2]
