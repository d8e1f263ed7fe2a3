"""From a state and an event to the next state; checks no rule."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from engine.board import SERVANTS, THRONE, Board, Card, Character, Seat
from engine.events import (
    BallotCast,
    ElectionResolved,
    GameCreated,
    GameOver,
    LogEvent,
    Moved,
    Placed,
    RoundScored,
    RoundStarted,
    Started,
    TableClosed,
)
from engine.state import (
    Decision,
    Election,
    Game,
    Kind,
    Phase,
    ScoredRound,
    of_known_rules,
)


def evolve(game: Game, event: LogEvent) -> Game:
    """The state after an event. Raises UnreadableLog for rules it doesn't know."""
    draft = _Draft(game)
    draft.take(event)
    return draft.finished()


def replay(game_id: str, events: Iterable[LogEvent]) -> Game:
    """The state after all of a game's events, or the first of them."""
    draft = _Draft(Game(id=game_id))
    for event in events:
        draft.take(event)
    return draft.finished()


class _Draft:
    """A state while events change it, so that a replay builds one state, not hundreds.

    What every answer changes stands here and is mutable; `_game` has the rest.
    """

    __slots__ = (
        "_at",
        "_ballots",
        "_crown",
        "_elections",
        "_game",
        "_hands",
        "_kind",
        "_mover",
        "_nominee",
        "_number",
        "_phase",
        "_placed",
        "_seat",
    )

    def __init__(self, game: Game) -> None:
        self._game = game
        self._at = dict(game.board.at)
        self._placed = list(game.placed)
        self._hands = game.hands
        self._ballots = list(game.ballots)
        self._elections = game.elections
        self._crown = game.crown
        self._phase = game.phase
        self._number = game.last_decision
        self._kind: Kind | None = None
        self._seat: Seat | None = None
        self._nominee: Character | None = None
        self._mover: Seat | None = None
        if game.decision is not None:
            self._kind = game.decision.kind
            self._seat = game.decision.seat
            self._nominee = game.decision.nominee
            self._mover = game.decision.mover

    def finished(self) -> Game:
        """The state, frozen; the draft is of no use any more."""
        decision = None
        if self._kind is not None:
            decision = Decision(
                self._number, self._kind, self._seat, self._nominee, self._mover
            )
        return replace(
            self._game,
            phase=self._phase,
            crown=self._crown,
            board=Board(self._at),
            placed=tuple(self._placed),
            hands=self._hands,
            decision=decision,
            last_decision=self._number,
            ballots=tuple(self._ballots),
            elections=self._elections,
        )

    def take(self, event: LogEvent) -> None:
        """Change what the event changes; the most frequent events come first."""
        match event:
            case Moved():
                self._moved(event)
            case BallotCast():
                self._ballots[event.seat] = event.card
            case Placed():
                self._place(event)
            case ElectionResolved():
                self._election_resolved(event)
            case RoundStarted():
                self._round_started(event)
            case RoundScored():
                self._round_scored(event)
            case GameCreated():
                pass
            case TableClosed():
                self._table_closed(event)
            case Started():
                self._started(event)
            case GameOver():
                self._game_over(event)
            case _:
                assert_never(event)

    def _asks(self, kind: Kind, seat: Seat) -> None:
        """Put the next decision to one seat."""
        self._number += 1
        self._kind = kind
        self._seat = seat

    def _moved(self, event: Moved) -> None:
        self._at[event.character] = event.to
        if event.to != THRONE or event.election is None:
            self._number += 1
            self._seat = Seat((event.seat + 1) % len(self._placed))
            return
        self._crown = self._mover = event.seat
        self._nominee = event.character
        self._number = event.election
        self._kind = Kind.ELECTION
        self._seat = None
        self._ballots = [None] * len(self._placed)

    def _place(self, event: Placed) -> None:
        self._at[event.character] = event.place
        for character in event.dropped:
            self._at[character] = SERVANTS
        self._placed[event.seat] += 1
        seat = self._game.next_to_place(self._placed, event.seat)
        if seat is not None:
            self._asks(Kind.PLACEMENT, seat)
            return
        self._phase = Phase.ASCENT
        self._asks(Kind.MOVE, self._game.first)

    def _election_resolved(self, event: ElectionResolved) -> None:
        cards = tuple(card for card in self._ballots if card is not None)
        spent = self._game.law.spent
        self._hands = tuple(
            [
                _without(hand, card) if spent(card) else hand
                for hand, card in zip(self._hands, cards, strict=True)
            ]
        )
        election = Election(
            event.decision, event.nominee, event.mover, event.verdict, cards
        )
        self._elections = (*self._elections, election)
        self._at[event.nominee] = event.to
        self._asks_nothing()
        if event.next is not None:
            self._asks(Kind.MOVE, event.next)

    def _asks_nothing(self) -> None:
        self._kind = self._seat = self._nominee = self._mover = None
        self._ballots = []

    def _table_closed(self, event: TableClosed) -> None:
        closed = replace(
            self._game,
            edition=event.edition,
            rules=event.rules,
            options=event.options,
            seats=event.seats,
            words=event.words,
        )
        self._game = of_known_rules(closed)

    def _started(self, event: Started) -> None:
        game = self._game
        totals = (game.law.start_score,) * len(game.seats)
        self._game = replace(game, first=event.first, deck=event.deck, totals=totals)

    def _round_started(self, event: RoundStarted) -> None:
        game, seats = self._game, len(self._game.seats)
        self._game = replace(game, round=event.round, first=event.first)
        self._at = {**game.law.opening_board().at, **dict(event.placed)}
        self._placed = [0] * seats
        self._hands = (game.law.hand(seats),) * seats
        self._elections = ()
        self._asks_nothing()
        self._phase = Phase.ASCENT if event.placed else Phase.PLACEMENT
        self._asks(Kind.MOVE if event.placed else Kind.PLACEMENT, event.first)

    def _round_scored(self, event: RoundScored) -> None:
        scored = ScoredRound(
            round=event.round,
            favourites=event.favourites,
            points=event.points,
            bonus=event.bonus,
            totals=event.totals,
            board=Board(dict(self._at)),
        )
        game = self._game
        self._game = replace(game, totals=event.totals, scored=(*game.scored, scored))

    def _game_over(self, event: GameOver) -> None:
        self._game = replace(self._game, reason=event.reason, winners=event.winners)
        self._phase = Phase.OVER
        self._asks_nothing()


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
