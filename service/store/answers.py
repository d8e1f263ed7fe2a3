"""What a seat has answered, and what a reminder told of an election."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import text

from service.models import db
from service.store import publisher
from service.store.games import GivenAnswer

_GIVEN = text(
    """SELECT source, answer, receipt FROM answer
    WHERE game_id = :game AND decision = :decision AND seat = :seat"""
)


def given(game_id: UUID, decision: int, seat: int) -> GivenAnswer | None:
    """What a seat has answered to a decision: for the eyes of that seat alone."""
    values = {"game": game_id, "decision": decision, "seat": seat}
    row = db.session.execute(_GIVEN, values).one_or_none()
    return None if row is None else GivenAnswer(*row)


_OWN = text(
    """SELECT a.source, a.answer, a.receipt FROM answer a
    JOIN seat s ON s.game_id = a.game_id AND s.number = a.seat AND s.bot IS NULL
        AND s.state = 'joined' AND s.person_id = :person
    WHERE a.game_id = :game AND a.decision = :decision"""
)


def own(game_id: UUID, decision: int, person_id: UUID) -> GivenAnswer | None:
    """What somebody's own seat has answered to a decision.

    None alike for an open decision, another's, one of no number, and no game or seat.
    """
    values = {"game": game_id, "decision": decision, "person": person_id}
    row = db.session.execute(_OWN, values).one_or_none()
    return None if row is None else GivenAnswer(*row)


_SHOW_LAID = text("UPDATE game SET laid = CAST(:laid AS int[]) WHERE id = :game")


def show_laid(game_id: UUID, seats: Sequence[int]) -> None:
    """Keep what a reminder tells of an open election: who has laid a card by then."""
    db.session.execute(_SHOW_LAID, {"game": game_id, "laid": list(seats)})
    publisher.publish(game_id)
