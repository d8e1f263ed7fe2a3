"""Personal access tokens: issued, listed, used, revoked."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Row, text

from service.models import db
from service.store import links
from service.store.grants import AGAIN_SECONDS
from service.values import entropy

MOST = 100
"""The most tokens one person may have that are good."""

USED_EVERY_MINUTES = 5
"""How exactly the last use of a token is kept."""

SHOWN_DAYS = 30
"""How long a token that is over is still listed."""

_COLUMNS = """id, name, scopes, game_id AS game, created_at, expires_at,
    last_used_at, revoked_at"""
_BY_HASH = text(f"SELECT {_COLUMNS} FROM token WHERE token_hash = :hash")
_OF_PERSON = text(
    f"""SELECT {_COLUMNS} FROM token WHERE person_id = :person
    ORDER BY created_at DESC, id"""
)
_COUNT = text(
    """SELECT count(*) FROM token WHERE person_id = :person AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > kingup_now())"""
)
_MAKE_ROOM = text(
    f"""UPDATE token SET revoked_at = kingup_now() WHERE id IN (
        SELECT id FROM token WHERE person_id = :person AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > kingup_now())
        ORDER BY coalesce(last_used_at, created_at) DESC, id OFFSET {MOST - 1})"""
)
_REVOKE = text(
    """UPDATE token SET revoked_at = coalesce(revoked_at, kingup_now())
    WHERE id = :id AND person_id = :person RETURNING id"""
)
_END = text(
    """UPDATE token SET revoked_at = kingup_now()
    WHERE id = :id AND person_id = :person AND revoked_at IS NULL RETURNING id"""
)
_RENEW = text(
    f"""UPDATE token SET token_hash = :hash
    WHERE id = :id AND person_id = :person AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > kingup_now())
        AND created_at > kingup_now() - interval '{AGAIN_SECONDS} seconds'
        AND coalesce(expires_at, 'infinity') <= (
            SELECT coalesce(m.expires_at, 'infinity') FROM token m
            WHERE m.token_hash = :maker)
    RETURNING id"""
)
_SITS = text("SELECT FROM seat WHERE game_id = :game AND person_id = :person")
_USED = text(
    f"""UPDATE token SET last_used_at = kingup_now() WHERE token_hash = ANY(:hashes)
        AND (last_used_at IS NULL OR last_used_at
            < kingup_now() - interval '{USED_EVERY_MINUTES} minutes')"""
)

_FORGET = text(
    f"""DELETE FROM token WHERE revoked_at < kingup_now() - interval '{SHOWN_DAYS} days'
        OR expires_at < kingup_now() - interval '{SHOWN_DAYS} days'"""
)


class TokenRow(msgspec.Struct, frozen=True):
    """A token without its value."""

    id: UUID
    name: str
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


def issue(
    person_id: UUID,
    name: str,
    scopes: Sequence[str],
    game_id: UUID | None = None,
    expires_at: datetime | None = None,
) -> Issued:
    """A new token, told once."""
    token = links.issue(person_id, name, scopes, game_id, expires_at)
    return Issued(by_hash(entropy.digest(token)), token)


def by_hash(token_hash: bytes) -> TokenRow:
    """The token of a hash. Raises LookupError for one that was never ours."""
    row = db.session.execute(_BY_HASH, {"hash": token_hash}).one_or_none()
    if row is None:
        raise LookupError(token_hash)
    return _row(row)


def of_person(person_id: UUID) -> tuple[TokenRow, ...]:
    """All tokens of somebody, also those that are over, the newest first."""
    found = db.session.execute(_OF_PERSON, {"person": person_id})
    return tuple(_row(row) for row in found)


def count(person_id: UUID) -> int:
    """How many tokens of somebody are good."""
    number: int = db.session.execute(_COUNT, {"person": person_id}).scalar_one()
    return number


def make_room(person_id: UUID) -> None:
    """Revoke what leaves no room for one more: what was used longest ago.

    One that was never used counts from when it was made. Inside the caller's
    transaction, which holds the person.
    """
    db.session.execute(_MAKE_ROOM, {"person": person_id})


def revoke(person_id: UUID, token_id: UUID) -> bool:
    """End one of somebody's tokens; False when there is none of that id."""
    values = {"id": token_id, "person": person_id}
    return db.session.execute(_REVOKE, values).one_or_none() is not None


def end(person_id: UUID, token_id: UUID) -> bool:
    """End a token that somebody has; False for one that was revoked, or another's."""
    values = {"id": token_id, "person": person_id}
    return db.session.execute(_END, values).one_or_none() is not None


def renew(person_id: UUID, token_id: UUID, maker: bytes) -> str | None:
    """Another value for a token that was made just now: the first is good no more.

    None for one that is over, was made long enough ago to have arrived, or is good for
    longer than the one of the hash `maker`.
    """
    token = links.fresh_token()
    found = db.session.execute(
        _RENEW,
        {
            "id": token_id,
            "person": person_id,
            "hash": entropy.digest(token),
            "maker": maker,
        },
    ).one_or_none()
    return None if found is None else token


def sits(person_id: UUID, game_id: UUID) -> bool:
    """Whether somebody has a seat in a game, so that a token can be for it."""
    values = {"game": game_id, "person": person_id}
    return db.session.execute(_SITS, values).first() is not None


def used(token_hashes: Collection[bytes]) -> None:
    """Keep that tokens were used just now, each but once in a few minutes."""
    db.session.execute(_USED, {"hashes": list(token_hashes)})


def forget_old() -> None:
    """Erase tokens that have been over for long."""
    db.session.execute(_FORGET)


def _row(row: Row[Any]) -> TokenRow:
    return TokenRow(**{**row._mapping, "scopes": tuple(row.scopes)})
