"""What viewers get, built up from nothing: the one place that shows a game.

A view has two public layers, the facts of the record and the showing, and what is the
asked seat's own. Times and names are no matter of the engine; the service adds them.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from engine import editions, legal, taking_back
from engine.board import THRONE, Board, Card, Character, Place, Seat, Verdict
from engine.commands import Answer, Chair, History, Move, Options
from engine.deck import favourites
from engine.editions.base import Edition
from engine.state import Decision, Game, Kind, Phase, ScoredRound


class PlaceView(msgspec.Struct, frozen=True):
    """A place and who stands there, in the order of their letters."""

    place: Place
    characters: tuple[Character, ...]


class DecisionView(msgspec.Struct, frozen=True):
    """The question the game waits on, and what it allows anybody.

    `extended` tells that it waits for longer than its time.
    """

    number: int
    kind: Kind
    seat: Seat | None
    nominee: Character | None
    mover: Seat | None
    offers: tuple[Answer, ...]
    extended: bool


class ElectionView(msgspec.Struct, frozen=True):
    """An election that is over: its verdict stays public for good."""

    decision: int
    nominee: Annotated[Character, Meta(description="Who was to be king.")]
    mover: Annotated[Seat, Meta(description="The seat that put them up.")]
    verdict: Annotated[Verdict, Meta(description="What became of them.")]


class Showing(msgspec.Struct, frozen=True):
    """The cards of an election by seat, as long as they lie on the table (RULES §3)."""

    election: ElectionView
    cards: tuple[Card, ...]


class RoundView(msgspec.Struct, frozen=True):
    """A round that is over, in seat order."""

    round: int
    king: Annotated[Character, Meta(description="Whom it crowned.")]
    favourites: tuple[tuple[Character, ...], ...]
    points: tuple[int, ...]
    bonus: tuple[int, ...]
    totals: tuple[int, ...]


class Legal(msgspec.Struct, frozen=True):
    """An answer the asked seat may give, and whether it nominates a king."""

    answer: Answer
    nominates: bool


class Own(msgspec.Struct, frozen=True):
    """What is a seat's own: its favourites, its hand, what it may answer now.

    `laid` is the card it has laid in the open election, None when it hasn't;
    `take_back` the decision whose answer it may take back now.
    """

    seat: Seat
    favourites: tuple[Character, ...]
    hand: tuple[Card, ...]
    legal: tuple[Legal, ...]
    laid: Card | None
    take_back: int | None = None


class View(msgspec.Struct, frozen=True):
    """A game as one viewer may see it.

    `places` stand top to bottom; `unplaced` are beside the castle; `hand` is what every
    seat held at the start of the round; `elections` are this round's so far. `showings`
    hold the cards served by name; a view of the past has none. `laid` names who has
    laid a card, from an election's first reminder on, else None. `kept` are the seats
    whose person may come back. `extensions` is how many decisions may still wait for
    longer. `own` is None for a spectator.
    """

    edition: str
    rules: int
    options: Options
    seats: tuple[Chair, ...]
    phase: Phase
    round: int
    first: Seat
    crown: Seat | None
    places: tuple[PlaceView, ...]
    unplaced: tuple[Character, ...]
    hand: tuple[Card, ...]
    decision: DecisionView | None
    elections: tuple[ElectionView, ...]
    rounds: tuple[RoundView, ...]
    totals: tuple[int, ...]
    reason: str | None
    winners: tuple[Seat, ...]
    showings: tuple[Showing, ...]
    laid: tuple[Seat, ...] | None
    kept: tuple[Seat, ...]
    extensions: int
    own: Own | None

    @property
    def law(self) -> Edition:
        """The edition by the rules the game was begun with.

        Raises LookupError when they aren't known.
        """
        return editions.law(self.edition, self.rules)

    @property
    def board(self) -> Board:
        """The board as the places show it."""
        return Board({c: p.place.key for p in self.places for c in p.characters})


def view(game: Game, viewer: Seat | None, laid: tuple[Seat, ...] | None = None) -> View:
    """The current view of a seat, or of a spectator (None), of a started game.

    `laid` is what the latest reminder told about the open election.
    """
    return _view(game, _showings(game), laid, _own(game, viewer))


def view_of_past(game: Game) -> View:
    """What everybody may know for good of a game at an earlier moment."""
    # Without the cards that lay open then: on a table they are shown until the next
    # reveal, and nobody looks them up later.
    return _view(game, (), None, None)


def _view(
    game: Game,
    showings: tuple[Showing, ...],
    laid: tuple[Seat, ...] | None,
    own: Own | None,
) -> View:
    law = game.law
    return View(
        edition=game.edition,
        rules=game.rules,
        options=game.table,
        seats=game.seats,
        phase=game.phase,
        round=game.round,
        first=game.first,
        crown=game.crown,
        places=_places(law, game.board),
        unplaced=tuple(c for c in law.characters if c not in game.board.at),
        # What all began with: how many cards a seat still holds is its secret (RULES
        # §1.4).
        hand=law.hand(len(game.seats)),
        decision=None if game.decision is None else _decision(game, game.decision),
        elections=_elections(game),
        rounds=tuple(_round(scored) for scored in game.scored),
        totals=game.totals,
        reason=game.reason,
        winners=game.winners,
        showings=showings,
        laid=laid,
        kept=tuple(Seat(seat) for seat, since in enumerate(game.kept) if since),
        extensions=game.extensions_left,
        own=own,
    )


def places_after(game: Game, number: int) -> tuple[PlaceView, ...]:
    """The places as they stood at the end of round `number`.

    Raises LookupError for a round that isn't over.
    """
    for scored in game.scored:
        if scored.round == number:
            return _places(game.law, scored.board)
    raise LookupError(game.id, number)


def _places(law: Edition, board: Board) -> tuple[PlaceView, ...]:
    return tuple(PlaceView(place, board.on(place.key)) for place in law.places)


def _decision(game: Game, decision: Decision) -> DecisionView:
    return DecisionView(
        number=decision.number,
        kind=decision.kind,
        seat=decision.seat,
        nominee=decision.nominee,
        mover=decision.mover,
        offers=legal.offers(game),
        extended=decision.number in game.extended,
    )


def _elections(game: Game) -> tuple[ElectionView, ...]:
    return tuple(
        ElectionView(e.decision, e.nominee, e.mover, e.verdict) for e in game.elections
    )


def _round(scored: ScoredRound) -> RoundView:
    return RoundView(
        round=scored.round,
        king=scored.board.on(THRONE)[0],
        favourites=tuple(favourites(card) for card in scored.favourites),
        points=scored.points,
        bonus=scored.bonus,
        totals=scored.totals,
    )


def _showings(game: Game) -> tuple[Showing, ...]:
    """The latest election's cards; all of the round where the table is open."""
    openly = game.table.ballot_history is History.OPEN
    elections = game.elections if openly else game.elections[-1:]
    return tuple(
        Showing(ElectionView(e.decision, e.nominee, e.mover, e.verdict), e.cards)
        for e in elections
    )


def _own(game: Game, viewer: Seat | None) -> Own | None:
    if viewer is None or not game.running:
        return None
    return Own(
        seat=viewer,
        favourites=favourites(game.card_of(viewer, game.round)),
        hand=game.hands[viewer],
        legal=tuple(
            Legal(answer, _nominates(game, answer))
            for answer in legal.answers(game, viewer)
        ),
        laid=game.ballots[viewer] if game.ballots else None,
        take_back=taking_back.reversible(game, viewer),
    )


def _nominates(game: Game, answer: Answer) -> bool:
    """Whether a move leads onto the throne and so opens an election."""
    if not isinstance(answer, Move):
        return False
    return game.destinations[answer.character] == THRONE
