"""Until when a table's question waits, as the database has it, and time that passes."""

from datetime import datetime, timedelta

from service.store import clock
from tests.rig.service.seated import Seated, run
from worker.clock import sweeper


def deadline(table: Seated) -> datetime:
    """Until when the open question waits; a clock has to run for it."""
    found = _deadline(table)
    assert found is not None
    return found


def has_deadline(table: Seated) -> bool:
    """Whether a clock runs for the open question."""
    return _deadline(table) is not None


def _deadline(table: Seated) -> datetime | None:
    found: datetime | None
    [(found,)] = run("SELECT deadline FROM game WHERE id = :g", {"g": table.id})
    return found


def close_to(one: datetime | None, other: datetime) -> bool:
    """Whether two moments are one, but for the time that a test takes."""
    return one is not None and abs(one - other) < timedelta(seconds=2)


def sweep_after(later: timedelta) -> None:
    """Some time passes, and what is due by then is done."""
    clock.shift(later)
    sweeper.sweep()
