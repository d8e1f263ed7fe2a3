"""Pauses, as the seats have them that stop a game's clock."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from service.store import publisher, sql
from service.store.due import OF_NO_DECISION
from service.values.enums import DueKind

_OF = """SELECT number, pauses, paused_since, paused_until FROM seat
    WHERE game_id = %(game)s AND number = %(seat)s"""

_RUNNING = """SELECT number, pauses, paused_since, paused_until FROM seat
    WHERE game_id = %(game)s AND paused_until IS NOT NULL ORDER BY number"""

_KEEP = f"""WITH ends AS (
        INSERT INTO due (game_id, decision, kind, seat, due_at, claim_at)
        VALUES (%(game)s, {OF_NO_DECISION}, '{DueKind.PAUSE_END}', %(seat)s, %(until)s,
            %(until)s)
        ON CONFLICT (game_id, decision, kind, seat) DO UPDATE
        SET due_at = excluded.due_at, claim_at = excluded.claim_at, attempts = 0
    )
    UPDATE seat SET pauses = %(pauses)s, paused_since = %(since)s,
        paused_until = %(until)s
    WHERE game_id = %(game)s AND number = %(seat)s"""

_END = f"""WITH ends AS (DELETE FROM due WHERE game_id = %(game)s
        AND decision = {OF_NO_DECISION} AND kind = '{DueKind.PAUSE_END}'
        AND seat = ANY(%(seats)s))
    UPDATE seat SET paused_since = NULL, paused_until = NULL
    WHERE game_id = %(game)s AND number = ANY(%(seats)s)"""


class SeatPause(msgspec.Struct, frozen=True):
    """How many pauses a seat has begun, and from when to when the latest runs.

    Both moments are None where none does.
    """

    seat: int
    pauses: int
    since: datetime | None
    until: datetime | None


def of_seat(game_id: UUID, seat: int) -> SeatPause:
    """The pauses of a seat of a game that is held. Raises LookupError for no seat."""
    found = sql.struct(SeatPause, _OF, game=game_id, seat=seat)
    if found is None:
        raise LookupError(seat)
    return found


def running(game_id: UUID) -> tuple[SeatPause, ...]:
    """The pauses that nobody has ended, also where their time is over."""
    return sql.structs(SeatPause, _RUNNING, game=game_id)


def keep(game_id: UUID, pause: SeatPause) -> None:
    """Write down a pause that runs, and that its end falls due."""
    values = msgspec.structs.asdict(pause)
    sql.execute(_KEEP, game=game_id, **values)
    publisher.publish(game_id)


def end(game_id: UUID, seats: Sequence[int]) -> None:
    """End the pauses of some seats, and what falls due with them."""
    sql.execute(_END, game=game_id, seats=list(seats))
    publisher.publish(game_id)
