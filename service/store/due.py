"""Due rows: claimed by sweepers, any number of which may run."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from service.store import leased_queue, publisher, sql
from service.values.enums import OF_THE_CLOCK, DueKind

OF_NO_DECISION: Final = 0
"""The decision of rows that outlive any."""

# Written out, as in the two indexes: by a parameter neither would be found.
_KINDS = ("kind <> 'bot'", "kind = 'bot'")
"""Which rows: those that people wait for, and bots' turns; each have their index."""

_KEY = "game_id, decision, kind, seat"
_OLDEST = "ORDER BY claim_at LIMIT %(limit)s"
_CLAIM = tuple(
    f"{leased_queue.claim('due', _KEY, kinds, order=_OLDEST)} RETURNING {_KEY}"
    for kinds in _KINDS
)

_NEXT = tuple(
    f"""SELECT extract(epoch FROM min(claim_at) - kingup_now()) AS wait FROM due
    WHERE claim_at <= kingup_now() + make_interval(secs => %(within)s) AND {kinds}"""
    for kinds in _KINDS
)

_DONE = """DELETE FROM due WHERE game_id = %(game_id)s AND decision = %(decision)s
        AND kind = %(kind)s AND seat = %(seat)s"""

# Written out, as the kinds above: the key is read once for them all.
_TIMES = f"""game_id = %(game)s AND decision = %(decision)s
    AND kind IN {tuple(kind.value for kind in OF_THE_CLOCK)}"""

_MOMENTS = f"SELECT kind, due_at FROM due WHERE {_TIMES}"

_HOLD = f"UPDATE due SET claim_at = 'infinity' WHERE {_TIMES}"

_MOVE = f"""WITH moved AS (
        SELECT kind AS moved, at FROM json_to_recordset(CAST(%(moments)s AS json))
            AS m (kind text, at timestamptz)
    ), ends AS (
        UPDATE game SET deadline = at FROM moved
        WHERE id = %(game)s AND moved = '{DueKind.DEADLINE}' AND paused_at IS NULL
    )
    UPDATE due SET due_at = at, attempts = 0,
        claim_at = CASE WHEN %(held)s THEN 'infinity' ELSE at END
    FROM moved WHERE {_TIMES} AND kind = moved"""

_TAKE = """DELETE FROM due
    WHERE game_id = %(game)s AND decision = %(decision)s AND kind = %(kind)s
        AND due_at <= coalesce(CAST(%(until)s AS timestamptz), due_at)"""

_SKIP_REMINDERS = f"""DELETE FROM due
    WHERE game_id = %(game)s AND decision = %(decision)s
        AND kind IN ('{DueKind.REMINDER}', '{DueKind.LAST_REMINDER}')
        AND due_at <= %(until)s"""

_PUT_OFF = f"""WITH put_off AS (UPDATE game SET deadline = %(deadline)s
        WHERE id = %(game)s)
    UPDATE due SET due_at = %(deadline)s, claim_at = %(deadline)s, attempts = 0
    WHERE game_id = %(game)s AND decision = %(decision)s
        AND kind = '{DueKind.DEADLINE}'"""


class Claimed(msgspec.Struct, frozen=True):
    """A due row that this sweeper has for the length of its lease."""

    game_id: UUID
    decision: int
    kind: DueKind
    seat: int


def claim(limit: int, lease: float, *, bots: bool) -> tuple[Claimed, ...]:
    """Take at most `limit` rows that are due, the longest overdue first.

    Turns of bots, or all other rows.

    A row that isn't done within `lease` seconds, longer with each attempt, comes back.
    """
    rows = sql.rows(_CLAIM[bots], limit=limit, lease=lease)
    return tuple(Claimed(r.game_id, r.decision, DueKind(r.kind), r.seat) for r in rows)


def until_next(within: float, *, bots: bool) -> float | None:
    """Seconds until the next row is due, not below 0; None if none is `within` them.

    Turns of bots, or all other rows.
    """
    wait = sql.value(_NEXT[bots], within=within)
    return None if wait is None else max(0.0, float(wait))


def done(row: Claimed) -> None:
    """Remove a row whose work is done, or which has none left."""
    sql.execute(_DONE, **msgspec.structs.asdict(row))


def put_off(game_id: UUID, decision: int, deadline: datetime) -> None:
    """Move the deadline of an open decision, and what falls due with it."""
    sql.execute(_PUT_OFF, game=game_id, decision=decision, deadline=deadline)
    publisher.publish(game_id)


def moments(game_id: UUID, decision: int) -> dict[DueKind, datetime]:
    """When a decision's deadline and reminders fall due that haven't yet.

    While the game is paused, when they would if it had just begun.
    """
    rows = sql.rows(_MOMENTS, game=game_id, decision=decision)
    return {DueKind(row.kind): row.due_at for row in rows}


def hold(game_id: UUID, decision: int) -> None:
    """Keep a decision's deadline and reminders from falling due, until they move."""
    sql.execute(_HOLD, game=game_id, decision=decision)


def move(
    game_id: UUID, decision: int, at: Mapping[DueKind, datetime], *, held: bool
) -> None:
    """Move some of a decision's deadline and reminders; `held` where they still wait.

    The rest stays as it is.
    """
    rows = [{"kind": kind, "at": moment} for kind, moment in at.items()]
    told = msgspec.json.encode(rows).decode()
    sql.execute(_MOVE, game=game_id, decision=decision, moments=told, held=held)
    publisher.publish(game_id)


def take(
    game_id: UUID, decision: int, kind: DueKind, until: datetime | None = None
) -> bool:
    """Remove what a decision made fall due, in the transaction that does it.

    Returns False when it is gone, since it was done before, or wasn't due by `until`.
    """
    values = {"game": game_id, "decision": decision, "kind": kind, "until": until}
    return bool(sql.execute(_TAKE, **values))


def skip_reminders(game_id: UUID, decision: int, until: datetime) -> None:
    """Remove the reminders of a decision that were due by some moment."""
    sql.execute(_SKIP_REMINDERS, game=game_id, decision=decision, until=until)
