"""Networks and browsers from which somebody has proved their mailbox before."""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from sqlalchemy import text

from service.models import db
from service.store import devices

DAYS: Final = 180
"""How long a network is known after it was last proved from there."""

MOST: Final = 20
"""The most networks that are known of one person: the latest."""

_ADD = text(
    """INSERT INTO known_network (digest, person_id) VALUES (:digest, :person)
    ON CONFLICT (digest)
    DO UPDATE SET person_id = excluded.person_id, used_at = kingup_now()"""
)
_MAKE_ROOM = text(
    f"""DELETE FROM known_network WHERE digest IN (
        SELECT digest FROM known_network WHERE person_id = :person
        ORDER BY used_at DESC, digest OFFSET {MOST})"""
)
_FORGET_PERSON = text("DELETE FROM known_network WHERE person_id = :person")
_FORGET = text(
    f"""DELETE FROM known_network
    WHERE used_at < kingup_now() - interval '{DAYS} days'"""
)
_IS_THEIRS = text(
    f"""SELECT EXISTS (SELECT FROM known_network WHERE digest = :digest) AS network,
        EXISTS (SELECT FROM device t JOIN person p ON p.id = t.person_id
            WHERE t.token_hash = ANY(:devices) AND {devices.LIVE}
                AND p.address_key = :key AND p.verified_at IS NOT NULL) AS browser"""
)


def add(person_id: UUID, digest: bytes) -> None:
    """Keep that somebody has just proved their mailbox from a network."""
    db.session.execute(_ADD, {"person": person_id, "digest": digest})
    db.session.execute(_MAKE_ROOM, {"person": person_id})


def forget(person_id: UUID) -> None:
    """Erase the networks of somebody, who has another address from now on."""
    db.session.execute(_FORGET_PERSON, {"person": person_id})


def forget_old() -> None:
    """Erase networks from which nobody proved anything for long."""
    db.session.execute(_FORGET)


def is_theirs(key: str, digest: bytes, devices: Collection[bytes]) -> tuple[bool, bool]:
    """Whether the owner of an address is known at a network, and by their browser.

    `devices` are the hashes of what a browser says it is remembered by.
    """
    values = {"key": key, "digest": digest, "devices": list(devices)}
    row = db.session.execute(_IS_THEIRS, values).one()
    return row.network, row.browser
