"""Tables that fill up, and when each is warned and then ended for want of people."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text

from service.models import db

IDLE_DAYS = 30
"""So long a table waits without anybody joining, and without any other change."""

WARNING_DAYS = 7
"""So long before its end the host is mailed."""

RESTART = f"""expiry_warned = false,
    expiry_at = kingup_now() + interval '{IDLE_DAYS - WARNING_DAYS} days'"""
"""The SQL that lets a game's row wait anew for the whole time."""

DUE = """SELECT id, expiry_at FROM game WHERE status = 'inviting'
        AND expiry_at <= kingup_now() AND (CAST(:id AS uuid) IS NULL
            OR (expiry_at, id) > (CAST(:at AS timestamptz), CAST(:id AS uuid)))
    ORDER BY expiry_at, id LIMIT :limit"""
"""The SQL that finds the tables whose next step is due."""

_DUE = text(DUE)
_STEP = text(
    """SELECT expiry_warned FROM game
    WHERE id = :game AND status = 'inviting' AND expiry_at <= kingup_now()"""
)
_WARN = text(
    f"""UPDATE game SET expiry_warned = true,
        expiry_at = kingup_now() + interval '{WARNING_DAYS} days' WHERE id = :game"""
)
_RESTART = text(f"UPDATE game SET {RESTART} WHERE id = :game")
_WARNED = text(
    "SELECT expiry_warned FROM game WHERE id = :game AND status = 'inviting'"
)


class Due(msgspec.Struct, frozen=True):
    """A table whose next step is due, since when."""

    id: UUID
    at: datetime


def due(after: Due | None, limit: int) -> tuple[Due, ...]:
    """At most `limit` tables whose next step is due, the longest overdue first."""
    values = {"id": after and after.id, "at": after and after.at, "limit": limit}
    return tuple(Due(*row) for row in db.session.execute(_DUE, values))


def step(game_id: UUID) -> bool | None:
    """Whether a table whose step is due was warned before; None if none is due.

    Inside the caller's transaction, which holds its row: whoever joins at the same time
    comes before, or too late.
    """
    found: bool | None = db.session.execute(
        _STEP, {"game": game_id}
    ).scalar_one_or_none()
    return found


def warn(game_id: UUID) -> None:
    """Keep that a table's host is warned, and leave them the days for an answer."""
    db.session.execute(_WARN, {"game": game_id})


def restart(game_id: UUID) -> None:
    """Let a table wait anew for the whole time."""
    db.session.execute(_RESTART, {"game": game_id})


def is_warned(game_id: UUID) -> bool:
    """Whether a table ends soon unless somebody joins, and its host was warned."""
    return bool(db.session.execute(_WARNED, {"game": game_id}).scalar_one_or_none())
