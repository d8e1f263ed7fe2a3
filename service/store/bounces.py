"""Mails that came back: at a return path of their own, and what that tells of a person.

A mail server takes a mail before it knows whether anybody reads it; what it learns
later it sends to the return path, which each attempt has of its own. Whose mails came
back for good on two days is tried once a day, until one of them stays away.
"""

from datetime import datetime
from uuid import UUID

from service.store import sql
from service.store.outbox import MailState
from service.values import entropy

DAYS = 2
"""On so many days mails must have come back before fewer are tried."""

_LIVE_DAYS = 10
"""So long after a mail was sent its return path is good: nobody tries longer than five
days to deliver it."""

# A forged bounce without a secret of ours finds nothing, and a second one changes
# nothing.
_TAKE = f"""UPDATE mail SET bounced_at = kingup_now() WHERE (person_id, id) IN (
        SELECT person_id, id FROM mail WHERE return_hash = %(hash)s)
    AND state = '{MailState.SENT}' AND bounced_at IS NULL
    AND settled_at > kingup_now() - interval '{_LIVE_DAYS} days'
    RETURNING id"""

# Who is told of a mail that wasn't delivered is told within a day, mostly in a minute.
# Days are those of the mails, for whoever has a return path picks when one comes back.
# What was sent after the latest that stayed away counts; the rest is cleared by that.
_RETRY_AT = f"""WITH delivered AS (
        SELECT settled_at FROM mail WHERE person_id = %(person)s
            AND state = '{MailState.SENT}' AND bounced_at IS NULL
            AND settled_at < kingup_now() - interval '1 day'
        ORDER BY created_at DESC, id DESC LIMIT 1
    ), back AS (
        SELECT count(DISTINCT date_trunc('day', settled_at, 'UTC')) AS days FROM mail
        WHERE person_id = %(person)s AND bounced_at IS NOT NULL AND settled_at
            > coalesce((SELECT settled_at FROM delivered), '-infinity')
    )
    SELECT (SELECT settled_at + interval '1 day' FROM mail
            WHERE person_id = %(person)s AND state = '{MailState.SENT}'
            ORDER BY created_at DESC, id DESC LIMIT 1)
    FROM back WHERE days >= {DAYS}"""


def take(token: str) -> bool:
    """Keep that the mail with this return path came back for good.

    False for a token that isn't ours, or is no longer live, and for a repeat.
    """
    return bool(sql.values(_TAKE, hash=entropy.digest(token)))


def retry_at(person_id: UUID) -> datetime | None:
    """When somebody is tried next whose mails come back; None for anybody else."""
    found: datetime | None = sql.value(_RETRY_AT, person=person_id)
    return found
