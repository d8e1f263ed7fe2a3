"""Browsers that are remembered for one seat of one game: kept, listed, ended."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from service.store import sql
from service.store.lists import Cursor
from service.values import entropy, signed_tokens
from service.values.enums import NoticeKind
from service.values.signed_tokens import Origin

DAYS_UNUSED = 180
"""So long after its last use a browser is still remembered."""

DAYS_AFTER = 30
"""So long after the end of its game, whichever comes first."""

MOST = 10
"""The most browsers of one seat; the one that was used longest ago makes room."""

USED_EVERY_DAYS = 1
"""How exactly the last use is kept."""

# Each statement that believes a browser asks for it: the row is erased later.
LIVE = f"""t.last_used_at > kingup_now() - interval '{DAYS_UNUSED} days'
    AND (t.closes_at IS NULL OR t.closes_at > kingup_now())"""
"""Whether a browser, the device `t`, is still remembered."""

# One moment for all: the clock goes on between two looks at it.
_REMEMBER = f"""INSERT INTO device (token_hash, game_id, person_id, seat, browser,
        system, created_at, last_used_at, closes_at, told_at)
    SELECT %(hash)s, g.id, %(person)s, %(seat)s, %(browser)s, %(system)s, n.at, n.at,
        g.ended_at + interval '{DAYS_AFTER} days', CASE WHEN g.practice THEN n.at END
    FROM game g, (SELECT kingup_now() AS at OFFSET 0) n WHERE g.id = %(game)s"""
_MAKE_ROOM = f"""DELETE FROM device WHERE id IN (SELECT id FROM device
        WHERE game_id = %(game)s AND person_id = %(person)s
        ORDER BY last_used_at DESC, created_at DESC, id OFFSET {MOST})"""
_COLUMNS = f"""t.id, t.game_id, t.seat, t.browser, t.system, t.created_at,
    t.last_used_at, least(t.last_used_at + interval '{DAYS_UNUSED} days', t.closes_at),
    coalesce(t.token_hash = %(own)s, false)"""
_OF_SEAT = f"""SELECT {_COLUMNS} FROM device t
    WHERE t.game_id = %(game)s AND t.person_id = %(person)s AND {LIVE}
    ORDER BY t.created_at DESC, t.id DESC"""
_OF_PERSON = f"""SELECT {_COLUMNS} FROM device t
    WHERE t.person_id = %(person)s AND {LIVE} AND (CAST(%(id)s AS uuid) IS NULL
        OR (t.created_at, t.id) < (CAST(%(at)s AS timestamptz), CAST(%(id)s AS uuid)))
    ORDER BY t.created_at DESC, t.id DESC LIMIT %(limit)s"""
_FORGET = """DELETE FROM device
    WHERE person_id = %(person)s AND id = ANY(CAST(%(ids)s AS uuid[])) RETURNING id"""
_FORGET_ONE = "DELETE FROM device WHERE token_hash = %(hash)s"
_FORGET_ALL = "DELETE FROM device WHERE person_id = %(person)s"
_USED = f"""UPDATE device SET last_used_at = kingup_now() WHERE token_hash IN (
        SELECT t.token_hash FROM device t
        WHERE t.token_hash = ANY(%(hashes)s) AND {LIVE}
            AND t.last_used_at < kingup_now() - interval '{USED_EVERY_DAYS} days'
        ORDER BY t.token_hash FOR UPDATE SKIP LOCKED)"""
_CLOSE = f"""UPDATE device SET closes_at = kingup_now() + interval '{DAYS_AFTER} days'
    WHERE game_id = %(game)s"""
_OLD = f"""WITH old AS MATERIALIZED (SELECT token_hash FROM device
        WHERE last_used_at < kingup_now() - interval '{DAYS_UNUSED} days'
            OR closes_at < kingup_now()
        LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
    DELETE FROM device WHERE token_hash IN (SELECT token_hash FROM old)"""
# One mail a game and day tells of all: whoever comes later that day is told the next.
_KEY = """t.game_id || '/devices/' || t.seat || '/'
    || to_char(kingup_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')"""
_TELL = f"""INSERT INTO notice (game_id, key, person_id, seat, kind)
    SELECT DISTINCT t.game_id, {_KEY}, t.person_id, t.seat, '{NoticeKind.DEVICES}'
    FROM device t JOIN person p ON p.id = t.person_id AND p.address IS NOT NULL
    WHERE t.told_at IS NULL AND {LIVE}
        AND (CAST(%(game)s AS uuid) IS NULL OR t.game_id = CAST(%(game)s AS uuid))
        AND NOT EXISTS (SELECT FROM notice n
            WHERE n.game_id = t.game_id AND n.key = {_KEY})
    LIMIT %(limit)s
    ON CONFLICT (game_id, key) DO NOTHING"""
_ASKED = """SELECT count(*) AS day, count(*) FILTER (
        WHERE created_at > kingup_now() - interval '1 hour') AS hour
    FROM notice WHERE game_id = %(game)s AND person_id = %(person)s
        AND kind = %(kind)s
        AND created_at > kingup_now() - interval '1 day'"""
_NOTIFIED = """UPDATE device SET told_at = kingup_now()
    WHERE game_id = %(game)s AND person_id = %(person)s AND told_at IS NULL"""


class Agent(msgspec.Struct, frozen=True):
    """What a browser says it is, and runs on: a family's name each, or nothing."""

    browser: str = ""
    system: str = ""


UNKNOWN = Agent()
"""A browser that says nothing of itself."""


class DeviceRow(msgspec.Struct, frozen=True):
    """A remembered browser. `last_used_at` is exact to a day; `own` is the asker's."""

    id: UUID
    game: UUID
    seat: int
    browser: str
    system: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    own: bool

    @property
    def agent(self) -> Agent:
        """What it said it was when it was remembered."""
        return Agent(self.browser, self.system)

    @property
    def cursor(self) -> Cursor:
        """Where a page ends that ends with this one."""
        return Cursor(self.created_at, self.id)


def remember(
    game_id: UUID,
    person_id: UUID,
    seat: int,
    agent: Agent = UNKNOWN,
    origin: Origin = Origin.MAILBOX,
) -> str:
    """A token for a browser that may act for one seat of one game."""
    token = signed_tokens.make(origin)
    sql.execute(
        _REMEMBER,
        game=game_id,
        person=person_id,
        seat=seat,
        hash=entropy.digest(token),
        **msgspec.structs.asdict(agent),
    )
    return token


def make_room(game_id: UUID, person_id: UUID) -> None:
    """End those of a seat that are more than MOST, the ones used longest ago."""
    sql.execute(_MAKE_ROOM, game=game_id, person=person_id)


def of_seat(
    game_id: UUID, person_id: UUID, own: bytes | None = None
) -> tuple[DeviceRow, ...]:
    """Whoever is remembered for somebody's seat in a game, the newest first.

    `own` is the hash of the asker's own token, if they have one.
    """
    return sql.structs(DeviceRow, _OF_SEAT, game=game_id, person=person_id, own=own)


def of_person(
    person_id: UUID, after: Cursor | None, limit: int | None
) -> tuple[DeviceRow, ...]:
    """Whoever is remembered for any seat of somebody, the newest first.

    At most `limit`, or all for None.
    """
    return sql.structs(
        DeviceRow,
        _OF_PERSON,
        person=person_id,
        at=after and after.created_at,
        id=after and after.id,
        limit=limit,
        own=None,
    )


def forget(person_id: UUID, ids: Sequence[UUID]) -> frozenset[UUID]:
    """End some of somebody's browsers; the ids of those that were there."""
    return frozenset(sql.values(_FORGET, person=person_id, ids=list(ids)))


def forget_one(token_hash: bytes) -> None:
    """End the browser that holds a token."""
    sql.execute(_FORGET_ONE, hash=token_hash)


def forget_all(person_id: UUID) -> None:
    """End all of somebody's browsers."""
    sql.execute(_FORGET_ALL, person=person_id)


def used(token_hashes: Collection[bytes]) -> None:
    """Keep that browsers were used just now, each but once a day."""
    sql.execute(_USED, hashes=list(token_hashes))


def close(game_id: UUID) -> None:
    """Let the browsers of a game that is over end in time."""
    sql.execute(_CLOSE, game=game_id)


def forget_old(limit: int) -> int:
    """Erase browsers that are remembered no more; how many, at most `limit`."""
    return sql.execute(_OLD, limit=limit)


def tell(game_id: UUID | None, limit: int) -> int:
    """Let people be mailed whom their seats remember, where they don't know yet.

    Of one game or of all; once a game and day. Returns how many, at most `limit`.
    """
    return sql.execute(_TELL, game=game_id, limit=limit)


def asked(game_id: UUID, person_id: UUID, kind: NoticeKind) -> tuple[int, int]:
    """How often somebody was mailed what is about browsers: in a day, in an hour."""
    (asked,) = sql.rows(_ASKED, game=game_id, person=person_id, kind=kind)
    return asked.day, asked.hour


def mark_notified(game_id: UUID, person_id: UUID) -> None:
    """Keep that somebody has been mailed which browsers their seat remembers."""
    sql.execute(_NOTIFIED, game=game_id, person=person_id)
