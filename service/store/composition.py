"""Notices put into mails, those that wait for their hour with the next one."""

from typing import Final
from uuid import UUID

from service.store import sql
from service.store.outbox import MailKey, MailState
from service.values import entropy
from service.values.enums import ALONE, NoticeKind

_MOST_READERS = 8
"""More than have a seat; were there more, the rest would be composed next."""

# The index `ix_notice_hourly` names the same kinds: one more is a migration, or each
# composing looks through all that the reader was ever told of the game.
HOURLY: Final = (
    NoticeKind.DECLINED,
    NoticeKind.RESULT,
    NoticeKind.ROUND_OVER,
    NoticeKind.REPLACEMENT,
    NoticeKind.PROPOSAL,
)
"""What others' acts can cause again and again: it makes a mail once an hour at most,
for one person and table, and then waits for the next, whatever that is about."""

_HOURLY: Final = ", ".join(f"'{kind}'" for kind in HOURLY)

# `alone` is the notice itself where it travels in a mail of its own.
_IS_ALONE: Final = f"kind IN {tuple(kind.value for kind in ALONE)}"

# Whoever composes for a game at the same time would not see what this mail tells.
_ALONE = "SELECT pg_advisory_xact_lock(5464873, hashtext(CAST(%(game)s AS text)))"
_COMPOSE = f"""WITH clock AS MATERIALIZED (SELECT kingup_now() AS moment), unmailed AS (
        SELECT key, person_id, kind, due_at, CASE WHEN {_IS_ALONE} THEN key END AS alone
        FROM notice WHERE game_id = %(game)s
            AND mail_id IS NULL AND superseded_at IS NULL FOR UPDATE SKIP LOCKED
    ), timed AS (
        SELECT key, person_id, kind, alone, greatest(due_at, again_at) AS due_at
        FROM unmailed LEFT JOIN LATERAL (
            SELECT coalesce(m.settled_at, moment) + interval '1 hour' AS again_at
            FROM clock CROSS JOIN notice n CROSS JOIN LATERAL (
                SELECT settled_at FROM mail
                WHERE person_id = unmailed.person_id AND id = n.mail_id
                    AND state NOT IN ('{MailState.FAILED}', '{MailState.SUPERSEDED}')
                OFFSET 0) m
            WHERE n.game_id = %(game)s AND n.person_id = unmailed.person_id
                AND n.kind = unmailed.kind AND n.kind IN ({_HOURLY})
                AND n.mail_id IS NOT NULL AND n.superseded_at IS NULL
            ORDER BY n.created_at DESC LIMIT 1
        ) earlier ON kind IN ({_HOURLY})
    ), untried AS (
        SELECT id, person_id FROM mail WHERE game_id = %(game)s AND settled_at IS NULL
            AND state = '{MailState.QUEUED}'
            AND person_id IN (SELECT person_id FROM unmailed)
            AND NOT EXISTS (SELECT FROM notice n WHERE n.game_id = %(game)s
                AND n.person_id = mail.person_id AND n.mail_id = mail.id
                AND {_IS_ALONE})
            FOR UPDATE SKIP LOCKED
    ), readers AS (
        SELECT person_id, alone, row_number() OVER (ORDER BY person_id, alone) AS number
        FROM timed, clock WHERE due_at <= moment AND (alone IS NOT NULL
            OR person_id NOT IN (SELECT person_id FROM untried))
        GROUP BY person_id, alone
    ), envelopes AS (
        SELECT person_id, alone, fresh.id FROM readers
        JOIN unnest(CAST(%(fresh)s AS uuid[])) WITH ORDINALITY AS fresh (id, number)
            USING (number)
        UNION ALL
        SELECT DISTINCT ON (person_id) person_id, NULL, id FROM untried
    ), composed AS (
        INSERT INTO mail (id, person_id, game_id, message_id, state)
        SELECT id, person_id, %(game)s, '<' || id || '@' || %(host)s || '>',
            '{MailState.QUEUED}'
        FROM envelopes WHERE id NOT IN (SELECT id FROM untried)
    ), woken AS (
        UPDATE mail SET claim_at = moment FROM clock, envelopes
        WHERE mail.person_id = envelopes.person_id AND mail.id = envelopes.id
            AND claim_at > moment AND EXISTS (SELECT FROM unmailed
                WHERE unmailed.person_id = mail.person_id AND due_at <= moment)
    ), held AS (
        UPDATE notice SET due_at = timed.due_at FROM timed
        WHERE notice.game_id = %(game)s AND notice.key = timed.key
            AND timed.due_at > notice.due_at
            AND timed.person_id NOT IN (
                SELECT person_id FROM envelopes WHERE alone IS NULL)
    )
    UPDATE notice SET mail_id = envelopes.id,
        due_at = greatest(notice.due_at, timed.due_at)
    FROM envelopes, timed, clock
    WHERE notice.game_id = %(game)s AND notice.key = timed.key
        AND (timed.due_at <= moment OR timed.kind IN ({_HOURLY}))
        AND timed.person_id = envelopes.person_id
        AND timed.alone IS NOT DISTINCT FROM envelopes.alone
    RETURNING mail_id, notice.person_id, notice.created_at, notice.key"""


def compose(game_id: UUID, host: str) -> tuple[MailKey, ...]:
    """Put a game's unmailed notices into mails, one a person; returns which.

    The mail with the oldest notice comes first, whatever order the database finds.
    A mail that nobody has tried to send yet takes up what is new, which may be more
    urgent than what it waits with, and any takes up what has to wait for its hour,
    which doesn't leave before that if nothing else in it is true any more; what
    has a moment of its own, as a question that a standing answer is about to answer,
    waits for that. The Message-ID of a mail is its id at `host`. What another composer
    holds is left to it.
    """
    # A statement before the one that reads the clock: whoever waited here sees what was
    # mailed meanwhile, and whether the hour is over by now.
    sql.execute(_ALONE, game=game_id)
    # Postgres could make them, but chance comes from one source, which trials repeat.
    fresh = [entropy.identifier() for _ in range(_MOST_READERS)]
    found = sql.rows(_COMPOSE, game=game_id, host=host, fresh=fresh)
    oldest = sorted(found, key=lambda row: (row.created_at, row.key))
    keys = (MailKey(row.mail_id, row.person_id) for row in oldest)
    return tuple(dict.fromkeys(keys))
