"""Mailed links, remembered devices and access tokens, kept by their hashes."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text

from service import entropy, proofs
from service.models import db
from service.proofs import Origin
from service.store.transactions import execute

_ADD = """INSERT INTO link (token_hash, purpose, game_id, person_id, seat, decision)
    VALUES (%(hash)s, %(purpose)s, %(game)s, %(person)s, %(seat)s, %(decision)s)"""
_FIND = text(
    """SELECT l.purpose, l.game_id, l.person_id, l.seat, l.decision
    FROM link l WHERE l.token_hash = :hash"""
)
_REMEMBER = text(
    """INSERT INTO device (token_hash, game_id, person_id, seat)
    VALUES (:hash, :game, :person, :seat)"""
)
_ISSUE = text(
    """INSERT INTO token (id, token_hash, person_id, name, scopes, game_id, expires_at)
    VALUES (:id, :hash, :person, :name, CAST(:scopes AS text[]), :game, :expires)"""
)
_BEARER = text(
    """SELECT person_id, scopes, game_id FROM token
    WHERE token_hash = :hash AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > kingup_now())"""
)


class LinkRow(msgspec.Struct, frozen=True):
    """What a mailed link is good for."""

    purpose: str
    game_id: UUID
    person_id: UUID
    seat: int
    decision: int | None


class BearerRow(msgspec.Struct, frozen=True):
    """Whose token it is, and what it may do."""

    person_id: UUID
    scopes: tuple[str, ...]
    game_id: UUID | None


def add(link: LinkRow) -> str:
    """A new token for a link, told once."""
    token = proofs.make()
    values = msgspec.structs.asdict(link)
    execute(
        _ADD,
        {
            "hash": entropy.digest(token),
            "game": values.pop("game_id"),
            "person": values.pop("person_id"),
            **values,
        },
    )
    return token


def find(token: str) -> LinkRow | None:
    """What a link's token is good for; None when it was never ours."""
    row = db.session.execute(_FIND, {"hash": entropy.digest(token)}).one_or_none()
    return None if row is None else LinkRow(*row)


def remember(
    game_id: UUID, person_id: UUID, seat: int, origin: Origin = Origin.MAILBOX
) -> str:
    """A token for a browser that may act for one seat of one game."""
    token = proofs.make(origin)
    values = {"game": game_id, "person": person_id, "seat": seat}
    db.session.execute(_REMEMBER, values | {"hash": entropy.digest(token)})
    return token


def issue(
    person_id: UUID,
    name: str,
    scopes: Sequence[str],
    game_id: UUID | None = None,
    expires_at: datetime | None = None,
    origin: Origin = Origin.MAILBOX,
) -> str:
    """A new personal access token, told once."""
    token = f"kup_{proofs.make(origin)}"
    db.session.execute(
        _ISSUE,
        {
            "id": entropy.identifier(),
            "hash": entropy.digest(token),
            "person": person_id,
            "name": name,
            "scopes": list(scopes),
            "game": game_id,
            "expires": expires_at,
        },
    )
    return token


def bearer(token_hash: bytes) -> BearerRow | None:
    """Whose token it is; None for one that is unknown, revoked or expired."""
    row = db.session.execute(_BEARER, {"hash": token_hash}).one_or_none()
    return None if row is None else BearerRow(row[0], tuple(row[1]), row[2])
