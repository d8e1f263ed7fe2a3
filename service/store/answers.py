"""What a seat has answered, and what a reminder told of an election."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec

from service.store import publisher, sql
from service.store.games import GivenAnswer
from service.store.seats import PERSON_HAS_JOINED

FORMER: Final = "former"
"""The source of what a seat's former person answered: no receipt of it is told."""

_GIVEN = """SELECT source, answer, receipt, reopened FROM answer
    WHERE game_id = %(game)s AND decision = %(decision)s AND seat = %(seat)s"""


def current_receipt(kept: bytes) -> bytes:
    """A receipt that was kept: before 0.1.0 its `revision` was called `record`."""
    return kept.replace(b'"record":', b'"revision":', 1)


def _answer(
    source: str, answer: bytes, receipt: bytes, reopened: int | None
) -> GivenAnswer:
    return GivenAnswer(source, answer, current_receipt(receipt), reopened)


def given(game_id: UUID, decision: int, seat: int) -> GivenAnswer | None:
    """What a seat has answered to a decision: for the eyes of that seat alone."""
    return sql.struct(_answer, _GIVEN, game=game_id, decision=decision, seat=seat)


REVEALED: Final = """EXISTS (SELECT FROM event e
    WHERE e.game_id = a.game_id AND e.decision = a.decision)"""
"""Whether the cards of the election lie open that an answer `a` belongs to."""

_OWN = f"""SELECT a.source, a.answer, a.receipt, a.reopened,
        CASE WHEN {REVEALED} THEN a.wished END AS wished FROM answer a
    JOIN seat s ON s.game_id = a.game_id AND s.number = a.seat
        AND {PERSON_HAS_JOINED} AND s.person_id = %(person)s
    WHERE a.game_id = %(game)s AND a.decision = %(decision)s
        AND a.source <> '{FORMER}'"""


class ReadBack(msgspec.Struct, frozen=True):
    """What somebody's seat has answered, or was answered for it.

    `reopened` is the decision that was put instead, where it was taken back; `wished`
    the card that a standing answer named and the seat didn't hold, once the election is
    over.
    """

    source: str
    answer: bytes
    receipt: bytes
    reopened: int | None
    wished: str | None


def own(game_id: UUID, decision: int, person_id: UUID) -> ReadBack | None:
    """What somebody's own seat has answered to a decision.

    None alike for an open decision, another's, one of no number, and no game or seat.
    """
    found = sql.struct(
        ReadBack, _OWN, game=game_id, decision=decision, person=person_id
    )
    if found is None:
        return None
    return msgspec.structs.replace(found, receipt=current_receipt(found.receipt))


_WISHED = f"""SELECT a.wished FROM answer a WHERE a.game_id = %(game)s
    AND a.decision = %(decision)s AND a.seat = %(seat)s AND {REVEALED}
    AND a.source <> '{FORMER}'"""


def wished(game_id: UUID, decision: int, seat: int) -> str | None:
    """The card that a seat's standing answer named in an election that is over.

    Only where a Yes was laid in its place: for the eyes of that seat alone.
    """
    found: str | None = sql.value(_WISHED, game=game_id, decision=decision, seat=seat)
    return found


# What was said with it stays, for it has been read; whoever reads it is told.
_TAKE_BACK = """WITH said AS (UPDATE message SET taken_back = true
        WHERE game_id = %(game)s AND decision = %(decision)s)
    UPDATE answer SET reopened = %(reopened)s
    WHERE game_id = %(game)s AND decision = %(decision)s"""


def take_back(game_id: UUID, decision: int, reopened: int) -> None:
    """Keep that a placement or move was taken back, and asked again as `reopened`."""
    sql.execute(_TAKE_BACK, game=game_id, decision=decision, reopened=reopened)


_SHOW_LAID = "UPDATE game SET laid = CAST(%(laid)s AS int[]) WHERE id = %(game)s"


def show_laid(game_id: UUID, seats: Sequence[int]) -> None:
    """Keep what a reminder tells of an open election: who has laid a card by then."""
    sql.execute(_SHOW_LAID, game=game_id, laid=list(seats))
    publisher.publish(game_id)
