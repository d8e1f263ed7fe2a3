"""Talk: messages to the table, lines that lie with ballots, mutes, reports."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from service.store import games, publisher, seats, sql
from service.values.lines import Line
from service.values.principals import Bearer, DeviceHolder, ReplyHolder

AN_HOUR: Final = 30
"""How many messages a seat may send in an hour, beside what goes with its acts."""

DAYS_AFTER: Final = 7
"""So long after the end of a game people may go on talking there."""

_COLUMNS = """number, seat, decision, line, phrase, said_at, taken_back,
    person_id IS DISTINCT FROM (SELECT s.person_id FROM seat s
        WHERE s.game_id = %(game)s AND s.number = message.seat)"""
_HOLD = {
    kind: f"""SELECT s.number AS seat, s.person_id FROM game g {games.PROOF[kind]}
        WHERE g.id = %(game)s FOR NO KEY UPDATE OF g"""
    for kind in (Bearer, DeviceHolder, ReplyHolder)
}
_SITS = f"""SELECT EXISTS (SELECT FROM seat s WHERE s.game_id = %(game)s
        AND s.number = %(seat)s AND s.person_id = %(person)s
        AND {seats.PERSON_HAS_JOINED})"""
_ALLOWED = f"""SELECT coalesce((SELECT started_at IS NOT NULL AND (ended_at IS NULL
            OR ended_at > kingup_now() - interval '{DAYS_AFTER} days')
        FROM game WHERE id = %(game)s), false),
    count(*), coalesce(ceil(extract(epoch FROM
        min(said_at) + interval '1 hour' - kingup_now()))::int, 0)
    FROM message WHERE game_id = %(game)s AND seat = %(seat)s AND decision IS NULL
        AND said_at > kingup_now() - interval '1 hour'"""
_SAY = f"""WITH counted AS (UPDATE game SET newest_message = newest_message + 1
        WHERE id = %(game)s RETURNING newest_message)
    INSERT INTO message (game_id, number, seat, person_id, decision, line, phrase)
    SELECT %(game)s, newest_message, %(seat)s, %(person)s,
        CAST(%(decision)s AS int), %(line)s, %(phrase)s FROM counted
    RETURNING {_COLUMNS}"""
_SEAL = """INSERT INTO sealed_line (game_id, decision, seat, person_id, line, phrase)
    VALUES (%(game)s, %(decision)s, %(seat)s, %(person)s, %(line)s, %(phrase)s)"""
# The moment is that of the event: what lay with the ballots was said with them.
_REVEAL = """WITH opened AS (DELETE FROM sealed_line
        WHERE game_id = %(game)s AND decision = %(decision)s
        RETURNING seat, person_id, line, phrase),
    counted AS (UPDATE game
        SET newest_message = newest_message + (SELECT count(*) FROM opened)
        WHERE id = %(game)s AND EXISTS (SELECT FROM opened) RETURNING newest_message)
    INSERT INTO message (game_id, number, seat, person_id, decision, line, phrase,
        said_at)
    SELECT %(game)s,
        newest_message - count(*) OVER () + row_number() OVER (ORDER BY seat),
        seat, person_id, CAST(%(decision)s AS int), line, phrase,
        (SELECT recorded_at FROM event
            WHERE game_id = %(game)s AND decision = CAST(%(decision)s AS int))
    FROM opened, counted"""
_DROP_SEALED = "DELETE FROM sealed_line WHERE game_id = %(game)s"
_MUTES = """FROM mute u JOIN seat s
        ON s.game_id = u.game_id AND s.person_id = u.person_id
    WHERE u.game_id = %(game)s AND s.number = %(seat)s AND u.seat <> s.number"""
_MUTED = f"SELECT u.seat {_MUTES} AND u.through IS NULL"
_IS_READ = f"""NOT EXISTS (SELECT {_MUTES} AND u.seat = message.seat
        AND message.number <= coalesce(u.through, message.number))"""
_BEHIND = f"""SELECT {_COLUMNS} FROM message
    WHERE game_id = %(game)s AND number > %(after)s AND {_IS_READ}
    ORDER BY number LIMIT %(limit)s"""
_LATEST = f"""SELECT {_COLUMNS} FROM message
    WHERE game_id = %(game)s AND {_IS_READ}
    ORDER BY number DESC LIMIT %(limit)s"""
_MUTE = """INSERT INTO mute (game_id, person_id, seat)
    VALUES (%(game)s, %(person)s, %(seat)s)
    ON CONFLICT (game_id, person_id, seat) DO UPDATE SET through = NULL"""
_UNMUTE = """DELETE FROM mute WHERE game_id = %(game)s AND person_id = %(person)s
    AND seat = %(seat)s"""
_REPORT = """WITH found AS (SELECT game_id, number FROM message
        WHERE game_id = %(game)s AND number = %(number)s),
    kept AS (INSERT INTO report (game_id, message, person_id)
        SELECT game_id, number, %(person)s FROM found ON CONFLICT DO NOTHING)
    SELECT EXISTS (SELECT FROM found)"""
_REPORTED = """SELECT r.created_at, m.game_id, m.number,
        CASE WHEN s.person_id = m.person_id THEN s.name ELSE w.name END,
        m.line, m.phrase
    FROM report r JOIN message m ON m.game_id = r.game_id AND m.number = r.message
    JOIN person w ON w.id = m.person_id
    JOIN seat s ON s.game_id = m.game_id AND s.number = m.seat
    ORDER BY r.created_at DESC LIMIT %(limit)s"""


class Speaker(msgspec.Struct, frozen=True):
    """Somebody at a table whose game's row this transaction holds."""

    seat: int
    person_id: UUID


class Allowance(msgspec.Struct, frozen=True):
    """Whether people talk at a table now, and how much of it a seat did in an hour.

    In `wait` seconds it was one less.
    """

    is_open: bool
    said: int
    wait: int


class Message(msgspec.Struct, frozen=True):
    """Something that was said; one of `line` and `phrase` is None.

    A phrase may be one that only a newer process knows. `taken_back` tells that the
    answer was with which it came, `former` that somebody else has the seat now.
    """

    number: int
    seat: int
    decision: int | None
    line: str | None
    phrase: str | None
    said_at: datetime
    taken_back: bool
    former: bool


class Reported(msgspec.Struct, frozen=True):
    """A report of a message, and who said it; whose report it is isn't told."""

    created_at: datetime
    game: UUID
    number: int
    name: str
    line: str | None
    phrase: str | None


def hold(
    game_id: UUID, principal: Bearer | DeviceHolder | ReplyHolder
) -> Speaker | None:
    """Hold a game's row, if the principal sits at its table; None if not.

    Whoever has left to a bot has no say there until they are back.
    """
    proof = games.proof(principal)
    found = sql.struct(Speaker, _HOLD[type(principal)], **proof, game=game_id)
    if found is None:
        return None
    # In a statement of its own: the one that locks has the seat as it was before its
    # wait.
    sits = sql.value(_SITS, game=game_id, seat=found.seat, person=found.person_id)
    return found if sits else None


def allowance(game_id: UUID, seat: int) -> Allowance:
    """What a seat may say in a game that is held."""
    found = sql.struct(Allowance, _ALLOWED, game=game_id, seat=seat)
    if found is None:
        raise LookupError(game_id)
    return found


def say(
    game_id: UUID, speaker: Speaker, said: Line, decision: int | None = None
) -> Message:
    """Say something at a table that is held, perhaps with the answer to a decision."""
    found = sql.struct(Message, _SAY, **_values(game_id, speaker, said, decision))
    if found is None:
        raise LookupError(game_id)
    publisher.publish(game_id)
    return found


# Nothing is published: until the reveal it is there for nobody.
def seal(game_id: UUID, speaker: Speaker, said: Line, decision: int) -> None:
    """Keep what somebody says with their ballot until the reveal."""
    sql.execute(_SEAL, **_values(game_id, speaker, said, decision))


def _values(
    game_id: UUID, speaker: Speaker, said: Line, decision: int | None
) -> dict[str, object]:
    return {
        "game": game_id,
        "seat": speaker.seat,
        "person": speaker.person_id,
        "decision": decision,
        "line": said.text,
        "phrase": said.phrase,
    }


def reveal(game_id: UUID, decision: int) -> None:
    """Say what lay with the ballots of an election, in seat order, at its reveal."""
    if sql.execute(_REVEAL, game=game_id, decision=decision):
        publisher.publish(game_id)


def drop_sealed(game_id: UUID) -> None:
    """Erase what lies with ballots that will never be turned over."""
    sql.execute(_DROP_SEALED, game=game_id)


def behind(game_id: UUID, seat: int, after: int, limit: int) -> tuple[Message, ...]:
    """At most so many messages behind a number, in order, as a seat gets to read."""
    return sql.structs(
        Message, _BEHIND, game=game_id, seat=seat, after=after, limit=limit
    )


def latest(game_id: UUID, seat: int, limit: int) -> Sequence[Message]:
    """At most so many messages, in order, the last ones a seat gets to read."""
    found = sql.structs(Message, _LATEST, game=game_id, seat=seat, limit=limit)
    return found[::-1]


def muted(game_id: UUID, seat: int) -> tuple[int, ...]:
    """The seats of whose talk whoever sits on a seat reads nothing.

    Who had one of them before, and was muted, stays so; whoever has it now isn't.
    """
    return tuple(sorted(sql.values(_MUTED, game=game_id, seat=seat)))


def mute(game_id: UUID, person_id: UUID, seat: int) -> None:
    """Let somebody read nothing more of what a seat says; of their own it changes none.

    Nobody else sees that.
    """
    sql.execute(_MUTE, game=game_id, person=person_id, seat=seat)


def unmute(game_id: UUID, person_id: UUID, seat: int) -> None:
    """Let somebody read again what a seat says, and has said meanwhile."""
    sql.execute(_UNMUTE, game=game_id, person=person_id, seat=seat)


def report(game_id: UUID, number: int, person_id: UUID) -> bool:
    """Keep that somebody reports a message, once; whether there is such a message."""
    return bool(sql.value(_REPORT, game=game_id, number=number, person=person_id))


def reported(limit: int) -> tuple[Reported, ...]:
    """The latest reports, the newest first; at most `limit`."""
    return sql.structs(Reported, _REPORTED, limit=limit)
