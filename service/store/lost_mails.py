"""Addresses whose mails somebody misses: kept until the worker has looked, then a day.

Whatever is known of an address, the same statement writes the same row for it.
"""

from typing import Final
from uuid import UUID

import msgspec

from service.store import leased_queue, sql
from service.store.seats import PERSON_HAS_JOINED

A_DAY: Final = 5
"""The most asks for one address in 24 hours, and one in an hour; more do nothing."""

_ASK = f"""INSERT INTO lost_mail (address_key) VALUES (%(key)s)
    ON CONFLICT (address_key) DO UPDATE SET asked_at = kingup_now(),
        claim_at = kingup_now(), settled_at = NULL, attempts = 0,
        times = lost_mail.times + 1
    WHERE lost_mail.asked_at < kingup_now() - interval '1 hour'
        AND lost_mail.times < {A_DAY}"""
_WAITING = "settled_at IS NULL"
_ORDER = "ORDER BY claim_at LIMIT %(limit)s"
_CLAIM = f"""{leased_queue.claim("lost_mail", "address_key", _WAITING, order=_ORDER)}
    RETURNING address_key, attempts"""
_SETTLE = f"""UPDATE lost_mail SET settled_at = kingup_now()
    WHERE address_key = %(key)s AND {leased_queue.IS_HELD}"""
_SEATS = f"""SELECT p.id AS person_id, s.game_id, s.number AS seat
    FROM person p JOIN seat s ON s.person_id = p.id
    WHERE p.address_key = %(key)s AND NOT s.ended AND {PERSON_HAS_JOINED}"""
_OLD = """WITH old AS MATERIALIZED (SELECT address_key FROM lost_mail
        WHERE first_at < kingup_now() - interval '1 day'
        ORDER BY first_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
    DELETE FROM lost_mail WHERE address_key IN (SELECT address_key FROM old)"""


class Ask(msgspec.Struct, frozen=True):
    """An address that is ours to look for, for the length of a lease."""

    address_key: str
    attempts: int


class PlayedSeat(msgspec.Struct, frozen=True):
    """A seat that somebody plays."""

    person_id: UUID
    game_id: UUID
    seat: int


def ask(key: str) -> None:
    """Keep that mails to an address, by its key, are missed."""
    sql.execute(_ASK, key=key)


def claim(limit: int, lease: float) -> tuple[Ask, ...]:
    """Take what waits, for `lease` seconds, longer at each attempt; at most `limit`."""
    return sql.structs(Ask, _CLAIM, limit=limit, lease=lease)


def settle(found: Ask) -> None:
    """Close an ask: whatever was to be mailed is written."""
    sql.execute(_SETTLE, key=found.address_key, attempts=found.attempts)


def seats(found: Ask) -> tuple[PlayedSeat, ...]:
    """Where whoever has the address plays; nothing for nobody's."""
    return sql.structs(PlayedSeat, _SEATS, key=found.address_key)


def forget_old(limit: int) -> int:
    """Erase addresses a day after they were asked for; how many, at most `limit`."""
    return sql.execute(_OLD, limit=limit)
