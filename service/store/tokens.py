"""Personal access tokens: issued, listed, used, revoked."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from service.store import sql
from service.store.good_tokens import IS_GOOD
from service.store.grants import AGAIN_SECONDS
from service.values import entropy, signed_tokens
from service.values.signed_tokens import Origin

MOST = 100
"""The most tokens one person may have that are good."""

USED_EVERY_MINUTES = 5
"""How exactly the last use of a token is kept."""

SHOWN_DAYS = 30
"""How long a token that is over is still listed."""

_COLUMNS = """id, name AS description, scopes, game_id AS game, created_at, expires_at,
    last_used_at, revoked_at"""
_ISSUE = f"""INSERT INTO token
        (id, token_hash, person_id, name, scopes, game_id, expires_at, maker_id)
    VALUES (%(id)s, %(hash)s, %(person)s, %(name)s, CAST(%(scopes)s AS text[]),
        %(game)s, %(expires)s, %(maker)s)
    RETURNING {_COLUMNS}"""
_BY_HASH = f"SELECT {_COLUMNS} FROM token WHERE token_hash = %(hash)s"
_OF_PERSON = f"""SELECT {_COLUMNS} FROM token WHERE person_id = %(person)s
    ORDER BY created_at DESC, id"""
_BEARER = f"""SELECT t.person_id, t.scopes, t.game_id FROM token t
    WHERE t.token_hash = %(hash)s AND {IS_GOOD}"""
_OVER = f"""SELECT t.revoked_at IS NOT NULL FROM token t
    WHERE t.token_hash = %(hash)s AND NOT ({IS_GOOD})"""
_COUNT = f"""SELECT count(*) FROM token t
    WHERE t.person_id = %(person)s AND {IS_GOOD}"""
_MAKE_ROOM = f"""UPDATE token SET revoked_at = kingup_now() WHERE id IN (
        SELECT t.id FROM token t WHERE t.person_id = %(person)s AND {IS_GOOD}
        ORDER BY coalesce(t.last_used_at, t.created_at) DESC, t.id OFFSET {MOST - 1})"""
_REVOKE = """UPDATE token SET revoked_at = coalesce(revoked_at, kingup_now())
    WHERE id = %(id)s AND person_id = %(person)s"""
# Whoever had the first value of a token that is shown anew may have made others with
# it.
_END = """WITH RECURSIVE ended AS (
        SELECT id FROM token
        WHERE id = %(id)s AND person_id = %(person)s AND revoked_at IS NULL
        UNION SELECT t.id FROM token t JOIN ended e ON t.maker_id = e.id
        WHERE t.person_id = %(person)s)
    UPDATE token SET revoked_at = coalesce(revoked_at, kingup_now())
    WHERE id IN (SELECT id FROM ended)"""
_RENEW = f"""UPDATE token t SET token_hash = %(hash)s
    WHERE t.id = %(id)s AND t.person_id = %(person)s AND {IS_GOOD}
        AND t.created_at > kingup_now() - interval '{AGAIN_SECONDS} seconds'
        AND coalesce(t.expires_at, 'infinity') <= (
            SELECT coalesce(m.expires_at, 'infinity') FROM token m
            WHERE m.token_hash = %(maker)s)"""
_SITS = "SELECT FROM seat WHERE game_id = %(game)s AND person_id = %(person)s"
_USED = f"""UPDATE token SET last_used_at = kingup_now()
    WHERE token_hash IN (SELECT token_hash FROM token
        WHERE token_hash = ANY(%(hashes)s) AND (last_used_at IS NULL
            OR last_used_at < kingup_now() - interval '{USED_EVERY_MINUTES} minutes')
        ORDER BY token_hash FOR UPDATE SKIP LOCKED)"""

_HOLDERS = "SELECT token_hash, person_id FROM token WHERE token_hash = ANY(%(hashes)s)"
_FORGET = f"""DELETE FROM token
    WHERE revoked_at < kingup_now() - interval '{SHOWN_DAYS} days'
        OR expires_at < kingup_now() - interval '{SHOWN_DAYS} days'"""


class BearerRow(msgspec.Struct, frozen=True):
    """Whose token it is, and what it may do."""

    person_id: UUID
    scopes: tuple[str, ...]
    game_id: UUID | None


class TokenRow(msgspec.Struct, frozen=True):
    """A token without its value."""

    id: UUID
    description: str
    scopes: tuple[str, ...]
    game: UUID | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


class Issued(msgspec.Struct, frozen=True):
    """A new token, with the value that is told once."""

    row: TokenRow
    token: str


def fresh_token(origin: Origin = Origin.MAILBOX) -> str:
    """The value of a new access token, kept nowhere yet."""
    return f"kup_{signed_tokens.make(origin)}"


def issue(
    person_id: UUID,
    name: str,
    scopes: Sequence[str],
    game_id: UUID | None = None,
    expires_at: datetime | None = None,
    origin: Origin = Origin.MAILBOX,
    maker_id: UUID | None = None,
) -> Issued:
    """A new token; `maker_id` is the one it is made with, if any."""
    token = fresh_token(origin)
    row = sql.row(
        _ISSUE,
        id=entropy.identifier(),
        hash=entropy.digest(token),
        person=person_id,
        name=name,
        scopes=list(scopes),
        game=game_id,
        expires=expires_at,
        maker=maker_id,
    )
    return Issued(_row(row), token)


def bearer(token_hash: bytes) -> BearerRow | None:
    """Whose token it is; None for one that is unknown, revoked or expired."""
    row = sql.row(_BEARER, hash=token_hash)
    if row is None:
        return None
    return BearerRow(row.person_id, tuple(row.scopes), row.game_id)


def was_revoked(token_hash: bytes) -> bool | None:
    """Whether a token that is over was revoked, or has expired; None for no such one.

    What is told to whoever shows the token itself, and to nobody else.
    """
    revoked: bool | None = sql.value(_OVER, hash=token_hash)
    return revoked


def by_hash(token_hash: bytes) -> TokenRow:
    """The token of a hash. Raises LookupError for one that was never ours."""
    row = sql.row(_BY_HASH, hash=token_hash)
    if row is None:
        raise LookupError(token_hash)
    return _row(row)


def of_person(person_id: UUID) -> tuple[TokenRow, ...]:
    """All tokens of somebody, also those that are over, the newest first."""
    return tuple(_row(row) for row in sql.rows(_OF_PERSON, person=person_id))


def count(person_id: UUID) -> int:
    """How many tokens of somebody are good."""
    number: int = sql.value(_COUNT, person=person_id)
    return number


def make_room(person_id: UUID) -> None:
    """Revoke what leaves no room for one more: what was used longest ago.

    One that was never used counts from when it was made. Inside the caller's
    transaction, which holds the person.
    """
    sql.execute(_MAKE_ROOM, person=person_id)


def revoke(person_id: UUID, token_id: UUID) -> bool:
    """End one of somebody's tokens; False when there is none of that id."""
    return bool(sql.execute(_REVOKE, id=token_id, person=person_id))


def end(person_id: UUID, token_id: UUID) -> bool:
    """End a token that somebody has, and all that were made with it.

    False for one that was revoked, or another's.
    """
    return bool(sql.execute(_END, id=token_id, person=person_id))


def renew(person_id: UUID, token_id: UUID, maker: bytes) -> str | None:
    """Another value for a token that was made just now: the first is good no more.

    None for one that is over, was made long enough ago to have arrived, or is good for
    longer than the one of the hash `maker`.
    """
    token = fresh_token()
    renewed = sql.execute(
        _RENEW,
        id=token_id,
        person=person_id,
        hash=entropy.digest(token),
        maker=maker,
    )
    return token if renewed else None


def sits(person_id: UUID, game_id: UUID) -> bool:
    """Whether somebody has a seat in a game, so that a token can be for it."""
    return bool(sql.execute(_SITS, game=game_id, person=person_id))


def used(token_hashes: Collection[bytes]) -> None:
    """Keep that tokens were used just now, each but once in a few minutes."""
    sql.execute(_USED, hashes=list(token_hashes))


def holders(token_hashes: Collection[bytes]) -> Mapping[bytes, UUID]:
    """Whose some tokens are, good or not, of those that there are."""
    found = sql.rows(_HOLDERS, hashes=list(token_hashes))
    return {row.token_hash: row.person_id for row in found}


def forget_old() -> None:
    """Erase tokens that have been over for long."""
    sql.execute(_FORGET)


def _row(row: Any) -> TokenRow:
    return TokenRow(**{**row._asdict(), "scopes": tuple(row.scopes)})
