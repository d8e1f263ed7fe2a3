"""Absences: kept, listed, and the seats of those who are away."""

from datetime import date, datetime
from typing import Final
from uuid import UUID

import msgspec

from service.store import publisher, sql
from service.store.seats import WILL_PLAY
from service.values import entropy
from service.values.enums import AbsenceChoice

MOST_AHEAD: Final = 10
"""How many absences one person may have announced that aren't over."""

KEPT_DAYS: Final = 1
"""So long after its end an absence is erased."""

_MOST_CALLED: Final = 100
"""The most tables that hear at once that somebody will be away."""

IS_AHEAD: Final = "a.ends_at > kingup_now()"
"""Whether an absence `a` isn't over."""

# Before the start anybody may sit down at an open table, read it and leave again.
_IS_WAITED_FOR: Final = f"g.status = 'running' AND {WILL_PLAY}"

ROWS: Final = f"""(SELECT json_agg(json_build_array(s.number, a.first, a.last, a.choice)
        ORDER BY s.number, a.first)
    FROM seat s JOIN absence a ON a.person_id = s.person_id AND {IS_AHEAD}
    WHERE s.game_id = g.id AND {_IS_WAITED_FOR})"""
"""The absences of those who play a game `g` that runs, or will again, for `read`."""

_COLUMNS = "a.id, a.first, a.last, a.choice"
_OF_PERSON = f"""SELECT {_COLUMNS} FROM absence a
    WHERE a.person_id = %(person)s AND {IS_AHEAD} ORDER BY a.first"""
_ADD = """INSERT INTO absence (id, person_id, first, last, choice, begins_at, ends_at)
    VALUES (%(id)s, %(person)s, %(first)s, %(last)s, %(choice)s, %(begins)s,
        %(ends)s)"""
_REMOVE = "DELETE FROM absence WHERE id = %(id)s AND person_id = %(person)s"
_TABLES = f"""SELECT g.id FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.person_id = %(person)s AND NOT s.ended AND {_IS_WAITED_FOR}
    ORDER BY g.created_at DESC LIMIT {_MOST_CALLED}"""

_AFTER = """(CAST(%(game)s AS uuid) IS NULL
        OR (s.game_id, s.number) > (CAST(%(game)s AS uuid), CAST(%(seat)s AS int)))
    ORDER BY s.game_id, s.number LIMIT %(limit)s"""
# First who is away, which are few: in the order of all seats Postgres might walk them.
_LEFT = f"""WITH away AS MATERIALIZED (SELECT s.game_id, s.number, a.id
        FROM absence a JOIN seat s ON s.person_id = a.person_id AND NOT s.ended
            AND s.state = 'joined' AND s.away_id IS DISTINCT FROM a.id
        JOIN game g ON g.id = s.game_id AND g.status = 'running' AND NOT g.practice
        WHERE a.choice = 'bot' AND a.begins_at <= kingup_now() AND {IS_AHEAD})
    SELECT s.game_id, s.number, s.id FROM away s WHERE {_AFTER}"""
_RETURNING = f"""SELECT s.game_id, s.number, s.away_id FROM seat s
    LEFT JOIN absence a ON a.id = s.away_id AND {IS_AHEAD}
    WHERE s.away_returns AND a.id IS NULL AND {_AFTER}"""
# Days are counted by the clock of who is away: its first day began at midnight there.
_TODAY = """least(a.last, a.first
        + CAST(floor(extract(epoch FROM kingup_now() - a.begins_at) / 86400) AS int))"""
_DAY_HAS_BEGUN = f"""s.away_returns AND {IS_AHEAD}
        AND (s.away_until IS NULL OR s.away_until < {_TODAY})"""
_UNCOUNTED = f"""SELECT s.game_id, s.number, s.away_id
    FROM seat s JOIN absence a ON a.id = s.away_id
    WHERE {_DAY_HAS_BEGUN} AND {_AFTER}"""
# A day for which the game has waited already is counted.
_COUNT = f"""UPDATE seat s SET away_until = {_TODAY},
        away_days = s.away_days + {_TODAY} - greatest(s.away_until, a.first - 1)
    FROM absence a WHERE a.id = s.away_id AND s.game_id = %(game)s
        AND s.number = %(seat)s AND {_DAY_HAS_BEGUN} RETURNING s.away_days"""
# Whoever was to come in at the next deal does so when they are back.
_MARK = """UPDATE seat SET away_id = %(absence)s, comes_in = false,
        away_returns = away_returns OR comes_in OR %(returns)s
    WHERE game_id = %(game)s AND number = %(seat)s"""
# Whoever has left meanwhile doesn't return by it.
_END = """UPDATE seat SET away_returns = false, comes_in = %(comes_in)s
    WHERE game_id = %(game)s AND number = %(seat)s AND away_returns"""
_FORGET = f"""DELETE FROM absence
    WHERE ends_at < kingup_now() - interval '{KEPT_DAYS} days'"""


class AnnouncedAbsence(msgspec.Struct, frozen=True):
    """Days on which somebody is away, the first and the last included."""

    id: UUID
    first: date
    last: date
    choice: AbsenceChoice


class SeatAbsence(msgspec.Struct, frozen=True, array_like=True):
    """The same as the table reads it, of whoever sits on a seat."""

    seat: int
    first: date
    last: date
    choice: AbsenceChoice


class AwaySeat(msgspec.Struct, frozen=True):
    """A seat that changes hands for an absence."""

    game_id: UUID
    seat: int
    absence_id: UUID


class AbsenceDays(msgspec.Struct, frozen=True):
    """An absence to be kept, and the moments between which it lies."""

    first: date
    last: date
    choice: AbsenceChoice
    begins_at: datetime
    ends_at: datetime


_decode = msgspec.json.Decoder(tuple[SeatAbsence, ...]).decode


def read(text: str | None) -> tuple[SeatAbsence, ...]:
    """The absences at a table, in seat order, from the text of ROWS."""
    return () if text is None else _decode(text)


def of_person(person_id: UUID) -> tuple[AnnouncedAbsence, ...]:
    """Somebody's absences that aren't over, the next one first."""
    rows = sql.rows(_OF_PERSON, person=person_id)
    return tuple(
        AnnouncedAbsence(row.id, row.first, row.last, AbsenceChoice(row.choice))
        for row in rows
    )


def add(person_id: UUID, days: AbsenceDays) -> AnnouncedAbsence:
    """Keep that somebody will be away; their tables hear of it."""
    found = AnnouncedAbsence(entropy.identifier(), days.first, days.last, days.choice)
    sql.execute(
        _ADD,
        id=found.id,
        person=person_id,
        first=days.first,
        last=days.last,
        choice=days.choice.value,
        begins=days.begins_at,
        ends=days.ends_at,
    )
    _call(person_id)
    return found


def remove(person_id: UUID, absence_id: UUID) -> bool:
    """Forget an absence; False where that person has no such one."""
    removed = bool(sql.execute(_REMOVE, id=absence_id, person=person_id))
    if removed:
        _call(person_id)
    return removed


def _call(person_id: UUID) -> None:
    for game_id in sql.values(_TABLES, person=person_id):
        publisher.publish(game_id)


def left(after: AwaySeat | None, limit: int) -> tuple[AwaySeat, ...]:
    """Seats of running games whose people are away as of now, and leave them to a bot.

    Each once for an absence; those behind `after` alone.
    """
    return _seats(_LEFT, after, limit)


def returning(after: AwaySeat | None, limit: int) -> tuple[AwaySeat, ...]:
    """Seats that bots keep for an absence that is over, or was called off."""
    return _seats(_RETURNING, after, limit)


def _seats(statement: str, after: AwaySeat | None, limit: int) -> tuple[AwaySeat, ...]:
    return sql.structs(
        AwaySeat,
        statement,
        game=after and after.game_id,
        seat=after and after.seat,
        limit=limit,
    )


def mark(away: AwaySeat, *, returns: bool) -> None:
    """Keep that a seat was looked at for an absence, and whether its person returns."""
    sql.execute(
        _MARK,
        game=away.game_id,
        seat=away.seat,
        absence=away.absence_id,
        returns=returns,
    )


def uncounted(after: AwaySeat | None, limit: int) -> tuple[AwaySeat, ...]:
    """Seats that bots keep for people who are away on a day not counted so far."""
    return _seats(_UNCOUNTED, after, limit)


def count(away: AwaySeat) -> int:
    """Count the days of an absence so far on which a bot keeps a seat.

    How many of them, and of those waited for, the game has had now; 0 where none has
    begun.
    """
    return sql.value(_COUNT, game=away.game_id, seat=away.seat) or 0


def end(away: AwaySeat, *, comes_in: bool) -> bool:
    """Keep that nobody returns by an absence, but perhaps comes in at the next deal.

    False for somebody who doesn't return by it any more. Their table hears of it.
    """
    values = {"game": away.game_id, "seat": away.seat, "comes_in": comes_in}
    ended = bool(sql.execute(_END, **values))
    if ended:
        publisher.publish(away.game_id)
    return ended


def forget_old() -> None:
    """Erase absences that are over."""
    sql.execute(_FORGET)
