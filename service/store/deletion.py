"""Erasing a person: their rows, and their name and address wherever they stand."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from service.store import incoming_mails, mailed_votes, publisher, sql
from service.values.enums import GameStatus, SeatState

_THEIR_GAMES = """SELECT id FROM game WHERE host_id = %(person)s
    UNION SELECT game_id FROM seat WHERE person_id = %(person)s"""
# In one order, so that two who leave never wait for each other.
_HOLD = f"""SELECT g.id, g.status, g.host_id = %(person)s AS hosted FROM game g
    WHERE g.id IN ({_THEIR_GAMES}) ORDER BY g.id FOR NO KEY UPDATE OF g"""
# A key of theirs, or of a token of theirs for one game, begins with their id.
_OWN_KEY = """principal BETWEEN uuid_send(CAST(%(person)s AS uuid))
    AND uuid_send(CAST(%(person)s AS uuid)) || decode(repeat('ff', 17), 'hex')"""
# What was rendered for others and names them, also as somebody who had sat there, or
# may name anybody: it is rendered anew.
_RENDERED = """SELECT person_id, id FROM mail
        WHERE body IS NOT NULL AND people @> ARRAY[CAST(%(person)s AS uuid)]
    UNION SELECT person_id, id FROM mail WHERE body IS NOT NULL AND people IS NULL"""
# Codes for the address they have, and those by which they proved one they had before.
_CODES = """SELECT id FROM mailed_code WHERE person_id = %(person)s
    UNION SELECT id FROM mailed_code
        WHERE address_key = (SELECT address_key FROM person WHERE id = %(person)s)
    UNION SELECT c.id FROM mailed_code proof
        JOIN mailed_code c ON c.address_key = proof.address_key
        WHERE proof.person_id = %(person)s AND proof.kind = 'old_address'
            AND c.person_id IS NULL"""
# Others' mails are written by their keys alone: how many there are, no planner
# foresees.
_TO_HOLD = (
    f"SELECT person_id, id FROM mail WHERE person_id = %(person)s UNION {_RENDERED}"
)
_TO_RENDER = f"""{_RENDERED} UNION SELECT person_id, id FROM mail
        WHERE settled_at IS NULL AND game_id = ANY(CAST(%(games)s AS uuid[]))"""
_FOUND = """(person_id, id) IN (SELECT * FROM unnest(CAST(%(people)s AS uuid[]),
        CAST(%(mails)s AS uuid[])))"""
_HOLD_MAILS = f"SELECT FROM mail WHERE {_FOUND} ORDER BY person_id, id FOR UPDATE"
_HOLD_THEIRS = tuple(
    f"{statement} FOR UPDATE"
    for statement in (
        "SELECT FROM notice WHERE person_id = %(person)s ORDER BY game_id, key",
        f"SELECT FROM mailed_code WHERE id IN ({_CODES}) ORDER BY id",
    )
)
_HOLD_PERSON = "SELECT FROM person WHERE id = %(person)s FOR UPDATE"
_SEATS = "SELECT game_id, number, state FROM seat WHERE person_id = %(person)s"
_NAME_SEAT = (
    "UPDATE seat SET name = %(name)s WHERE game_id = %(game)s AND number = %(number)s"
)
_FREE_SEAT = """UPDATE seat SET name = %(name)s, person_id = NULL, state = 'declined',
        word = '', typed = NULL
    WHERE game_id = %(game)s AND number = %(number)s"""
_UNRENDER = f"UPDATE mail SET body = NULL, people = NULL WHERE {_FOUND}"
_OF_PERSON = (
    "DELETE FROM mail WHERE person_id = %(person)s",
    f"DELETE FROM mailed_code WHERE id IN ({_CODES})",
    "DELETE FROM notice WHERE person_id = %(person)s",
    "DELETE FROM link WHERE person_id = %(person)s",
    "DELETE FROM device WHERE person_id = %(person)s",
    "DELETE FROM calendar WHERE person_id = %(person)s",
    "DELETE FROM absence WHERE person_id = %(person)s",
    "DELETE FROM token WHERE person_id = %(person)s",
    "DELETE FROM known_network WHERE person_id = %(person)s",
    "DELETE FROM report WHERE person_id = %(person)s",
    """DELETE FROM report WHERE (game_id, message) IN (SELECT game_id, number
        FROM message WHERE person_id = %(person)s)""",
    "DELETE FROM message WHERE person_id = %(person)s",
    "DELETE FROM sealed_line WHERE person_id = %(person)s",
    "DELETE FROM mute WHERE person_id = %(person)s",
    "DELETE FROM former_holder WHERE person_id = %(person)s",
    """UPDATE replacement r SET name = NULL FROM invitation i
            WHERE i.person_id = %(person)s AND i.game_id = r.game_id
                AND i.id = r.invitation_id""",
    """DELETE FROM lost_mail WHERE address_key = (
            SELECT address_key FROM person WHERE id = %(person)s)""",
    "DELETE FROM unsubscribed WHERE person_id = %(person)s",
    "DELETE FROM standing_answer WHERE person_id = %(person)s",
    "DELETE FROM invitation WHERE host_id = %(person)s",
    f"DELETE FROM kept_answer WHERE {_OWN_KEY}",
    # Others' keys stay, or what they made would be made again.
    """UPDATE kept_answer SET body = NULL, people = '{}'
            WHERE people @> ARRAY[CAST(%(person)s AS uuid)]""",
    """UPDATE person SET address = NULL, address_key = NULL, name = '',
            language = 'en', zone = 'UTC', program = false, verified_at = NULL,
            quiet_from = NULL, quiet_to = NULL, weekends = false, free_changes = '{}',
            mails = 'instant'
            WHERE id = %(person)s""",
    # Seats of games that go on, or are over, keep a person without a face, and so
    # do invitations: who sent them sees neither that they are gone nor were here.
    """DELETE FROM person WHERE id = %(person)s
            AND NOT EXISTS (SELECT FROM seat WHERE person_id = %(person)s)
            AND NOT EXISTS (SELECT FROM game WHERE host_id = %(person)s)
            AND NOT EXISTS (SELECT FROM invitation WHERE person_id = %(person)s)""",
)


class HeldGame(msgspec.Struct, frozen=True):
    """A game somebody has to do with, whose row this transaction holds."""

    id: UUID
    status: GameStatus
    hosted: bool


class HeldSeat(msgspec.Struct, frozen=True):
    """A seat of theirs."""

    game_id: UUID
    number: int
    state: SeatState


def hold(person_id: UUID) -> tuple[HeldGame, ...]:
    """Hold the rows of all somebody's games."""
    found = sql.rows(_HOLD, person=person_id)
    return tuple(HeldGame(row.id, GameStatus(row.status), row.hosted) for row in found)


def games_of(person_id: UUID) -> frozenset[UUID]:
    """All games that somebody hosts or has a seat in, as they are now."""
    return frozenset(sql.values(_THEIR_GAMES, person=person_id))


def hold_person(person_id: UUID) -> None:
    """Hold somebody's mails, and then their own row, so that nothing more is written.

    After the games: `quotas.hold` has the order.
    """
    _to_mails(_HOLD_MAILS, sql.rows(_TO_HOLD, person=person_id))
    for statement in (*_HOLD_THEIRS, _HOLD_PERSON):
        sql.execute(statement, person=person_id)


def seats(person_id: UUID) -> tuple[HeldSeat, ...]:
    """All seats somebody has, or is invited to."""
    found = sql.rows(_SEATS, person=person_id)
    return tuple(
        HeldSeat(row.game_id, row.number, SeatState(row.state)) for row in found
    )


def forget_mails_in(seat: HeldSeat) -> None:
    """Erase what is kept of mails that came in for a seat."""
    incoming_mails.forget_seat(seat.game_id, seat.number)
    mailed_votes.forget_seat(seat.game_id, seat.number)


def name_seat(seat: HeldSeat, name: str) -> None:
    """Call a seat otherwise."""
    sql.execute(_NAME_SEAT, game=seat.game_id, number=seat.number, name=name)
    publisher.publish(seat.game_id)


def free_seat(seat: HeldSeat, name: str) -> None:
    """Leave a seat to somebody else, before the start."""
    sql.execute(_FREE_SEAT, game=seat.game_id, number=seat.number, name=name)
    publisher.publish(seat.game_id)


def erase(person_id: UUID, game_ids: Sequence[UUID]) -> None:
    """Erase all that is kept of somebody, beside the seats of their games.

    That they want no invitations stays: it can't be read.
    """
    found = sql.rows(_TO_RENDER, person=person_id, games=list(game_ids))
    _to_mails(_UNRENDER, found)
    for statement in _OF_PERSON:
        sql.execute(statement, person=person_id)


def _to_mails(statement: str, found: Sequence[Any]) -> None:
    people, mails = [row.person_id for row in found], [row.id for row in found]
    sql.execute(statement, people=people, mails=mails)
