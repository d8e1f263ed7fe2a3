"""From a state and an event to the next state; checks no rule."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from engine import questions
from engine.board import SERVANTS, Board, Card, Seat
from engine.commands import Chair, Source
from engine.editions.base import Edition
from engine.errors import UnreadableLog
from engine.events import (
    ActedBy,
    BallotCast,
    BotSeated,
    ElectionResolved,
    Extended,
    GameCreated,
    GameOver,
    Moved,
    Paused,
    PersonSeated,
    Placed,
    Resumed,
    RoundScored,
    RoundStarted,
    Seating,
    Started,
    TableClosed,
    TakenBack,
    Timing,
)
from engine.replay_codec import ReplayedElection, ReplayEvent, Score
from engine.state import (
    Decision,
    Election,
    Game,
    Kind,
    Phase,
    ScoredRound,
    of_known_rules,
)

_Resolved: TypeAlias = ElectionResolved | ReplayedElection

_Scored: TypeAlias = RoundScored | Score

_Turn: TypeAlias = (
    GameCreated | TableClosed | Started | RoundStarted | _Resolved | _Scored | GameOver
)
"""The turning points of a game."""

_CLOCK = ActedBy.CLOCK.value


def evolve(game: Game, event: ReplayEvent) -> Game:
    """The state after an event. Raises UnreadableLog for rules it doesn't know."""
    state = _MutableState(game)
    state.take((event,))
    return state.finished()


def replay(game_id: str, events: Iterable[ReplayEvent]) -> Game:
    """The state after all of a game's events, or the first of them."""
    state = _MutableState(Game(id=game_id))
    state.take(events)
    return state.finished()


class _MutableState:
    """A state while events change it, so that a replay builds one state, not hundreds.

    What answers change stands here and is mutable; `_game` has the rest. What is asked
    hangs on the latest event alone, and hands on the elections of the round, so both
    wait for the end.
    """

    __slots__ = (
        "_act",
        "_again",
        "_at",
        "_ballots",
        "_crown",
        "_game",
        "_hands",
        "_kept",
        "_latest",
        "_missed",
        "_number",
        "_placed",
        "_reopened",
        "_resolved",
        "_unanswered",
    )

    def __init__(self, game: Game) -> None:
        self._game = game
        self._at = dict(game.board.at)
        self._placed = list(game.placed)
        self._hands = game.hands
        self._ballots = list(game.ballots)
        self._kept = game.elections
        self._resolved: list[tuple[_Resolved, Sequence[Card | None]]] = []
        self._crown = game.crown
        self._number = game.last_decision
        self._missed = list(game.missed)
        self._unanswered = list(game.unanswered)
        self._latest: ReplayEvent | None = None
        self._act = game.latest
        self._again = game.phase, game.decision
        self._reopened = game.reopened

    def take(self, events: Iterable[ReplayEvent]) -> None:
        """Change what the events change."""
        # A card laid, who sits where, and until when change nothing of what is asked.
        for event in events:
            # Nearly all events are of three kinds, and `is` finds them fastest.
            if type(event) is Moved:
                self._at[event.character] = event.to
                self._act = event
                self._acted(event.seat, event.by)
                if event.election is not None:
                    self._crown = event.seat
                    # Everybody is asked, also who holds nothing but a Yes: a card laid
                    # for them would tell their hand (RULES §3.2).
                    self._ballots = [None] * len(self._placed)
            elif type(event) is BallotCast:
                self._ballots[event.seat] = event.card
                if event.source is Source.CLOCK:
                    self._unanswered[event.seat] += 1
                else:
                    self._unanswered[event.seat] = 0
                continue
            elif type(event) is Placed:
                self._at[event.character] = event.place
                self._act = event
                self._acted(event.seat, event.by)
                self._placed[event.seat] += 1
                for character in event.dropped:
                    self._at[character] = SERVANTS
            elif isinstance(event, BotSeated | PersonSeated):
                self._seat(event)
                continue
            elif isinstance(event, Paused | Resumed | Extended):
                self._time(event)
                continue
            elif isinstance(event, TakenBack):
                self._undo(event)
            else:
                self._turn(event)
                self._act = None
            self._latest = event

    def _acted(self, seat: Seat, by: str) -> None:
        """Count what the clock did for a seat; whoever else acts ends the row."""
        if by == _CLOCK:
            self._missed[seat] += 1
            self._unanswered[seat] += 1
        else:
            self._missed[seat] = self._unanswered[seat] = 0

    def _seat(self, event: Seating) -> None:
        game, seat = self._game, event.seat
        chairs, kept = list(game.seats), list(game.kept)
        if isinstance(event, BotSeated):
            chairs[seat], kept[seat] = Chair("bot", event.bot), game.round
        else:
            chairs[seat], kept[seat] = Chair("person"), 0
        self._missed[seat] = self._unanswered[seat] = 0
        self._game = replace(game, seats=tuple(chairs), kept=tuple(kept))

    def _time(self, event: Timing) -> None:
        game = self._game
        if isinstance(event, Extended):
            self._game = replace(game, extended=(*game.extended, event.decision))
        else:
            self._game = replace(game, paused=isinstance(event, Paused))

    def _undo(self, event: TakenBack) -> None:
        """Put back what the latest act has moved; its seat is asked anew."""
        act = self._act
        if act is None:
            raise UnreadableLog(self._game.id, "nothing to be taken back")
        if isinstance(act, Moved):
            self._at[act.character] = act.origin
            phase, kind = Phase.ASCENT, Kind.MOVE
        else:
            phase, kind = Phase.PLACEMENT, Kind.PLACEMENT
            for character in (act.character, *act.dropped):
                del self._at[character]
            self._placed[act.seat] -= 1
        self._again = phase, Decision(event.reopened, kind, act.seat)
        self._reopened, self._act = event.reopened, None

    def _turn(self, event: _Turn) -> None:
        match event:
            case ReplayedElection() | ElectionResolved():
                self._resolved.append((event, self._ballots))
                self._at[event.nominee] = event.to
                self._ballots = []
                self._number = event.decision
            case RoundStarted():
                self._start_round(event)
            case GameCreated():
                pass
            case TableClosed():
                self._close_table(event)
            case Started(first=first, deck=deck):
                totals = (self._game.law.start_score,) * len(self._game.seats)
                self._game = replace(self._game, first=first, deck=deck, totals=totals)
            case Score() | RoundScored():
                self._score(event)
            case GameOver():
                self._end(event)
            case _:
                assert_never(event)

    def finished(self) -> Game:
        """The state, frozen."""
        phase, decision = self._asked()
        number = self._number if decision is None else decision.number
        hands, elections = self._hands, self._kept
        if self._resolved:
            resolved = [_election(*each) for each in self._resolved]
            hands = _without(hands, resolved, self._game.law)
            elections = (*elections, *resolved)
        return replace(
            self._game,
            phase=phase,
            crown=self._crown,
            board=Board(self._at),
            placed=tuple(self._placed),
            hands=hands,
            decision=decision,
            last_decision=number,
            ballots=tuple(self._ballots),
            elections=elections,
            missed=tuple(self._missed),
            unanswered=tuple(self._unanswered),
            latest=self._act,
            reopened=self._reopened,
        )

    def _asked(self) -> tuple[Phase, Decision | None]:
        """The phase, and what is asked after the latest event."""
        event = self._latest
        if event is None or isinstance(event, TakenBack):
            return self._again
        return questions.behind(event, self._game, self._placed, self._number)

    def _start_round(self, event: RoundStarted) -> None:
        game, seats = self._game, len(self._game.seats)
        self._game = replace(game, round=event.round, first=event.first)
        self._at = {**game.law.opening_board().at, **dict(event.placed)}
        self._placed = [0] * seats
        self._hands = (game.law.hand(seats),) * seats
        self._ballots = []
        self._kept, self._resolved = (), []

    def _close_table(self, event: TableClosed) -> None:
        closed = replace(
            self._game,
            edition=event.edition,
            rules=event.rules,
            options=event.options,
            seats=event.seats,
            words=event.words,
            kept=(0,) * len(event.seats),
        )
        self._missed = [0] * len(event.seats)
        self._unanswered = [0] * len(event.seats)
        self._game = of_known_rules(closed)

    def _score(self, event: _Scored) -> None:
        scored = ScoredRound(
            round=event.round,
            favourites=event.favourites,
            points=event.points,
            bonus=event.bonus,
            totals=event.totals,
            board=Board(dict(self._at)),
        )
        self._game = replace(
            self._game, totals=event.totals, scored=(*self._game.scored, scored)
        )

    def _end(self, event: GameOver) -> None:
        _, unanswered = self._asked()
        if unanswered is not None:
            self._number = unanswered.number
        # An election that is cut short is turned over for nobody, ever.
        self._ballots = []
        # Whose ballots the clock laid is not in the record, and nobody counts any more.
        self._unanswered = [0] * len(self._unanswered)
        self._game = replace(
            self._game, reason=event.reason, winners=event.winners, paused=False
        )


def _without(
    hands: tuple[tuple[Card, ...], ...], elections: Sequence[Election], law: Edition
) -> tuple[tuple[Card, ...], ...]:
    """The hands without the cards that elections have taken."""
    left = [list(hand) for hand in hands]
    for election in elections:
        for hand, card in zip(left, election.cards, strict=True):
            if law.spent(card):
                hand.remove(card)
    return tuple([tuple(hand) for hand in left])


def _election(event: _Resolved, ballots: Sequence[Card | None]) -> Election:
    cards = tuple([card for card in ballots if card is not None])
    return Election(event.decision, event.nominee, event.mover, event.verdict, cards)
