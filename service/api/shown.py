"""A game as the API shows it: the engine's view with names, times and words beside."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from engine import views
from engine.board import PlaceKind, Seat
from engine.commands import Answer, Chair, Options
from engine.editions import edition
from engine.state import Game, Kind, Phase
from engine.views import View
from service import i18n, wording
from service.errors import NotFound
from service.store import log
from service.store.games import SeatRow, Seen


class Offer(msgspec.Struct, frozen=True):
    """An answer, as a button says it."""

    answer: Answer
    label: str
    nominates: bool


class Standing(msgspec.Struct, frozen=True):
    """A place and who stands there."""

    key: str
    name: str
    kind: PlaceKind
    value: int
    capacity: int | None
    beside: str | None
    characters: Sequence[str]


class Asked(msgspec.Struct, frozen=True):
    """The open decision in words, with its deadline."""

    number: int
    kind: Kind
    question: str
    seat: int | None
    nominee: str | None
    mover: int | None
    deadline: datetime | None
    offers: Sequence[Offer]


class PastSeat(msgspec.Struct, frozen=True):
    """A seat as the record knows it: without a name."""

    number: int
    bot: str | None
    name: str | None = None
    state: str | None = None
    program: bool | None = None


class Shown(msgspec.Struct, frozen=True):
    """All that one viewer gets."""

    game: UUID
    status: str
    record: int
    head: str
    seats: Sequence[SeatRow | PastSeat]
    view: View
    places: Sequence[Standing]
    decision: Asked | None
    legal: Sequence[Offer]


def now(seen: Seen) -> Shown:
    """A game as whoever reads it may see it now."""
    laid = None if seen.laid is None else tuple(Seat(seat) for seat in seen.laid)
    if seen.started_at is None:
        view = views.view_of_past(_before_start(seen, seen.game))
    else:
        viewer = None if seen.seat is None else Seat(seen.seat)
        view = views.view(seen.game, viewer, laid)
    return Shown(
        game=seen.id,
        status=seen.status,
        record=seen.record,
        head=f"{seen.record}:{seen.head.hex()}",
        seats=seen.seats,
        view=view,
        places=_places(view),
        decision=_asked(view, seen.deadline),
        legal=legal(view),
    )


def past(seen: Seen, at: int) -> Shown:
    """A game right after record event `at`: the same for everybody and for good.

    Raises NotFound when the record is not that long.
    """
    game = log.at_record(seen.id, at)
    if game is None:
        raise NotFound(what="record", at=at)
    head = log.record_after(seen.id, at - 1, 1)[0].link.hex()
    # Before the table is closed the record knows of no seats and options.
    view = views.view_of_past(game if game.seats else _before_start(seen, game))
    return Shown(
        game=seen.id,
        status=_status(game),
        record=at,
        head=f"{at}:{head}",
        seats=[PastSeat(seat, chair.bot) for seat, chair in enumerate(view.seats)],
        view=view,
        places=_places(view),
        decision=_asked(view, None),
        legal=(),
    )


def legal(view: View) -> tuple[Offer, ...]:
    """What the viewer may answer now, in words."""
    own = () if view.own is None else view.own.legal
    return tuple(
        Offer(each.answer, wording.label(view, each.answer), each.nominates)
        for each in own
    )


def _status(game: Game) -> str:
    if game.phase is Phase.OVER:
        return "over"
    return "running" if game.running else "inviting"


def _before_start(seen: Seen, game: Game) -> Game:
    """The empty castle of a table at which not everybody sits yet."""
    return msgspec.structs.replace(
        game,
        edition=seen.edition,
        rules=edition(seen.edition).rules,
        options=msgspec.convert(seen.options, Options),
        seats=tuple(
            Chair("bot" if seat.bot else "person", seat.bot) for seat in seen.seats
        ),
    )


def _places(view: View) -> tuple[Standing, ...]:
    everywhere = [each.place for each in view.places]
    return tuple(
        Standing(
            key=each.place.key,
            name=i18n.place_name(each.place, everywhere),
            kind=each.place.kind,
            value=each.place.value,
            capacity=each.place.capacity,
            beside=each.place.beside,
            characters=each.characters,
        )
        for each in view.places
    )


def _asked(view: View, deadline: datetime | None) -> Asked | None:
    asked = view.decision
    if asked is None:
        return None
    return Asked(
        number=asked.number,
        kind=asked.kind,
        question=wording.question(asked),
        seat=asked.seat,
        nominee=asked.nominee,
        mover=asked.mover,
        deadline=deadline,
        offers=tuple(
            Offer(answer, wording.label(view, answer), wording.nominates(view, answer))
            for answer in asked.offers
        ),
    )
