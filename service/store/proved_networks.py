"""Networks and browsers from which somebody has proved their mailbox before."""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from service.store import devices, sql

DAYS: Final = 180
"""How long a network is known after it was last proved from there."""

MOST: Final = 20
"""The most networks that are known of one person: the latest."""

_ADD = """INSERT INTO known_network (digest, person_id) VALUES (%(digest)s, %(person)s)
    ON CONFLICT (digest)
    DO UPDATE SET person_id = excluded.person_id, used_at = kingup_now()"""
_MAKE_ROOM = f"""DELETE FROM known_network WHERE digest IN (
        SELECT digest FROM known_network WHERE person_id = %(person)s
        ORDER BY used_at DESC, digest OFFSET {MOST})"""
_FORGET_PERSON = "DELETE FROM known_network WHERE person_id = %(person)s"
_FORGET = f"""DELETE FROM known_network
    WHERE used_at < kingup_now() - interval '{DAYS} days'"""
_IS_THEIRS = f"""SELECT EXISTS (
            SELECT FROM known_network WHERE digest = %(digest)s) AS network,
        EXISTS (SELECT FROM device t JOIN person p ON p.id = t.person_id
            WHERE t.token_hash = ANY(%(devices)s) AND {devices.LIVE}
                AND p.address_key = %(key)s AND p.verified_at IS NOT NULL) AS browser"""


def add(person_id: UUID, digest: bytes) -> None:
    """Keep that somebody has just proved their mailbox from a network."""
    sql.execute(_ADD, person=person_id, digest=digest)
    sql.execute(_MAKE_ROOM, person=person_id)


def forget(person_id: UUID) -> None:
    """Erase the networks of somebody, who has another address from now on."""
    sql.execute(_FORGET_PERSON, person=person_id)


def forget_old() -> None:
    """Erase networks from which nobody proved anything for long."""
    sql.execute(_FORGET)


def is_theirs(key: str, digest: bytes, devices: Collection[bytes]) -> tuple[bool, bool]:
    """Whether the owner of an address is known at a network, and by their browser.

    `devices` are the hashes of what a browser says it is remembered by.
    """
    (known,) = sql.rows(_IS_THEIRS, key=key, digest=digest, devices=list(devices))
    return known.network, known.browser
