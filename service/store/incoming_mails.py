"""Mails that come in: kept as they came until they are handled, then a line for each.

Any number of workers handle them, as due rows: whoever claims one has it for a lease,
and what it leads to is written with the line that it was handled, or not at all.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from flask import current_app

from service.store import leased_queue, sql
from service.values import entropy, inbound_addresses
from service.values.enums import IncomingKind
from service.values.signed_tokens import Origin, signer

AN_HOUR: Final = 20
"""How many mails of one seat are read in an hour; what is more is left unread."""

ASKED_AN_HOUR: Final = 100
"""For so many mails with one secret of the open question name servers are asked in an
hour who wrote them, and for those with others of its seat while fewer came in all."""

GIVE_UP_DAYS: Final = 4
JOURNAL_DAYS: Final = 90
STRAY_DAYS: Final = 7
"""So long lines are kept of mails that had no secret of ours in their address."""

_MOST_WAITING: Final = {True: 1000, False: 100}
"""How many may wait to be handled, with a secret of ours and without: whoever has none
fills no place of theirs."""

MOST_OF_A_SECRET: Final = 5
"""Of those so many may have come with one secret, so that nobody fills all places."""

_PROVED: Final = (IncomingKind.OVER.value, IncomingKind.READ.value)
_OF_OTHERS: Final = (IncomingKind.OTHER_SENDER.value,)
_LOOKED_UP: Final = (
    *_PROVED,
    IncomingKind.UNAUTHENTICATED.value,
    IncomingKind.TOO_MANY.value,
)

_ADD = f"""INSERT INTO incoming_mail (id, raw, envelope, signed, secret_hash, trusted)
    SELECT %(id)s, %(raw)s, %(envelope)s, %(signed)s, CAST(%(secret)s AS bytea),
        %(trusted)s
    WHERE (SELECT count(*) FROM (SELECT FROM incoming_mail
        WHERE signed = %(signed)s LIMIT %(most)s) waiting) < %(most)s
    AND (SELECT count(*) FROM incoming_mail
        WHERE secret_hash = CAST(%(secret)s AS bytea)) < {MOST_OF_A_SECRET}"""
_TAKEN = "RETURNING id, raw, envelope, trusted, attempts"
_CLAIM = f"{leased_queue.claim('incoming_mail', 'id', 'id = %(id)s')} {_TAKEN}"
_OLDEST = "ORDER BY claim_at LIMIT 1"
_CLAIM_NEXT = f"""{
    leased_queue.claim("incoming_mail", "id", "signed = %(signed)s", order=_OLDEST)
} {_TAKEN}"""
# Whoever had it for too long finds nothing to end, and then writes nothing else either.
_SETTLE = """WITH handled AS (DELETE FROM incoming_mail
        WHERE id = %(id)s AND attempts = %(attempts)s RETURNING id),
    told AS (INSERT INTO mail_journal (game_id, seat, kind, digest, secret_hash)
        SELECT CAST(%(game)s AS uuid), CAST(%(seat)s AS smallint), %(kind)s,
            CAST(%(digest)s AS bytea), CAST(%(secret)s AS bytea) FROM handled
        ON CONFLICT DO NOTHING RETURNING id)
    SELECT EXISTS (SELECT FROM handled) AS held, EXISTS (SELECT FROM told) AS told"""
_WAS_READ = f"""SELECT EXISTS (SELECT FROM mail_journal
    WHERE game_id = %(game)s AND seat = %(seat)s AND digest = %(digest)s
        AND kind IN {_PROVED})"""
_LATELY = """SELECT count(*) FROM (SELECT FROM mail_journal
    WHERE game_id = %(game)s AND seat = %(seat)s AND kind = ANY(%(kinds)s)
        AND (CAST(%(secret)s AS bytea) IS NULL
            OR secret_hash = CAST(%(secret)s AS bytea))
        AND at > kingup_now() - interval '1 hour' LIMIT %(most)s) latest"""
# By the mail's age: its attempts count what went wrong.
_PUT_OFF = """UPDATE incoming_mail SET attempts = attempts - 1,
        claim_at = kingup_now() + greatest(interval '5 seconds',
            least(interval '1 hour', (kingup_now() - created_at) / 2))
    WHERE id = %(id)s AND attempts = %(attempts)s"""
_MAY_ASK = "SELECT pg_try_advisory_xact_lock(5464874)"
_OF_SEAT = "DELETE FROM mail_journal WHERE game_id = %(game)s AND seat = %(seat)s"
_GIVE_UP = f"""WITH old AS (DELETE FROM incoming_mail
        WHERE created_at < kingup_now() - interval '{GIVE_UP_DAYS} days' RETURNING id)
    INSERT INTO mail_journal (kind) SELECT '{IncomingKind.GIVEN_UP}' FROM old"""
_OLD_LINES = tuple(
    f"""WITH old AS MATERIALIZED (SELECT id FROM mail_journal
        WHERE {which} at < kingup_now() - interval '{days} days'
        ORDER BY at LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
    DELETE FROM mail_journal WHERE id IN (SELECT id FROM old)"""
    for which, days in (("", JOURNAL_DAYS), ("game_id IS NULL AND", STRAY_DAYS))
)


class Full(Exception):
    """As many wait already as may, of all or of its secret; it is sent again later."""


class TakenByOthers(Exception):
    """Somebody else has this mail by now."""


class Repeated(Exception):
    """The same mail of the same seat has been handled before."""


class IncomingMail(msgspec.Struct, frozen=True):
    """A mail that is ours for the length of its lease."""

    id: UUID
    raw: bytes
    envelope: str
    trusted: bool
    attempts: int


class JournalLine(msgspec.Struct, frozen=True):
    """What is told of a mail that was handled; of no seat where nobody knows whose."""

    kind: IncomingKind
    digest: bytes | None
    game_id: UUID | None = None
    seat: int | None = None
    secret_hash: bytes | None = None


def add(raw: bytes, envelope: str, *, trusted: bool = False) -> UUID:
    """Keep a mail until it is handled; its number. Raises Full.

    `envelope` is the address it was delivered to, "" where nobody says.
    """
    number, secret = entropy.identifier(), secret_of(raw, envelope)
    signed = secret is not None
    kept = sql.execute(
        _ADD,
        id=number,
        raw=raw,
        envelope=envelope,
        signed=signed,
        secret=None if secret is None else entropy.digest(secret),
        trusted=trusted,
        most=_MOST_WAITING[signed],
    )
    if not kept:
        raise Full
    return number


def secret_of(raw: bytes, envelope: str) -> str | None:
    """The first secret that we made in an address that a mail went to, if any.

    Where nobody says which that is, its headers do.
    """
    went_to = inbound_addresses.delivered_to(raw, envelope)
    found = (
        *inbound_addresses.answer_secrets(went_to),
        *inbound_addresses.bounce_secrets(went_to),
    )
    origin = signer(str(current_app.secret_key or "")).origin
    return next((each for each in found if origin(each) is Origin.MAILBOX), None)


def claim(number: UUID, lease: float) -> IncomingMail | None:
    """Take one mail for `lease` seconds; None where it isn't there, or not free."""
    return sql.struct(IncomingMail, _CLAIM, id=number, lease=lease)


def claim_next(lease: float) -> IncomingMail | None:
    """Take the mail that waits longest, one with a secret of ours first; None of none.

    One alone: whoever takes several may have no time for the last, and then they have
    been tried without anybody's having looked at them.
    """
    found = (
        sql.struct(IncomingMail, _CLAIM_NEXT, signed=signed, lease=lease)
        for signed in (True, False)
    )
    return next((mail for mail in found if mail is not None), None)


def settle(mail: IncomingMail, line: JournalLine) -> None:
    """End a mail, and tell what it was, in the transaction of what it has led to.

    Raises TakenByOthers, or Repeated where a mail of the seat with this digest was read
    before.
    """
    row = sql.row(
        _SETTLE,
        id=mail.id,
        attempts=mail.attempts,
        game=line.game_id,
        seat=line.seat,
        kind=line.kind,
        digest=line.digest,
        secret=line.secret_hash,
    )
    if row is None or not row.held:
        raise TakenByOthers
    if not row.told:
        raise Repeated


def put_off(mail: IncomingMail) -> None:
    """Have a mail wait that nothing is wrong with; that was no attempt to handle it.

    It waits half as long again as it has, five seconds at least and an hour at most.
    """
    sql.execute(_PUT_OFF, id=mail.id, attempts=mail.attempts)


def may_ask() -> bool:
    """Whether nobody else asks name servers; then nobody does until the caller ends.

    Ends with the caller's transaction. It is the whole instance's: senders choose how
    long they are waited for, and no number of them may hold up all that work here.
    """
    return bool(sql.value(_MAY_ASK))


def was_read(game_id: UUID, seat: int, digest: bytes | None) -> bool:
    """Whether a mail of the seat with this digest was read before."""
    return bool(sql.value(_WAS_READ, game=game_id, seat=seat, digest=digest))


# Whoever can write with somebody else's secret, and not as them, uses up nothing of
# theirs: hence several counts.
def are_too_many(game_id: UUID, seat: int) -> bool:
    """Whether as many mails of the seat's person were read in an hour as may be."""
    return _were_lately(game_id, seat, _PROVED, AN_HOUR)


def are_too_many_of_others(game_id: UUID, seat: int) -> bool:
    """Whether as many came in an hour from other senders who have a secret of it."""
    return _were_lately(game_id, seat, _OF_OTHERS, AN_HOUR)


def is_asked_too_often(game_id: UUID, seat: int, secret_hash: bytes | None) -> bool:
    """Whether too many mails came in an hour to look up who wrote more.

    Those with one secret, or of the whole seat if that is None. Far more than are read,
    for those in its person's name count with their own.
    """
    return _were_lately(game_id, seat, _LOOKED_UP, ASKED_AN_HOUR, secret_hash)


def _were_lately(
    game_id: UUID,
    seat: int,
    kinds: Sequence[str],
    most: int,
    secret_hash: bytes | None = None,
) -> bool:
    lately = sql.value(
        _LATELY,
        game=game_id,
        seat=seat,
        kinds=list(kinds),
        most=most,
        secret=secret_hash,
    )
    return bool(lately >= most)


def forget_seat(game_id: UUID, seat: int) -> None:
    """Erase the journal of whoever has the seat no more, or is being erased."""
    sql.execute(_OF_SEAT, game=game_id, seat=seat)


def give_up() -> None:
    """Erase mails that nobody could handle for days, with a line for each."""
    sql.execute(_GIVE_UP)


def forget_old(limit: int) -> int:
    """Erase old lines of the journal; how many, at most `limit` of each kind."""
    return max(sql.execute(statement, limit=limit) for statement in _OLD_LINES)
