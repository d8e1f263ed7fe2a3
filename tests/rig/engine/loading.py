"""One stored event read alone; the service reads whole logs."""

from engine import events
from engine.events import LogEvent, Stored


def load(game: str, stored: Stored) -> LogEvent:
    """The event of a stored row. Raises what `events.read_rows` raises."""
    (event,) = events.read_rows(game, (stored,), events.WHOLE)
    return event
