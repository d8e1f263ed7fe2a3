"""Who gets no mails of which game any more, by their own wish."""

from collections.abc import Sequence
from uuid import UUID

from service.store import publisher, sql

LINK_DAYS = 90
"""So long after the end of a game the links in its mails still end mails."""

MOST_AT_ONCE = 100
"""The most games whose mails one wish ends, the newest first."""

IS_IT = """EXISTS (SELECT FROM unsubscribed u
    WHERE u.game_id = {game} AND u.person_id = {person})"""
"""The SQL that tells whether a person wants no mails of a game."""

_HAS = f"SELECT {IS_IT.format(game='%(game)s', person='%(person)s')}"
_ADD = """INSERT INTO unsubscribed (game_id, person_id)
    SELECT unnest(CAST(%(games)s AS uuid[])), %(person)s ON CONFLICT DO NOTHING
    RETURNING game_id"""
_REMOVE = """DELETE FROM unsubscribed WHERE person_id = %(person)s
    AND game_id = ANY(CAST(%(games)s AS uuid[])) RETURNING game_id"""
_THEIRS = f"""SELECT g.id FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.person_id = %(person)s AND NOT s.ended AND g.status <> 'over'
        AND s.state <> 'declined'
    ORDER BY g.created_at DESC LIMIT {MOST_AT_ONCE}"""
# Whether the game of a link has been over for so long that nobody mails of it.
_LONG_OVER = f"""SELECT coalesce(ended_at < kingup_now() - interval '{LINK_DAYS} days',
    false) FROM game WHERE id = %(game)s"""


def has(game_id: UUID, person_id: UUID) -> bool:
    """Whether somebody wants no mails of a game."""
    return bool(sql.value(_HAS, game=game_id, person=person_id))


def is_long_over(game_id: UUID) -> bool:
    """Whether a game's links end no mails any more."""
    return bool(sql.value(_LONG_OVER, game=game_id))


def games_of(person_id: UUID) -> list[UUID]:
    """The games somebody has a seat in, or is asked to one, the newest first."""
    return sql.values(_THEIRS, person=person_id)


def add(game_ids: Sequence[UUID], person_id: UUID) -> list[UUID]:
    """Keep that somebody wants no mails of these games; those that it is new for."""
    return _changed(_ADD, game_ids, person_id)


def remove(game_ids: Sequence[UUID], person_id: UUID) -> list[UUID]:
    """Let somebody have mails of these games again; those that they had none of."""
    return _changed(_REMOVE, game_ids, person_id)


def _changed(statement: str, game_ids: Sequence[UUID], person: UUID) -> list[UUID]:
    found: list[UUID] = sql.values(statement, games=list(game_ids), person=person)
    # Their tables see it.
    for game_id in found:
        publisher.publish(game_id)
    return found
