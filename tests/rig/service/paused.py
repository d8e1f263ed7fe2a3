"""Pauses of a table's seats: begun, ended, and what is told of them."""

from datetime import datetime

from service.game import table_acts
from service.store import games
from service.values.principals import System
from tests.rig.service.seated import Seated, run


def pause(table: Seated, seat: int, days: int = 1) -> None:
    table_acts.pause(table.id, table.principals[seat], days)


def resume(table: Seated, seat: int) -> None:
    table_acts.resume(table.id, table.principals[seat])


def times(table: Seated) -> list[str]:
    """What was told of the clock, in order."""
    rows = run(
        "SELECT type FROM event WHERE game_id = :g AND type IN"
        " ('paused', 'resumed', 'extended') ORDER BY position",
        {"g": table.id},
    )
    return [str(kind) for (kind,) in rows]


def paused_until(table: Seated, seat: int) -> datetime | None:
    seen = games.read(table.id, System())
    assert seen is not None
    return seen.seats[seat].paused_until
