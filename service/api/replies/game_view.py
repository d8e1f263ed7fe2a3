"""A game as the API shows it: the engine's view with names, times and words beside."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec

from engine import views
from engine.board import THRONE, Character, PlaceKey
from engine.commands import Answer, Chair, Move, Options
from engine.editions import edition
from engine.editions.base import Edition
from engine.state import Game, Kind, Phase
from engine.views import Own, View
from service.api.http import replies
from service.api.http.replies import Moment
from service.api.replies.view_reply import (
    DecisionReply,
    OfferReply,
    OwnReply,
    ProposalReply,
    SeatAbsenceReply,
    SeatReply,
    StandingReply,
    StoppedClockReply,
    ViewReply,
    proposal_reply,
    seat_reply,
)
from service.present import duration, labels, languages, nouns, presentation
from service.store import event_log
from service.store.games import GameReadModel, head_of
from service.values.enums import EndReason, GameStatus, SeatKind
from service.values.errors import NotFound

_WORDS: Final = 8192
"""How many answers, places and questions are kept in words: those of every edition."""


class _Frame(msgspec.Struct, frozen=True):
    """What stands around the engine's view: whose game, when, who sits there."""

    game: UUID
    status: GameStatus
    revision: int
    head: str
    seats: Sequence[SeatReply]
    seat: int | None
    opened_at: datetime | None
    kept_seat: int | None
    deadline: datetime | None
    absences: Sequence[SeatAbsenceReply]
    paused: StoppedClockReply | None
    expected_end: date | None
    proposal: ProposalReply | None


def now(seen: GameReadModel) -> ViewReply:
    """A game as whoever reads it may see it now."""
    frame = _Frame(
        game=seen.id,
        status=seen.status,
        revision=seen.record,
        head=head_of(seen.record, seen.head),
        seats=[seat_reply(seat) for seat in seen.seats],
        seat=seen.seat,
        opened_at=seen.opened_at,
        kept_seat=seen.beside,
        deadline=seen.deadline,
        absences=[replies.of(SeatAbsenceReply, each) for each in seen.absences],
        paused=_paused(seen),
        expected_end=duration.expected_end(seen),
        proposal=None if seen.proposal is None else proposal_reply(seen.proposal),
    )
    return _reply(frame, view_now(seen, seen.seat))


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
        seats=_past_seats(view),
        seat=None,
        opened_at=None,
        kept_seat=None,
        deadline=None,
        absences=(),
        paused=None,
        expected_end=None,
        proposal=None,
    )
    return _reply(frame, view)


def view_now(seen: GameReadModel, seat: int | None) -> View:
    """What the engine shows of a game now: to a seat, or to nobody in particular."""
    if seen.started_at is None:
        return _view_past(seen, seen.game)
    return presentation.view_of(seen, seat)


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


def _reply(frame: _Frame, view: View) -> ViewReply:
    # Asked for once: Babel's answer costs as much as all the places.
    language = languages.language()
    return ViewReply(
        game=frame.game,
        status=frame.status,
        revision=frame.revision,
        head=frame.head,
        seats=frame.seats,
        seat=frame.seat,
        kept_seat=frame.kept_seat,
        expected_end=frame.expected_end,
        proposal=frame.proposal,
        absences=frame.absences,
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
        decision=_asked(language, view, frame),
        paused=frame.paused,
        extensions_left=_extensions_left(view),
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


def _paused(seen: GameReadModel) -> StoppedClockReply | None:
    running = [seat for seat in seen.seats if seat.paused_until is not None]
    ends = [seat.paused_until for seat in running if seat.paused_until is not None]
    if seen.paused_at is None or not ends:
        return None
    return StoppedClockReply(
        since=Moment.of(seen.paused_at),
        until=Moment.of(max(ends)),
        seats=[seat.number for seat in running],
    )


def _extensions_left(view: View) -> int | None:
    return None if view.options.decision_time is None else view.extensions


def _past_seats(view: View) -> list[SeatReply]:
    """The seats as the record knows them: without a name, and never open."""
    return [
        SeatReply(
            number=number,
            name=None,
            kind=SeatKind.BOT if chair.bot else SeatKind.PERSON,
            bot=chair.bot,
            state=None,
            program=None,
            kept=number in view.kept,
            spare_used=None,
            pauses_used=None,
            paused_until=None,
            without_mail=None,
        )
        for number, chair in enumerate(view.seats)
    ]


def _own(own: Own | None) -> OwnReply | None:
    if own is None:
        return None
    return OwnReply(own.seat, own.favourites, own.hand, own.laid, own.take_back)


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
        return nouns.place_name(law.place(key), law.places)


@lru_cache(_WORDS)
def _question(language: str, kind: Kind, nominee: Character | None) -> str:
    with languages.speaking(language):
        return labels.question(kind, nominee)


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


def _asked(language: str, view: View, frame: _Frame) -> DecisionReply | None:
    asked = view.decision
    if asked is None:
        return None
    return DecisionReply(
        number=asked.number,
        kind=asked.kind,
        question=_question(language, asked.kind, asked.nominee),
        seat=asked.seat,
        nominee=asked.nominee,
        mover=asked.mover,
        opened_at=replies.moment(frame.opened_at),
        deadline=replies.moment(frame.deadline),
        extended=asked.extended,
        offers=_offered(language, view, asked.offers),
    )
