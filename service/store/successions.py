"""A seat that goes to another person: who held it, and the end of all that was theirs.

Nobody plays two seats of one game one after the other: hence each former holder is
kept, somebody who was erased by a digest of their address that holds in that game.
"""

import hmac
from typing import Final
from uuid import UUID

import msgspec
from flask import current_app

from service import config
from service.store import incoming_mails, mailed_votes, publisher, sql
from service.store.answers import FORMER
from service.values import entropy

_HAS_HELD = """SELECT EXISTS (SELECT FROM seat s JOIN person p ON p.id = s.person_id
        WHERE s.game_id = %(game)s
            AND (p.id = CAST(%(person)s AS uuid) OR p.address_key = %(key)s))
    OR EXISTS (SELECT FROM former_holder f LEFT JOIN person p ON p.id = f.person_id
        WHERE f.game_id = %(game)s AND f.seat <> %(seat)s
            AND (p.id = CAST(%(person)s AS uuid) OR p.address_key = %(key)s
                OR f.digest = %(digest)s))"""
_KEEP = """INSERT INTO former_holder (game_id, id, seat, person_id)
    SELECT game_id, %(id)s, number, person_id FROM seat
    WHERE game_id = %(game)s AND number = %(seat)s AND person_id IS NOT NULL"""
_KEEP_DIGEST = """INSERT INTO former_holder (game_id, id, seat, digest)
    VALUES (%(game)s, %(id)s, %(seat)s, %(digest)s)"""
_HELD_BY = """SELECT f.game_id, f.seat FROM former_holder f
    JOIN game g ON g.id = f.game_id
    WHERE f.person_id = %(person)s AND g.status = 'running'"""
_FORGET_DIGESTS = """DELETE FROM former_holder
    WHERE game_id = %(game)s AND digest IS NOT NULL"""
# Tokens come last in the order of all locks.
_NOTICES = """UPDATE notice SET superseded_at = kingup_now() WHERE game_id = %(game)s
    AND person_id = %(person)s AND mail_id IS NULL AND superseded_at IS NULL"""
_OF_FORMER: Final = (
    "DELETE FROM link WHERE game_id = %(game)s AND person_id = %(person)s",
    "DELETE FROM device WHERE game_id = %(game)s AND person_id = %(person)s",
    "DELETE FROM sealed_line WHERE game_id = %(game)s AND person_id = %(person)s",
    "DELETE FROM mute WHERE game_id = %(game)s AND person_id = %(person)s",
    """UPDATE token SET revoked_at = kingup_now() WHERE game_id = %(game)s
        AND person_id = %(person)s AND revoked_at IS NULL""",
)
_ANSWERS = f"""UPDATE answer SET source = '{FORMER}'
    WHERE game_id = %(game)s AND seat = %(seat)s
        AND source IN ('person', 'standing')"""
# The game tells how often a seat went to somebody, and each seat what it knows of that:
# who has waited for the lock sees by it that they have read seats as they were before.
_COUNT = """WITH counted AS (UPDATE game SET successions = successions + 1
        WHERE id = %(game)s RETURNING successions)
    UPDATE seat SET successions = counted.successions FROM counted
    WHERE game_id = %(game)s"""
# What a player may use of a game's time is the new one's from the start.
_GIVE = """UPDATE seat SET person_id = %(person)s, name = %(name)s, asked = %(asked)s,
        state = 'joined', comes_in = true, away_id = NULL, away_returns = false,
        departed = false, away_days = 0, away_until = NULL, spare_used = 0, pauses = 0,
        cards_for = NULL
    WHERE game_id = %(game)s AND number = %(seat)s"""
_OF_SEAT: Final = (
    """UPDATE proposal SET former = true
        WHERE game_id = %(game)s AND seat = %(seat)s AND NOT former""",
    """UPDATE mute SET through = g.newest_message FROM game g
        WHERE g.id = %(game)s AND mute.game_id = g.id AND mute.seat = %(seat)s
            AND mute.through IS NULL""",
)
"""Of the former person alone: what they proposed, what others don't want to read."""


class Heir(msgspec.Struct, frozen=True):
    """Whom a seat goes to; `asked` is a digest of the address typed for them."""

    person_id: UUID
    name: str
    asked: bytes


def digest(game_id: UUID, key: str) -> bytes:
    """What is kept in a game of an erased person's address, from its key.

    Nobody makes it without the instance's secret; another game's is another one.
    """
    secret = config.of(current_app).secret_key
    return hmac.digest(secret.encode(), f"held {game_id} {key}".encode(), "sha256")


def has_held(
    game_id: UUID, seat: int, key: str | None, person_id: UUID | None = None
) -> bool:
    """Whether somebody has a seat of a game, or had another one than this.

    By the key of their address, and who they are where that is known.
    """
    return bool(
        sql.value(
            _HAS_HELD,
            game=game_id,
            seat=seat,
            key=key,
            person=person_id,
            digest=None if key is None else digest(game_id, key),
        )
    )


def end_notices(game_id: UUID, former_id: UUID) -> None:
    """Let nothing more of a game be mailed to the former person of a seat.

    Notices come before people in the order of all locks.
    """
    sql.execute(_NOTICES, game=game_id, person=former_id)


def give(game_id: UUID, seat: int, former_id: UUID | None, heir: Heir) -> None:
    """Let a seat be another person's, and let nothing of the former's be good for it.

    The new person comes in at the next deal, if not before. What the former has
    answered and said at the table stays, but no receipt of it is told any more. Inside
    the caller's transaction, which holds the game. Nothing that they have used up is
    used up for the new one.
    """
    sql.execute(_KEEP, game=game_id, id=entropy.identifier(), seat=seat)
    for statement in _OF_FORMER if former_id else ():
        sql.execute(statement, game=game_id, person=former_id)
    sql.execute(_ANSWERS, game=game_id, seat=seat)
    for statement in _OF_SEAT:
        sql.execute(statement, game=game_id, seat=seat)
    mailed_votes.forget_seat(game_id, seat)
    incoming_mails.forget_seat(game_id, seat)
    given = msgspec.structs.asdict(heir)
    given["person"] = given.pop("person_id")
    sql.execute(_GIVE, game=game_id, seat=seat, **given)
    sql.execute(_COUNT, game=game_id)
    publisher.publish(game_id)


def keep_digest(game_id: UUID, seat: int, key: str) -> None:
    """Keep that whoever is being erased held a seat of a game that runs."""
    sql.execute(
        _KEEP_DIGEST,
        game=game_id,
        id=entropy.identifier(),
        seat=seat,
        digest=digest(game_id, key),
    )


def keep_digests(person_id: UUID, key: str) -> None:
    """Keep the same of seats that went to somebody else before."""
    for row in sql.rows(_HELD_BY, person=person_id):
        keep_digest(row.game_id, row.seat, key)


def forget_digests(game_id: UUID) -> None:
    """Erase what is kept of erased people in a game that is over."""
    sql.execute(_FORGET_DIGESTS, game=game_id)
