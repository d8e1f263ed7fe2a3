"""Answers to creating requests, kept by their Idempotency-Key."""

from uuid import UUID

import msgspec

from service.store import sql

DAYS = 7
"""How long a key is good for."""

_CLAIM = f"""INSERT INTO kept_answer (principal, key, fingerprint)
    VALUES (%(principal)s, %(key)s, %(fingerprint)s)
    ON CONFLICT (principal, key) DO UPDATE SET fingerprint = excluded.fingerprint,
        status = NULL, location = NULL, body = NULL, game_id = NULL,
        created_at = kingup_now()
    WHERE kept_answer.created_at < kingup_now() - interval '{DAYS} days'"""
_FIND = """SELECT fingerprint, status, location, body FROM kept_answer
    WHERE principal = %(principal)s AND key = %(key)s"""
_FIND_GOOD = f"{_FIND} AND created_at >= kingup_now() - interval '{DAYS} days'"
_KEEP = """WITH shown AS (SELECT CAST(substring(CAST(%(location)s AS text)
            FROM '/games/([0-9a-f-]{36})') AS uuid) AS game_id)
    UPDATE kept_answer
    SET status = %(status)s, location = %(location)s, body = %(body)s,
        game_id = (SELECT game_id FROM shown),
        people = ARRAY(SELECT unnest(CAST(%(askers)s AS uuid[]))
            UNION SELECT person_id FROM seat JOIN shown USING (game_id)
                WHERE person_id IS NOT NULL)
    WHERE principal = %(principal)s AND key = %(key)s"""
_FORGET = f"""DELETE FROM kept_answer
    WHERE created_at < kingup_now() - interval '{DAYS} days'"""


class StoredAnswer(msgspec.Struct, frozen=True):
    """An answer as it was given, without what is shown once.

    `body` is None once it would name somebody who has left for good.
    """

    fingerprint: bytes
    status: int
    location: str | None
    body: bytes | None


def claim(principal: bytes, key: str, fingerprint: bytes) -> StoredAnswer | None:
    """Take a key for the open transaction; the kept answer when it was taken before.

    Waits while another transaction has it: that one's answer is found afterwards.
    """
    named = {"principal": principal, "key": key}
    if sql.execute(_CLAIM, **named, fingerprint=fingerprint):
        return None
    # A statement of its own: the one that waited for the key doesn't see the row that
    # the other one has committed meanwhile.
    return sql.struct(StoredAnswer, _FIND, **named)


def find(principal: bytes, key: str) -> StoredAnswer | None:
    """The answer that is kept for a key, if it is good still."""
    return sql.struct(StoredAnswer, _FIND_GOOD, principal=principal, key=key)


def keep(principal: bytes, key: str, answer: StoredAnswer, asker: UUID | None) -> None:
    """Write down the answer of a claimed key, and whom it may name.

    That is whoever asked, and all who sit at the table it leads to.
    """
    sql.execute(
        _KEEP,
        principal=principal,
        key=key,
        status=answer.status,
        location=answer.location,
        body=answer.body,
        askers=[] if asker is None else [asker],
    )


def forget_old() -> None:
    """Erase what is older than the days that a key is good for."""
    sql.execute(_FORGET)
