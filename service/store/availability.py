"""When the people of a game can't be expected to answer, and what they used of that."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any
from uuid import UUID

import msgspec

from service.store import people, sql
from service.store.absences import IS_AHEAD
from service.values.free_time import FreeTime

_ASKED = f"""SELECT s.number, w.zone, w.quiet_from, w.quiet_to, w.weekends,
        s.away_days, s.away_until, (SELECT json_agg(json_build_array(a.first, a.last)
                ORDER BY a.first)
            FROM absence a WHERE a.person_id = w.id AND a.choice = 'wait'
                AND {IS_AHEAD})::text AS absences
    FROM seat s JOIN person w ON w.id = s.person_id
    WHERE s.game_id = %(game)s AND s.state = 'joined'
        AND s.number = ANY(CAST(%(seats)s AS int[])) ORDER BY s.number"""
_USE = """UPDATE seat SET away_days = %(days)s, away_until = %(until)s
    WHERE game_id = %(game)s AND number = %(seat)s"""

_decode = msgspec.json.Decoder(tuple[tuple[date, date], ...]).decode


class Availability(msgspec.Struct, frozen=True):
    """When nothing of a seat's person shall end.

    `absences` are the first and last days of those for which the table waits;
    `days` is for how many of them the game has waited, up to and with `until`.
    """

    seat: int
    zone: str
    free: FreeTime = FreeTime()
    absences: tuple[tuple[date, date], ...] = ()
    days: int = 0
    until: date | None = None


def of_seats(game_id: UUID, seats: Collection[int]) -> tuple[Availability, ...]:
    """That of the people on some seats of a game, in seat order."""
    rows = sql.rows(_ASKED, game=game_id, seats=list(seats))
    return tuple(map(_availability, rows))


def _availability(row: Any) -> Availability:
    return Availability(
        seat=row.number,
        zone=row.zone,
        free=people.free_time(row),
        absences=_decode(row.absences or "[]"),
        days=row.away_days,
        until=row.away_until,
    )


def use(game_id: UUID, waited: Iterable[Availability]) -> None:
    """Keep for how many days of absences a game has waited for some seats."""
    for each in waited:
        sql.execute(
            _USE, game=game_id, seat=each.seat, days=each.days, until=each.until
        )
