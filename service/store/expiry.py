"""Tables that fill up, and when each is warned and then ended for want of people."""

from datetime import datetime
from uuid import UUID

import msgspec

from service.store import sql

IDLE_DAYS = 30
"""So long a table waits without anybody joining, and without any other change."""

WARNING_DAYS = 7
"""So long before its end the host is mailed."""

RESTART = f"""expiry_warned = false,
    expiry_at = kingup_now() + interval '{IDLE_DAYS - WARNING_DAYS} days'"""
"""The SQL that lets a game's row wait anew for the whole time."""

_DUE = """SELECT id, expiry_at FROM game WHERE status = 'inviting'
        AND expiry_at <= kingup_now() AND (CAST(%(id)s AS uuid) IS NULL
            OR (expiry_at, id) > (CAST(%(at)s AS timestamptz), CAST(%(id)s AS uuid)))
    ORDER BY expiry_at, id LIMIT %(limit)s"""
# The clock is read here and not with the lock, which is another statement: whoever
# waited for it sees the moment after the wait.
_STEP = """SELECT expiry_warned FROM game
    WHERE id = %(game)s AND status = 'inviting' AND expiry_at <= kingup_now()"""
_WARN = f"""UPDATE game SET expiry_warned = true,
        expiry_at = kingup_now() + interval '{WARNING_DAYS} days' WHERE id = %(game)s"""
_RESTART = f"UPDATE game SET {RESTART} WHERE id = %(game)s"
_WARNED = "SELECT expiry_warned FROM game WHERE id = %(game)s AND status = 'inviting'"


class Due(msgspec.Struct, frozen=True):
    """A table whose next step is due, since when."""

    id: UUID
    at: datetime


def due(after: Due | None, limit: int) -> tuple[Due, ...]:
    """At most `limit` tables whose next step is due, the longest overdue first."""
    behind = {"id": after and after.id, "at": after and after.at}
    return sql.structs(Due, _DUE, **behind, limit=limit)


def step(game_id: UUID) -> bool | None:
    """Whether a table whose step is due was warned before; None if none is due.

    Inside the caller's transaction, which holds its row: whoever joins at the same time
    comes before, or too late.
    """
    warned: bool | None = sql.value(_STEP, game=game_id)
    return warned


def warn(game_id: UUID) -> None:
    """Keep that a table's host is warned, and leave them the days for an answer."""
    sql.execute(_WARN, game=game_id)


def restart(game_id: UUID) -> None:
    """Let a table wait anew for the whole time."""
    sql.execute(_RESTART, game=game_id)


def is_warned(game_id: UUID) -> bool:
    """Whether a table ends soon unless somebody joins, and its host was warned."""
    return bool(sql.value(_WARNED, game=game_id))
