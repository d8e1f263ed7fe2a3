"""Answers to creating requests, kept by their Idempotency-Key."""

from uuid import UUID

import msgspec
from sqlalchemy import text

from service.models import db

DAYS = 7
"""How long a key is good for."""

_CLAIM = text(
    f"""INSERT INTO kept_answer (principal, key, fingerprint)
    VALUES (:principal, :key, :fingerprint)
    ON CONFLICT (principal, key) DO UPDATE SET fingerprint = excluded.fingerprint,
        status = NULL, location = NULL, body = NULL, game_id = NULL,
        created_at = kingup_now()
    WHERE kept_answer.created_at < kingup_now() - interval '{DAYS} days'
    RETURNING key"""
)
_FIND = text(
    """SELECT fingerprint, status, location, body FROM kept_answer
    WHERE principal = :principal AND key = :key"""
)
_FIND_GOOD = text(f"{_FIND} AND created_at >= kingup_now() - interval '{DAYS} days'")
_KEEP = text(
    """WITH shown AS (SELECT CAST(substring(
            CAST(:location AS text) FROM '/games/([0-9a-f-]{36})') AS uuid) AS game_id)
    UPDATE kept_answer SET status = :status, location = :location, body = :body,
        game_id = (SELECT game_id FROM shown),
        people = ARRAY(SELECT unnest(CAST(:askers AS uuid[]))
            UNION SELECT person_id FROM seat JOIN shown USING (game_id)
                WHERE person_id IS NOT NULL)
    WHERE principal = :principal AND key = :key"""
)
_FORGET = text(
    f"""DELETE FROM kept_answer
    WHERE created_at < kingup_now() - interval '{DAYS} days'"""
)


class KeptAnswer(msgspec.Struct, frozen=True):
    """An answer as it was given, without what is shown once.

    `body` is None once it would name somebody who has left for good.
    """

    fingerprint: bytes
    status: int
    location: str | None
    body: bytes | None


def claim(principal: bytes, key: str, fingerprint: bytes) -> KeptAnswer | None:
    """Take a key for the open transaction; the kept answer when it was taken before.

    Waits while another transaction has it: that one's answer is found afterwards.
    """
    named = {"principal": principal, "key": key}
    taken = db.session.execute(_CLAIM, {**named, "fingerprint": fingerprint}).first()
    if taken is not None:
        return None
    return KeptAnswer(*db.session.execute(_FIND, named).one())


def find(principal: bytes, key: str) -> KeptAnswer | None:
    """The answer that is kept for a key, if it is good still."""
    named = {"principal": principal, "key": key}
    row = db.session.execute(_FIND_GOOD, named).one_or_none()
    return None if row is None else KeptAnswer(*row)


def keep(principal: bytes, key: str, answer: KeptAnswer, asker: UUID | None) -> None:
    """Write down the answer of a claimed key, and whom it may name.

    That is whoever asked, and all who sit at the table it leads to.
    """
    db.session.execute(
        _KEEP,
        {
            "principal": principal,
            "key": key,
            "status": answer.status,
            "location": answer.location,
            "body": answer.body,
            "askers": [] if asker is None else [asker],
        },
    )


def forget_old() -> None:
    """Erase what is older than the days that a key is good for."""
    db.session.execute(_FORGET)
