"""A game as the API shows it: the engine's view with names, times and words beside."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec

from engine import views
from engine.board import THRONE, PlaceKey, PlaceKind, Seat
from engine.commands import Answer, Chair, Move, Options
from engine.editions import edition
from engine.editions.base import Edition
from engine.state import Game, Kind, Phase
from engine.views import DecisionView, View
from service.present import labels, languages, nouns
from service.store import event_log
from service.store.games import GameReadModel, head_of
from service.store.seats import SeatRow
from service.values.enums import GameStatus, SeatState
from service.values.errors import NotFound

_WORDS: Final = 8192
"""How many answers, places and questions are kept in words: those of every edition."""


class Offer(msgspec.Struct, frozen=True):
    """An answer, as a button says it."""

    answer: Answer
    label: str
    nominates: bool


class FinalStanding(msgspec.Struct, frozen=True):
    """A place and who stands there."""

    key: str
    name: str
    kind: PlaceKind
    value: int
    capacity: int | None
    beside: str | None
    characters: Sequence[str]


class OpenDecision(msgspec.Struct, frozen=True):
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
    state: SeatState | None = None
    program: bool | None = None

    @property
    def kind(self) -> str:
        """What sits there: `person` or `bot`; the record knows of no open seat."""
        return "bot" if self.bot else "person"


class PresentedView(msgspec.Struct, frozen=True):
    """All that one viewer gets."""

    game: UUID
    status: GameStatus
    record: int
    head: str
    seats: Sequence[SeatRow | PastSeat]
    seat: int | None
    view: View
    places: Sequence[FinalStanding]
    decision: OpenDecision | None
    legal: Sequence[Offer]

    @property
    def first(self) -> Seat | None:
        """The seat that began the round; None before the start, when nobody has."""
        return self.view.first if self.view.totals else None


def now(seen: GameReadModel) -> PresentedView:
    """A game as whoever reads it may see it now."""
    # Asked for once: Babel's answer costs as much as all the places.
    language = languages.language()
    laid = None if seen.laid is None else tuple(Seat(seat) for seat in seen.laid)
    if seen.started_at is None:
        view = views.view_of_past(_before_start(seen, seen.game))
    else:
        viewer = None if seen.seat is None else Seat(seen.seat)
        view = views.view(seen.game, viewer, laid)
    return PresentedView(
        game=seen.id,
        status=seen.status,
        record=seen.record,
        head=head_of(seen.record, seen.head),
        seats=seen.seats,
        seat=seen.seat,
        view=view,
        places=_places(language, view),
        decision=_asked(language, view, seen.deadline),
        legal=_legal(language, view),
    )


def past(seen: GameReadModel, at: int) -> PresentedView:
    """A game right after record event `at`: the same for everybody and for good.

    Raises NotFound when the record is not that long.
    """
    game = event_log.at_record(seen.id, at)
    if game is None:
        raise NotFound(what="record", at=at, record=seen.record)
    language = languages.language()
    head = event_log.record_after(seen.id, at - 1, 1)[0].link.hex()
    # Before the table is closed the record knows of no seats and options.
    view = views.view_of_past(game if game.seats else _before_start(seen, game))
    return PresentedView(
        game=seen.id,
        status=_status(game),
        record=at,
        head=f"{at}:{head}",
        seats=[PastSeat(seat, chair.bot) for seat, chair in enumerate(view.seats)],
        seat=None,
        view=view,
        places=_places(language, view),
        decision=_asked(language, view, None),
        legal=(),
    )


def _legal(language: str, view: View) -> tuple[Offer, ...]:
    """What the viewer may answer now, in words."""
    if view.own is None or not view.own.legal:
        return ()
    return _offered(language, view, [each.answer for each in view.own.legal])


def _status(game: Game) -> GameStatus:
    if game.phase is Phase.OVER:
        return GameStatus.OVER
    return GameStatus.RUNNING if game.running else GameStatus.INVITING


def _before_start(seen: GameReadModel, game: Game) -> Game:
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


def _offered(language: str, view: View, answers: Iterable[Answer]) -> tuple[Offer, ...]:
    law, board = view.law, view.board
    leads = law.destinations(board)

    def offer(answer: Answer) -> Offer:
        if not isinstance(answer, Move):
            return _offer(language, law, answer, None, None)
        character = answer.character
        return _offer(language, law, answer, board.at[character], leads.get(character))

    return tuple(map(offer, answers))


@lru_cache(_WORDS)
def _offer(
    language: str,
    law: Edition,
    answer: Answer,
    origin: PlaceKey | None,
    to: PlaceKey | None,
) -> Offer:
    """An answer in words: the same in every game by these rules."""
    with languages.speaking(language):
        return Offer(answer, labels.button(law, answer, origin, to), to == THRONE)


@lru_cache(_WORDS)
def _place_name(language: str, law: Edition, key: PlaceKey) -> str:
    with languages.speaking(language):
        return nouns.name_of_place(law, key)


@lru_cache(_WORDS)
def _question(language: str, asked: DecisionView) -> str:
    with languages.speaking(language):
        return labels.question(asked)


def _places(language: str, view: View) -> tuple[FinalStanding, ...]:
    law = view.law
    return tuple(
        FinalStanding(
            key=each.place.key,
            name=_place_name(language, law, each.place.key),
            kind=each.place.kind,
            value=each.place.value,
            capacity=each.place.capacity,
            beside=each.place.beside,
            characters=each.characters,
        )
        for each in view.places
    )


def _asked(language: str, view: View, deadline: datetime | None) -> OpenDecision | None:
    asked = view.decision
    if asked is None:
        return None
    return OpenDecision(
        number=asked.number,
        kind=asked.kind,
        question=_question(
            language,
            # The question is the same whatever there is to choose from.
            DecisionView(0, asked.kind, None, asked.nominee, None, ()),
        ),
        seat=asked.seat,
        nominee=asked.nominee,
        mover=asked.mover,
        deadline=deadline,
        offers=_offered(language, view, asked.offers),
    )
