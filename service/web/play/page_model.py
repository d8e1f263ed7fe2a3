"""A game as the pages show it: public facts, and what is the viewer's own."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from markupsafe import Markup

from engine import views
from engine.board import Card, Seat
from engine.editions.base import Edition
from engine.events import Record, read_record
from engine.state import Kind, Phase
from engine.views import Own, View
from service.present import castle, labels, narration, nouns, sentences
from service.present.languages import gettext as _
from service.store import event_log
from service.store.games import GameReadModel
from service.web.http import readers
from service.web.play import scores
from service.web.play.portraits import Portrait, portrait, worths
from service.web.play.scores import RoundResult

_ALL = 1_000_000


class SeatedPlayer(msgspec.Struct, frozen=True):
    """A seat at the table as everybody sees it; `bot` what plays it, or empty."""

    name: str
    bot: str
    total: int
    asked: bool
    crown: bool
    wins: bool
    me: bool
    laid: bool


class RankedSeat(msgspec.Struct, frozen=True):
    """A seat at the end; who is level shares a rank."""

    rank: int
    player: SeatedPlayer


class Laid(msgspec.Struct, frozen=True):
    """A card turned over, and whose it was."""

    name: str
    card: Card
    word: str


class Turned(msgspec.Struct, frozen=True):
    """The cards of an election that still lie on the table."""

    nominee: str
    verdict: str
    cards: tuple[Laid, ...]


class Hand(msgspec.Struct, frozen=True):
    """What is a seat's own: for the eyes of that seat alone.

    In an election `worth` is what the favourites bring if `king` is crowned; otherwise
    `king` is empty, and it is what they are worth as they stand.
    """

    favourites: tuple[Portrait, ...]
    worth: int
    king: str
    cards: tuple[tuple[Card, str], ...]
    laid: str | None


class PageModel(msgspec.Struct, frozen=True):
    """All that a template needs to show a started game.

    `note` says what the nominee would do to the scores; `seated` whether it is shown
    to somebody who sits there.
    """

    id: UUID
    practice: bool
    seated: bool
    running: bool
    finished: bool
    round: int
    rounds: int
    number: int | None
    question: str
    note: str
    deadline: str | None
    castle: Markup
    players: tuple[SeatedPlayer, ...]
    standing: tuple[RankedSeat, ...]
    turned: tuple[Turned, ...]
    results: tuple[RoundResult, ...]
    outcome: str
    called_off: bool
    story: tuple[Markup, ...]
    hand: Hand | None
    view: View
    law: Edition


def shown(seen: GameReadModel, seat: int | None) -> PageModel:
    """A started game as a seat, or a spectator (None), may see it."""
    viewer = None if seat is None else Seat(seat)
    view = views.view(seen.game, viewer, _laid(seen))
    law = seen.game.law
    names = [chair.name for chair in seen.seats]
    own = view.own.favourites if view.own else ()
    players = _players(seen, view, seat)
    return PageModel(
        id=seen.id,
        practice=seen.practice,
        seated=seat is not None,
        running=view.decision is not None,
        finished=view.reason == "finished",
        round=view.round,
        rounds=view.options.rounds,
        number=view.decision.number if view.decision else None,
        question=question(view, names),
        note=_note(view),
        deadline=readers.clock_time(seen.deadline if view.decision else None),
        castle=castle.svg(view, own),
        players=players,
        standing=_standing(players),
        turned=_turned(view, names),
        results=scores.rounds(seen.game, view.rounds, names),
        outcome=_outcome(view, names),
        called_off=view.phase is Phase.OVER and view.reason != "finished",
        story=tuple(told(seen, record(seen))),
        hand=_hand(view),
        view=view,
        law=law,
    )


def _laid(seen: GameReadModel) -> tuple[Seat, ...] | None:
    return None if seen.laid is None else tuple(Seat(seat) for seat in seen.laid)


def question(view: View, names: Sequence[str]) -> str:
    """What the game waits for, told to everybody; empty when it is over."""
    decision = view.decision
    if decision is None:
        return ""
    name = sentences.isolated(names[decision.seat]) if decision.seat is not None else ""
    match decision.kind:
        case Kind.PLACEMENT:
            return _("%(name)s places a character.", name=name)
        case Kind.MOVE:
            return _("%(name)s moves a character.", name=name)
        case Kind.ELECTION:
            nominee = nouns.subject(decision.nominee or "")
            return _(
                "Shall %(character)s be king? Everybody lays a card.",
                character=nominee,
            )


def _note(view: View) -> str:
    """What the nominee would do to everybody's scores; empty if nothing."""
    nominee = view.decision.nominee if view.decision else None
    return labels.turned_round(view.law, nominee) if nominee else ""


def _outcome(view: View, names: Sequence[str]) -> str:
    """Who has won; empty before the end and after a game that was called off."""
    if not view.winners:
        return ""
    winners = sentences.listed(
        [sentences.isolated(names[seat]) for seat in view.winners]
    )
    if len(view.winners) == 1:
        return _("%(names)s wins!", names=winners)
    return _("%(names)s share the victory!", names=winners)


def is_asked(view: View, seat: int) -> bool:
    """Whether the open decision is put to a seat, as everybody may know."""
    decision = view.decision
    return decision is not None and decision.seat in (None, seat)


def _players(
    seen: GameReadModel, view: View, seat: int | None
) -> tuple[SeatedPlayer, ...]:
    return tuple(
        SeatedPlayer(
            name=chair.name,
            bot=chair.bot or "",
            total=view.totals[chair.number],
            asked=view.decision is not None and view.decision.seat == chair.number,
            crown=view.crown == chair.number and view.phase is not Phase.OVER,
            wins=chair.number in view.winners,
            me=chair.number == seat,
            laid=view.laid is not None and chair.number in view.laid,
        )
        for chair in seen.seats
    )


def _standing(players: Sequence[SeatedPlayer]) -> tuple[RankedSeat, ...]:
    """The winners first, then by points; the tie-break told the winners apart."""

    def score(player: SeatedPlayer) -> tuple[bool, int]:
        return player.wins, player.total

    ranked = sorted(players, key=score, reverse=True)
    return tuple(
        RankedSeat(1 + sum(score(other) > score(each) for other in ranked), each)
        for each in ranked
    )


def _turned(view: View, names: Sequence[str]) -> tuple[Turned, ...]:
    return tuple(
        Turned(
            nominee=nouns.subject(showing.election.nominee),
            verdict=showing.election.verdict.value,
            cards=tuple(
                Laid(name, card, nouns.card_name(card))
                for name, card in zip(names, showing.cards, strict=True)
            ),
        )
        for showing in view.showings
    )


def _hand(view: View) -> Hand | None:
    own = view.own
    if own is None:
        return None
    nominee = view.decision.nominee if view.decision else None
    worth = worths(view.law, view.places, nominee)
    portraits = tuple(portrait(c, worth.get(c)) for c in own.favourites)
    return Hand(
        favourites=portraits,
        worth=_crowned(view, own) if nominee else sum(e.worth or 0 for e in portraits),
        king=nouns.subject(nominee) if nominee else "",
        cards=tuple((card, nouns.card_name(card)) for card in own.hand),
        laid=None if own.laid is None else nouns.card_name(own.laid),
    )


def _crowned(view: View, own: Own) -> int:
    """What the favourites of a seat bring, should the nominee be crowned."""
    rounds = view.options.rounds
    return view.law.round_points(view.board, own.favourites, view.round, rounds)


def record(seen: GameReadModel) -> tuple[Record, ...]:
    """All record events of a game, in order."""
    return tuple(
        read_record(each.public, each.version)
        for each in event_log.record_after(seen.id, 0, _ALL)
    )


def told(seen: GameReadModel, events: Sequence[Record]) -> list[Markup]:
    """Events as sentences for a page, with the cards that lie open by name."""
    view = views.view(seen.game, None)
    cards: Mapping[int, tuple[Card, ...]] = {
        showing.election.decision: showing.cards for showing in view.showings
    }
    names = [chair.name for chair in seen.seats]
    cast = narration.Cast(names, seen.game.law, cards)
    return [sentences.markup(sentence) for sentence in narration.tell(events, cast)]
