"""Due rows: claimed by sweepers, any number of which may run."""

from datetime import datetime
from uuid import UUID

import msgspec

from service.store import leased_queue, publisher, sql
from service.values.enums import DueKind

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

_TAKE = """DELETE FROM due
    WHERE game_id = %(game)s AND decision = %(decision)s AND kind = %(kind)s"""


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


def take(game_id: UUID, decision: int, kind: DueKind) -> bool:
    """Remove what a decision made fall due, in the transaction that does it.

    Returns False when it is gone: it was done before.
    """
    return bool(sql.execute(_TAKE, game=game_id, decision=decision, kind=kind))
