"""Mailed links, kept by their hashes."""

from uuid import UUID

import msgspec

from service.store import sql
from service.values import entropy, signed_tokens
from service.values.enums import LinkPurpose

REMEMBER_MINUTES = 60
"""How long a link is good that has a browser remembered; no other is mailed so long."""

DEVICES_DAYS = 180
"""How long a link is good that ends remembered browsers: as long as they may be."""

# They stand in the SQL as words, as in the index that knows such links alone: by a
# parameter no plan could count on it.
SHORT_LIVED = (LinkPurpose.REMEMBER.value, LinkPurpose.DEVICES.value)
"""The purposes of links that are good for a while alone."""

_ADD = """INSERT INTO link (token_hash, purpose, game_id, person_id, seat, decision)
    VALUES (%(hash)s, %(purpose)s, %(game_id)s, %(person_id)s, %(seat)s,
        %(decision)s)"""
# A mail that was being written while its reader's seat went to somebody else may have
# left a link.
_FIND = """SELECT l.purpose, l.game_id, l.person_id, l.seat, l.decision
    FROM link l WHERE l.token_hash = %(hash)s AND NOT EXISTS (
        SELECT FROM former_holder f
        JOIN seat s ON s.game_id = f.game_id AND s.number = f.seat
        WHERE f.game_id = l.game_id AND f.seat = l.seat AND f.person_id = l.person_id
            AND s.person_id IS DISTINCT FROM l.person_id)"""
_OPEN = f"""used_at IS NULL AND created_at > kingup_now() - CASE purpose
    WHEN '{LinkPurpose.REMEMBER}' THEN interval '{REMEMBER_MINUTES} minutes'
    ELSE interval '{DEVICES_DAYS} days' END"""
_IS_OPEN = f"SELECT {_OPEN} FROM link WHERE token_hash = %(hash)s"
# Asked once more where it is used up, in a statement after the game's lock: the hour
# may have passed since the page was shown, or while this waited.
_USE = f"""UPDATE link SET used_at = kingup_now()
    WHERE token_hash = %(hash)s AND {_OPEN}"""
_END = f"DELETE FROM link WHERE person_id = %(person)s AND purpose IN {SHORT_LIVED}"
# A day longer than any of them is good, so that whoever comes late is told why.
_OLD = f"""WITH old AS MATERIALIZED (SELECT token_hash FROM link
        WHERE purpose IN {SHORT_LIVED}
            AND created_at < kingup_now() - interval '{DEVICES_DAYS + 1} days'
        ORDER BY created_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
    DELETE FROM link WHERE token_hash IN (SELECT token_hash FROM old)"""


class LinkRow(msgspec.Struct, frozen=True):
    """What a mailed link is good for."""

    purpose: LinkPurpose
    game_id: UUID
    person_id: UUID
    seat: int
    decision: int | None


def add(link: LinkRow) -> str:
    """A new token for a link, told once."""
    token = signed_tokens.make()
    sql.execute(_ADD, hash=entropy.digest(token), **msgspec.structs.asdict(link))
    return token


def find(token: str) -> LinkRow | None:
    """What a link's token is good for; None when it was never ours."""
    return sql.struct(LinkRow, _FIND, hash=entropy.digest(token))


def is_open(token: str) -> bool:
    """Whether a link that is good for a while alone is good still."""
    return bool(sql.value(_IS_OPEN, hash=entropy.digest(token)))


def use(token: str) -> bool:
    """Use up a link that is good once; False when it is over, or was used before."""
    return bool(sql.execute(_USE, hash=entropy.digest(token)))


def end_short_lived(person_id: UUID) -> None:
    """End the links to what is somebody's: their browsers and days off."""
    sql.execute(_END, person=person_id)


def forget_old(limit: int) -> int:
    """Erase links that were good for a while alone; how many, at most `limit`."""
    return sql.execute(_OLD, limit=limit)
