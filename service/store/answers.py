"""What a seat has answered, and what a reminder told of an election."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import text

from service.models import db
from service.store.games import Given

_GIVEN = text(
    """SELECT source, answer, receipt FROM answer
    WHERE game_id = :game AND decision = :decision AND seat = :seat"""
)


def given(game_id: UUID, decision: int, seat: int) -> Given | None:
    """What a seat has answered to a decision: for the eyes of that seat alone."""
    values = {"game": game_id, "decision": decision, "seat": seat}
    row = db.session.execute(_GIVEN, values).one_or_none()
    return None if row is None else Given(*row)


_SHOW_LAID = text("UPDATE game SET laid = CAST(:laid AS int[]) WHERE id = :game")


def show_laid(game_id: UUID, seats: Sequence[int]) -> None:
    """Keep what a reminder tells of an open election: who has laid a card by then."""
    db.session.execute(_SHOW_LAID, {"game": game_id, "laid": list(seats)})
