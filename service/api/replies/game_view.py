"""A game as the API shows it: the engine's view with names, times and words beside."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from engine import views
from engine.board import THRONE, Card, Character, PlaceKey, PlaceKind, Seat
from engine.commands import Answer, Chair, Move, Options
from engine.editions import edition
from engine.editions.base import Edition
from engine.state import Game, Kind, Phase
from engine.views import DecisionView, ElectionView, Own, RoundView, Showing, View
from service.api.http import replies
from service.api.http.replies import Head, Moment, Revision
from service.present import labels, languages, nouns
from service.store import event_log
from service.store.games import GameReadModel, head_of
from service.store.seats import SeatRow
from service.values.enums import EndReason, GameStatus, SeatKind, SeatState
from service.values.errors import NotFound

_WORDS: Final = 8192
"""How many answers, places and questions are kept in words: those of every edition."""


class SeatReply(msgspec.Struct, frozen=True):
    """A place at the table.

    A seat of kind `open` is for whoever comes first. In a view of the past `name` and
    `state` are null: they are no part of the record.
    """

    number: int
    name: str | None
    kind: SeatKind
    bot: Annotated[str | None, replies.one_of("BotKind")]
    state: SeatState | None
    program: Annotated[
        bool | None,
        Meta(description="A program plays for the person, as they say."),
    ]


class OfferReply(msgspec.Struct, frozen=True):
    """An answer one may give: send `answer` verbatim."""

    answer: Answer
    label: Annotated[str, Meta(description="In the reader's language.")]
    nominates: Annotated[
        bool, Meta(description="Whether it leads onto the throne: an election.")
    ]


class PlaceReply(msgspec.Struct, frozen=True):
    """A place where characters stand, top to bottom in lists."""

    key: PlaceKey
    label: Annotated[str, Meta(description="In the reader's language.")]
    kind: PlaceKind
    value: Annotated[int, Meta(description="Points at a coronation.")]
    capacity: Annotated[
        int | None, Meta(description="The most it holds; null: no limit.")
    ]
    beside: Annotated[
        PlaceKey | None, Meta(description="The floor a place aside belongs to.")
    ]


class StandingReply(PlaceReply, frozen=True):
    """A place and who stands there."""

    characters: Sequence[Character]


class DecisionReply(msgspec.Struct, frozen=True):
    """The question the game waits on; `offers` is what it allows anybody."""

    number: int
    kind: Kind
    question: Annotated[str, Meta(description="In the reader's language.")]
    seat: Annotated[int | None, Meta(description="Who is asked; null: everybody.")]
    nominee: Annotated[
        Character | None,
        Meta(description="Who would be king; null outside an election."),
    ]
    mover: Annotated[
        int | None,
        Meta(description="The seat that put them up; null where nobody did."),
    ]
    deadline: Annotated[
        Moment | None,
        Meta(description="When it is answered for whoever hasn't; or null."),
    ]
    offers: Annotated[
        Sequence[OfferReply],
        Meta(
            description="What the rules allow, the same for every reader; what you may"
            " answer yourself is `legal`."
        ),
    ]


class OwnReply(msgspec.Struct, frozen=True):
    """What is your seat's own; nobody else gets it."""

    seat: Seat
    favourites: Annotated[
        Sequence[Character],
        Meta(description="The characters on your card, which bring you points."),
    ]
    hand: Annotated[
        Sequence[Card],
        Meta(description="The cards you still hold; all began with `starting_hand`."),
    ]
    ballot: Annotated[
        Card | None,
        Meta(description="The card you have laid in the open election."),
    ]


class ViewReply(msgspec.Struct, frozen=True):
    """A game as one viewer may see it now, or as everybody may know it was."""

    game: UUID
    status: GameStatus
    revision: Revision
    head: Head
    seats: Sequence[SeatReply]
    seat: Annotated[
        int | None,
        Meta(
            description="Your own, also when the game is over; null for whoever sits"
            " elsewhere, and in the past."
        ),
    ]
    edition: Annotated[str, replies.one_of("EditionKey")]
    rules: Annotated[int, Meta(description="The version of its rules.")]
    options: Options
    phase: Phase
    round: int
    starting_seat: Annotated[
        Seat | None,
        Meta(description="The seat that began the round; null before the start."),
    ]
    crown: Seat | None
    places: Sequence[StandingReply]
    unplaced: Annotated[
        Sequence[Character],
        Meta(description="Characters that have no place yet this round."),
    ]
    starting_hand: Annotated[
        Sequence[Card],
        Meta(
            description="The cards with which every seat begins a round; what you still"
            " hold is `own.hand`."
        ),
    ]
    decision: DecisionReply | None
    elections: Annotated[
        Sequence[ElectionView],
        Meta(description="Those of this round that are over, in their order."),
    ]
    showings: Annotated[
        Sequence[Showing],
        Meta(description="Cards served by name now; none in the past."),
    ]
    laid: Annotated[
        Sequence[Seat] | None,
        Meta(
            description="Who had laid a card at an election's latest reminder; null"
            " before the first one."
        ),
    ]
    scored_rounds: Annotated[
        Sequence[RoundView], Meta(description="Those that are over, in their order.")
    ]
    totals: Sequence[int]
    end_reason: Annotated[
        EndReason | None, Meta(description="How it ended; null while it hasn't.")
    ]
    winners: Sequence[Seat]
    own: Annotated[
        OwnReply | None,
        Meta(
            description="What your seat alone knows; null for whoever has none, and"
            " before and after the game."
        ),
    ]
    legal: Annotated[
        Sequence[OfferReply],
        Meta(description="What you may answer now; empty when not asked."),
    ]


class _Frame(msgspec.Struct, frozen=True):
    """What stands around the engine's view: whose game, when, who sits there."""

    game: UUID
    status: GameStatus
    revision: int
    head: str
    seats: Sequence[SeatReply]
    seat: int | None
    deadline: datetime | None


def now(seen: GameReadModel) -> ViewReply:
    """A game as whoever reads it may see it now."""
    frame = _Frame(
        game=seen.id,
        status=seen.status,
        revision=seen.record,
        head=head_of(seen.record, seen.head),
        seats=[seat_reply(seat) for seat in seen.seats],
        seat=seen.seat,
        deadline=seen.deadline,
    )
    return _told(frame, view_now(seen))


def past(seen: GameReadModel, at: int) -> ViewReply:
    """A game right after record event `at`: the same for everybody and for good.

    Raises NotFound when the record is not that long.
    """
    game = _at(seen, at)
    view = _view_past(seen, game)
    head = event_log.record_after(seen.id, at - 1, 1)[0].link.hex()
    frame = _Frame(
        game=seen.id,
        status=_status(game),
        revision=at,
        head=f"{at}:{head}",
        seats=[_past_seat(seat, chair) for seat, chair in enumerate(view.seats)],
        seat=None,
        deadline=None,
    )
    return _told(frame, view)


def view_now(seen: GameReadModel) -> View:
    """What the engine shows whoever reads a game now."""
    if seen.started_at is None:
        return views.view_of_past(_before_start(seen, seen.game))
    laid = None if seen.laid is None else tuple(Seat(seat) for seat in seen.laid)
    return views.view(seen.game, None if seen.seat is None else Seat(seen.seat), laid)


def view_past(seen: GameReadModel, at: int) -> View:
    """What the engine shows of a game right after record event `at`.

    Raises what `past` raises.
    """
    return _view_past(seen, _at(seen, at))


def _view_past(seen: GameReadModel, game: Game) -> View:
    # Before the table is closed the record knows of no seats and options.
    return views.view_of_past(game if game.seats else _before_start(seen, game))


def _at(seen: GameReadModel, at: int) -> Game:
    game = event_log.at_record(seen.id, at)
    if game is None:
        raise NotFound(what="revision", at=at, revision=seen.record)
    return game


def _told(frame: _Frame, view: View) -> ViewReply:
    # Asked for once: Babel's answer costs as much as all the places.
    language = languages.language()
    return ViewReply(
        game=frame.game,
        status=frame.status,
        revision=frame.revision,
        head=frame.head,
        seats=frame.seats,
        seat=frame.seat,
        edition=view.edition,
        rules=view.rules,
        options=view.options,
        phase=view.phase,
        round=view.round,
        # Before the start nobody has begun.
        starting_seat=view.first if view.totals else None,
        crown=view.crown,
        places=_places(language, view),
        unplaced=view.unplaced,
        starting_hand=view.hand,
        decision=_asked(language, view, frame.deadline),
        elections=view.elections,
        showings=view.showings,
        laid=view.laid,
        scored_rounds=view.rounds,
        totals=view.totals,
        end_reason=None if view.reason is None else EndReason(view.reason),
        winners=view.winners,
        own=_own(view.own),
        legal=_legal(language, view),
    )


def seat_reply(seat: SeatRow) -> SeatReply:
    """A seat as everybody may see it."""
    return SeatReply(
        seat.number, seat.name, seat.kind, seat.bot, seat.state, seat.program
    )


def _past_seat(number: int, chair: Chair) -> SeatReply:
    """A seat as the record knows it: without a name, and never open."""
    kind = SeatKind.BOT if chair.bot else SeatKind.PERSON
    return SeatReply(number, None, kind, chair.bot, None, None)


def _own(own: Own | None) -> OwnReply | None:
    if own is None:
        return None
    return OwnReply(own.seat, own.favourites, own.hand, own.laid)


def _legal(language: str, view: View) -> tuple[OfferReply, ...]:
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


def _offered(
    language: str, view: View, answers: Iterable[Answer]
) -> tuple[OfferReply, ...]:
    law, board = view.law, view.board
    leads = law.destinations(board)

    def offer(answer: Answer) -> OfferReply:
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
) -> OfferReply:
    """An answer in words: the same in every game by these rules."""
    with languages.speaking(language):
        return OfferReply(answer, labels.button(law, answer, origin, to), to == THRONE)


@lru_cache(_WORDS)
def _place_name(language: str, law: Edition, key: PlaceKey) -> str:
    with languages.speaking(language):
        return nouns.name_of_place(law, key)


@lru_cache(_WORDS)
def _question(language: str, asked: DecisionView) -> str:
    with languages.speaking(language):
        return labels.question(asked)


def _places(language: str, view: View) -> tuple[StandingReply, ...]:
    law = view.law
    return tuple(
        StandingReply(
            key=each.place.key,
            label=_place_name(language, law, each.place.key),
            kind=each.place.kind,
            value=each.place.value,
            capacity=each.place.capacity,
            beside=each.place.beside,
            characters=each.characters,
        )
        for each in view.places
    )


def _asked(
    language: str, view: View, deadline: datetime | None
) -> DecisionReply | None:
    asked = view.decision
    if asked is None:
        return None
    return DecisionReply(
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
        deadline=None if deadline is None else Moment.of(deadline),
        offers=_offered(language, view, asked.offers),
    )
