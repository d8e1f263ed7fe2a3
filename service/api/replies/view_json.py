"""A view as JSON, written in one go: what `ViewSchema` says, without its detours."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from engine.board import Card, Character, Seat
from engine.commands import Options
from engine.state import Kind, Phase
from engine.views import ElectionView, Own, RoundView, Showing
from service.api.replies.game_view import (
    FinalStanding,
    Offer,
    OpenDecision,
    PastSeat,
    PresentedView,
)
from service.api.schemas.base import moment
from service.store.seats import SeatRow


class _Seat(msgspec.Struct, frozen=True):
    number: int
    name: str | None
    kind: str
    bot: str | None
    state: str | None
    program: bool | None


class _Decision(msgspec.Struct, frozen=True):
    number: int
    kind: Kind
    question: str
    seat: int | None
    nominee: Character | None
    mover: int | None
    deadline: str | None
    offers: Sequence[Offer]


class _Own(msgspec.Struct, frozen=True):
    seat: Seat
    favourites: Sequence[Character]
    hand: Sequence[Card]
    laid: Card | None


# Marshmallow doesn't see this: a test holds it to `ViewSchema`.
class _View(msgspec.Struct, frozen=True):
    game: UUID
    status: str
    record: int
    head: str
    seats: Sequence[_Seat]
    seat: int | None
    edition: str
    rules: int
    options: Options
    phase: Phase
    round: int
    first: Seat | None
    crown: Seat | None
    places: Sequence[FinalStanding]
    unplaced: Sequence[Character]
    hand: Sequence[Card]
    decision: _Decision | None
    elections: Sequence[ElectionView]
    showings: Sequence[Showing]
    laid: Sequence[Seat] | None
    rounds: Sequence[RoundView]
    totals: Sequence[int]
    reason: str | None
    winners: Sequence[Seat]
    own: _Own | None
    legal: Sequence[Offer]


_encode = msgspec.json.Encoder().encode


def view(shown: PresentedView) -> bytes:
    """A view as its readers get it."""
    seen = shown.view
    return _encode(
        _View(
            game=shown.game,
            status=shown.status,
            record=shown.record,
            head=shown.head,
            seats=[_seat(each) for each in shown.seats],
            seat=shown.seat,
            edition=seen.edition,
            rules=seen.rules,
            options=seen.options,
            phase=seen.phase,
            round=seen.round,
            first=shown.first,
            crown=seen.crown,
            places=shown.places,
            unplaced=seen.unplaced,
            hand=seen.hand,
            decision=None if shown.decision is None else _decision(shown.decision),
            elections=seen.elections,
            showings=seen.showings,
            laid=seen.laid,
            rounds=seen.rounds,
            totals=seen.totals,
            reason=seen.reason,
            winners=seen.winners,
            own=None if seen.own is None else _own(seen.own),
            legal=shown.legal,
        )
    )


def _seat(seat: SeatRow | PastSeat) -> _Seat:
    return _Seat(
        number=seat.number,
        name=seat.name,
        kind=seat.kind,
        bot=seat.bot,
        state=seat.state,
        program=seat.program,
    )


def _decision(asked: OpenDecision) -> _Decision:
    return _Decision(
        number=asked.number,
        kind=asked.kind,
        question=asked.question,
        seat=asked.seat,
        nominee=asked.nominee,
        mover=asked.mover,
        deadline=None if asked.deadline is None else moment(asked.deadline),
        offers=asked.offers,
    )


def _own(own: Own) -> _Own:
    return _Own(own.seat, own.favourites, own.hand, own.laid)
