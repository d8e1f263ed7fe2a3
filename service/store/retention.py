"""What is kept for a while alone: practice, unconfirmed drafts, mails of games over."""

from collections.abc import Collection, Sequence
from uuid import UUID

from service.store import publisher, sql

PRACTICE_HOURS = 24
"""So long after its latest answer, or after it began, a practice game is kept."""
DRAFT_DAYS = 7
MAIL_DAYS = 90
"""So long after the end of a game its notices and mails are kept; links stay."""

_PRACTICE_SINCE = f"kingup_now() - interval '{PRACTICE_HOURS} hours'"
# The latest answer is looked up here, and kept: so the game's row needn't tell of each,
# and one that is played on is looked at once a day, not each time.
_OLD_PRACTICE = f"""WITH looked AS (
        SELECT id, (SELECT recorded_at FROM event
            WHERE game_id = g.id AND position = g.position) AS played_at
        FROM game g
        WHERE practice AND coalesce(g.played_at, g.created_at) < {_PRACTICE_SINCE}
        ORDER BY coalesce(g.played_at, g.created_at) LIMIT %(limit)s
        FOR UPDATE SKIP LOCKED
    ), kept AS (
        UPDATE game SET played_at = looked.played_at FROM looked
        WHERE game.id = looked.id AND looked.played_at >= {_PRACTICE_SINCE}
    )
    SELECT id, coalesce(played_at < {_PRACTICE_SINCE}, false) AS is_over FROM looked"""
_OLD_DRAFTS = f"""SELECT id FROM game WHERE status = 'draft'
        AND created_at < kingup_now() - interval '{DRAFT_DAYS} days'
    ORDER BY created_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED"""
# What still waits to be told or sent keeps its game's for another round.
_OLD_MAILS = f"""SELECT id FROM game g WHERE has_mails
        AND ended_at < kingup_now() - interval '{MAIL_DAYS} days'
        AND NOT EXISTS (SELECT FROM mail
            WHERE game_id = g.id AND settled_at IS NULL)
        AND NOT EXISTS (SELECT FROM notice WHERE game_id = g.id
            AND mail_id IS NULL AND superseded_at IS NULL)
    ORDER BY ended_at LIMIT %(limit)s FOR NO KEY UPDATE SKIP LOCKED"""
_OF_GAMES = "= ANY(CAST(%(games)s AS uuid[]))"
# Mails are held first, in the order of all locks. What has come since stays.
_ERASE_MAILS = (
    f"""SELECT FROM mail WHERE settled_at IS NOT NULL AND game_id {_OF_GAMES}
        ORDER BY person_id, id FOR UPDATE""",
    f"""DELETE FROM notice
        WHERE (mail_id IS NOT NULL OR superseded_at IS NOT NULL)
        AND game_id {_OF_GAMES}""",
    f"DELETE FROM mail WHERE settled_at IS NOT NULL AND game_id {_OF_GAMES}",
    f"UPDATE game SET has_mails = false WHERE id {_OF_GAMES}",
)
_PEOPLE = """SELECT DISTINCT person_id FROM seat
    WHERE game_id = ANY(CAST(%(games)s AS uuid[])) AND person_id IS NOT NULL"""
# Whoever names somebody for another table holds them. Nobody waits in a circle, for all
# hold people whose address they know in the order of its letters.
_HOLD_PEOPLE = """SELECT FROM person WHERE id = ANY(CAST(%(people)s AS uuid[]))
        AND verified_at IS NULL ORDER BY address_key COLLATE "C" FOR UPDATE"""
# A game's own rows go with it. That waits for whoever writes a mail meanwhile, so that
# nothing stays outside: links go after the mails they stand in.
_ERASE_GAMES = tuple(
    f"DELETE FROM {table} WHERE {column} = ANY(CAST(%(games)s AS uuid[]))"
    for table, column in (
        ("kept_answer", "game_id"),
        ("game", "id"),
        ("mail", "game_id"),
        ("link", "game_id"),
        ("device", "game_id"),
        ("token", "game_id"),
        ("mail_journal", "game_id"),
    )
)
# Whoever practised, or never answered, and is nowhere else.
_ERASE_PEOPLE = """DELETE FROM person p WHERE id = ANY(CAST(%(people)s AS uuid[]))
            AND verified_at IS NULL
            AND NOT EXISTS (SELECT FROM seat WHERE person_id = p.id)
            AND NOT EXISTS (SELECT FROM game WHERE host_id = p.id)
            AND NOT EXISTS (SELECT FROM invitation
                WHERE person_id = p.id OR host_id = p.id)
            AND NOT EXISTS (SELECT FROM notice WHERE person_id = p.id)"""


def practice(limit: int) -> int:
    """Erase practice games whose latest answer is a day old, with all who practised.

    Returns how many it has looked at: at most `limit`.
    """
    looked = sql.rows(_OLD_PRACTICE, limit=limit)
    _erase([row.id for row in looked if row.is_over])
    return len(looked)


def drafts(limit: int) -> int:
    """Erase tables that nobody confirmed for a week, and whoever was named for them.

    Returns how many: at most `limit`.
    """
    old: list[UUID] = sql.values(_OLD_DRAFTS, limit=limit)
    _erase(old)
    return len(old)


def unnamed(those: Collection[UUID]) -> None:
    """Erase those of some people who never answered and are named nowhere any more."""
    for statement in (_HOLD_PEOPLE, _ERASE_PEOPLE) if those else ():
        sql.execute(statement, people=list(those))


def mails(limit: int) -> int:
    """Erase the notices and mails of games that have long been over.

    Returns of how many games: at most `limit`.
    """
    games = sql.values(_OLD_MAILS, limit=limit)
    for statement in _ERASE_MAILS if games else ():
        sql.execute(statement, games=games)
    return len(games)


def _erase(games: Sequence[UUID]) -> None:
    """Erase games with whoever was at them alone."""
    if games:
        people = sql.values(_PEOPLE, games=games)
        for statement in (*_ERASE_GAMES, _HOLD_PEOPLE, _ERASE_PEOPLE):
            sql.execute(statement, games=games, people=people)
    for game_id in games:
        publisher.publish(game_id)
