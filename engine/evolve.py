"""From a state and an event to the next state; checks no rule."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from engine.board import SERVANTS, THRONE, Board, Card, Seat
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
    match event:
        case GameCreated():
            return game
        case TableClosed():
            return _table_closed(game, event)
        case Started(first=first, deck=deck):
            totals = (game.law.start_score,) * len(game.seats)
            return replace(game, first=first, deck=deck, totals=totals)
        case RoundStarted():
            return _round_started(game, event)
        case Placed():
            return _placed(game, event)
        case Moved():
            return _moved(game, event)
        case BallotCast(seat=seat, card=card):
            laid = (*game.ballots[:seat], card, *game.ballots[seat + 1 :])
            return replace(game, ballots=laid)
        case ElectionResolved():
            return _election_resolved(game, event)
        case RoundScored():
            return _round_scored(game, event)
        case GameOver(reason=reason, winners=winners):
            return replace(
                game,
                phase=Phase.OVER,
                decision=None,
                ballots=(),
                reason=reason,
                winners=winners,
            )
        case _:
            assert_never(event)


def replay(game_id: str, events: Iterable[LogEvent]) -> Game:
    """The state after all of a game's events, or the first of them."""
    game = Game(id=game_id)
    for event in events:
        game = evolve(game, event)
    return game


def _table_closed(game: Game, event: TableClosed) -> Game:
    closed = replace(
        game,
        edition=event.edition,
        rules=event.rules,
        options=event.options,
        seats=event.seats,
        words=event.words,
    )
    return of_known_rules(closed)


def _asks(game: Game, kind: Kind, seat: Seat) -> Game:
    """Put the next decision to one seat."""
    number = game.last_decision + 1
    decision = Decision(number=number, kind=kind, seat=seat)
    phase = Phase.PLACEMENT if kind is Kind.PLACEMENT else Phase.ASCENT
    return replace(game, phase=phase, decision=decision, last_decision=number)


def _round_started(game: Game, event: RoundStarted) -> Game:
    seats = len(game.seats)
    board = Board({**game.law.opening_board().at, **dict(event.placed)})
    game = replace(
        game,
        round=event.round,
        first=event.first,
        board=board,
        placed=(0,) * seats,
        hands=(game.law.hand(seats),) * seats,
        ballots=(),
        elections=(),
    )
    kind = Kind.MOVE if event.placed else Kind.PLACEMENT
    return _asks(game, kind, event.first)


def _placed(game: Game, event: Placed) -> Game:
    board = game.board.put(event.character, event.place)
    for character in event.dropped:
        board = board.put(character, SERVANTS)
    placed = tuple(
        count + (seat == event.seat) for seat, count in enumerate(game.placed)
    )
    game = replace(game, board=board, placed=placed)
    seat = event.seat
    for _ in game.seats:
        seat = game.left_of(seat)
        if game.placed[seat] < game.quota(seat):
            return _asks(game, Kind.PLACEMENT, seat)
    return _asks(game, Kind.MOVE, game.first)


def _moved(game: Game, event: Moved) -> Game:
    game = replace(game, board=game.board.put(event.character, event.to))
    if event.to != THRONE or event.election is None:
        return _asks(game, Kind.MOVE, game.left_of(event.seat))
    election = Decision(
        number=event.election,
        kind=Kind.ELECTION,
        seat=None,
        nominee=event.character,
        mover=event.seat,
    )
    return replace(
        game,
        crown=event.seat,
        decision=election,
        last_decision=event.election,
        ballots=(None,) * len(game.seats),
    )


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    left = list(hand)
    left.remove(card)
    return tuple(left)


def _election_resolved(game: Game, event: ElectionResolved) -> Game:
    cards = tuple(card for card in game.ballots if card is not None)
    hands = tuple(
        _without(hand, card) if game.law.spent(card) else hand
        for hand, card in zip(game.hands, cards, strict=True)
    )
    election = Election(
        decision=event.decision,
        nominee=event.nominee,
        mover=event.mover,
        verdict=event.verdict,
        cards=cards,
    )
    game = replace(
        game,
        board=game.board.put(event.nominee, event.to),
        hands=hands,
        ballots=(),
        decision=None,
        elections=(*game.elections, election),
    )
    return game if event.next is None else _asks(game, Kind.MOVE, event.next)


def _round_scored(game: Game, event: RoundScored) -> Game:
    scored = ScoredRound(
        round=event.round,
        favourites=event.favourites,
        points=event.points,
        bonus=event.bonus,
        totals=event.totals,
        board=game.board,
    )
    return replace(game, totals=event.totals, scored=(*game.scored, scored))
