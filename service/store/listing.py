"""Lists of games: one's own, and those that everybody may find."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Row, text

from service.kinds import GameStatus, Visibility
from service.models import db
from service.store.links import BearerRow
from service.store.seats import ROWS, SeatRow

# What visibility.is_shown says, of one's own games and of those that are listed.
_PAGE = text(
    f"""SELECT g.id, g.status, g.edition, g.options, g.practice, g.visibility, g.record,
        g.head, g.created_at, g.started_at, g.ended_at, m.number AS seat,
        {ROWS} AS seats
    FROM game g LEFT JOIN seat m ON m.game_id = g.id AND m.bot IS NULL
        AND m.person_id = CAST(:person AS uuid) AND m.state <> 'declined'
        AND (CAST(:only AS uuid) IS NULL OR g.id = CAST(:only AS uuid))
    WHERE ((m.number IS NOT NULL AND (g.status <> 'draft' OR m.number = 0))
        OR (g.visibility = 'listed' AND g.status <> 'draft'
            AND (g.status <> 'over' OR g.started_at IS NOT NULL)))
        AND (CAST(:status AS text) IS NULL OR g.status = :status)
        AND (CAST(:edition AS text) IS NULL OR g.edition = :edition)
        AND (NOT :mine OR m.number IS NOT NULL)
        AND (NOT :open OR (g.visibility = 'listed' AND g.status = 'inviting'
            AND EXISTS (SELECT FROM seat f
                WHERE f.game_id = g.id AND f.state = 'open')))
        AND (CAST(:id AS uuid) IS NULL
            OR (g.created_at, g.id) < (CAST(:at AS timestamptz), CAST(:id AS uuid)))
    ORDER BY g.created_at DESC, g.id DESC LIMIT :limit"""
)


class Cursor(msgspec.Struct, frozen=True):
    """Where a page ends; no two games share it."""

    created_at: datetime
    id: UUID


class Wanted(msgspec.Struct, frozen=True):
    """Which games are wanted: all, where nothing is said.

    `open` are the listed tables with a seat for whoever comes, `mine` the reader's own.
    """

    status: GameStatus | None = None
    edition: str | None = None
    open: bool = False
    mine: bool = False


class Listed(msgspec.Struct, frozen=True):
    """A game in a list; `seat` is the reader's own."""

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
    seats: tuple[SeatRow, ...]

    @property
    def cursor(self) -> Cursor:
        """Where a page ends that ends with this game."""
        return Cursor(self.created_at, self.id)


def page(
    owner: BearerRow | None, wanted: Wanted, after: Cursor | None, limit: int
) -> tuple[Listed, ...]:
    """At most `limit` wanted games, the newest first: the owner's and the listed ones.

    A token for one game counts that one alone as its owner's.
    """
    values = msgspec.structs.asdict(wanted) | {
        "person": owner and owner.person_id,
        "only": owner and owner.game_id,
        "at": after and after.created_at,
        "id": after and after.id,
        "limit": limit,
    }
    return tuple(_listed(row) for row in db.session.execute(_PAGE, values))


def _listed(row: Row[Any]) -> Listed:
    seats = tuple(SeatRow.of(*seat) for seat in row.seats)
    status, visibility = GameStatus(row.status), Visibility(row.visibility)
    told = {"seats": seats, "status": status, "visibility": visibility}
    return Listed(**{**row._mapping, **told})
