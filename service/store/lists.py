"""Lists of games: one's own, and those that everybody may find."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec

from engine.editions import EDITIONS
from service.store import sql
from service.store.seats import PERSON_BELONGS, ROWS, SEAT_AND_BESIDE, SeatRow
from service.store.tokens import BearerRow
from service.values.enums import GameStatus, Visibility

# The newest of each status and edition are read by an index and merged: what is listed
# besides costs nothing, and neither does a page far behind.
_BEFORE = "< (CAST(%(at)s AS timestamptz), CAST(%(id)s AS uuid))"
_NEWEST = "ORDER BY g.created_at DESC, g.id DESC LIMIT %(limit)s"
_IS_OWN = f"""{PERSON_BELONGS}
    AND (CAST(%(only)s AS uuid) IS NULL OR s.game_id = CAST(%(only)s AS uuid))"""
# Asked for each game: else all seats there are would be read at once.
_OPEN = """(NOT %(open)s OR (SELECT true FROM seat f
    WHERE f.game_id = g.id AND f.state = 'open' LIMIT 1))"""

# What visibility.is_shown says, of one's own games and of those that are listed.
_PAGE = f"""WITH own AS (
        SELECT g.id FROM seat s JOIN game g ON g.id = s.game_id
        WHERE s.person_id = CAST(%(person)s AS uuid) AND {_IS_OWN}
            AND (g.status <> 'draft' OR s.number = 0)
            AND g.status = ANY(CAST(%(statuses)s AS text[]))
            AND (CAST(%(edition)s AS text) IS NULL OR g.edition = %(edition)s)
            AND (NOT %(open)s OR g.visibility = 'listed') AND {_OPEN}
            AND (g.created_at, g.id) {_BEFORE}
        {_NEWEST}
    ), listed AS (
        SELECT g.id FROM unnest(CAST(%(statuses)s AS text[])) w (status)
        CROSS JOIN unnest(CAST(%(editions)s AS text[])) e (edition)
        CROSS JOIN LATERAL (SELECT g.id, g.created_at FROM game g
            WHERE g.visibility = 'listed' AND g.status = w.status
                AND g.edition = e.edition
                AND (g.status <> 'over' OR g.started_at IS NOT NULL) AND {_OPEN}
                AND (g.created_at, g.id) {_BEFORE}
            {_NEWEST}) g
        WHERE w.status <> 'draft' AND NOT %(mine)s
        {_NEWEST}
    )
    SELECT g.id, g.status, g.edition, g.options, g.practice, g.visibility, g.record,
        g.head, g.created_at, g.started_at, g.ended_at, {SEAT_AND_BESIDE},
        {ROWS} AS seats
    FROM (SELECT id FROM own UNION SELECT id FROM listed) wanted
    JOIN game g ON g.id = wanted.id
    LEFT JOIN seat s ON s.game_id = g.id AND s.person_id = CAST(%(person)s AS uuid)
        AND {_IS_OWN}
    {_NEWEST}"""


class Cursor(msgspec.Struct, frozen=True):
    """Where a page ends; no two games share it."""

    created_at: datetime
    id: UUID


_BEHIND_ALL = Cursor(datetime.max.replace(tzinfo=UTC), UUID(int=2**128 - 1))
"""Where a first page begins."""


class GameFilter(msgspec.Struct, frozen=True):
    """Which games are wanted: all, where nothing is said.

    `open` are the listed tables with a seat for whoever comes, `mine` the reader's own.
    """

    status: GameStatus | None = None
    edition: str | None = None
    open: bool = False
    mine: bool = False


class Listed(msgspec.Struct, frozen=True):
    """A game in a list; `seat` is the reader's own, `beside` if a bot keeps it."""

    id: UUID
    status: GameStatus
    edition: str
    options: dict[str, object]
    practice: bool
    visibility: Visibility
    record: int
    head: bytes
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    seat: int | None
    beside: int | None
    seats: tuple[SeatRow, ...]

    @property
    def cursor(self) -> Cursor:
        """Where a page ends that ends with this game."""
        return Cursor(self.created_at, self.id)


def page(
    owner: BearerRow | None, wanted: GameFilter, after: Cursor | None, limit: int
) -> tuple[Listed, ...]:
    """At most `limit` wanted games, the newest first: the owner's and the listed ones.

    A token for one game counts that one alone as its owner's.
    """
    cursor = after or _BEHIND_ALL
    values = {
        "person": owner and owner.person_id,
        "only": owner and owner.game_id,
        "statuses": _statuses(wanted),
        "edition": wanted.edition,
        "editions": [wanted.edition] if wanted.edition else list(EDITIONS),
        "open": wanted.open,
        "mine": wanted.mine,
        "at": cursor.created_at,
        "id": cursor.id,
        "limit": limit,
    }
    return tuple(_listed(row) for row in sql.rows(_PAGE, **values))


def _statuses(wanted: GameFilter) -> list[GameStatus]:
    """Whatever a wanted game may be."""
    found = list(GameStatus) if wanted.status is None else [wanted.status]
    return [each for each in found if each is GameStatus.INVITING or not wanted.open]


def _listed(row: Any) -> Listed:
    seats = tuple(SeatRow.of(*seat) for seat in row.seats)
    status, visibility = GameStatus(row.status), Visibility(row.visibility)
    typed = {"seats": seats, "status": status, "visibility": visibility}
    return Listed(**{**row._asdict(), **typed})
