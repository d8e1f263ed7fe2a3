"""The two lists: what a question allows anybody, and what this hand allows."""

from collections.abc import Callable, Mapping
from functools import wraps
from itertools import starmap
from typing import TypeVar

from engine.board import Character, PlaceKey, Seat
from engine.commands import Answer, Ballot, Move, Placement
from engine.state import Game, Kind

T = TypeVar("T")


def _kept(find: Callable[[Game], T]) -> Callable[[Game], T]:
    """The same function, its latest result kept for the very state it was found for.

    Whoever lists, shows or decides asks about one state several times over.
    """
    latest: tuple[Game, T] | None = None

    @wraps(find)
    def kept(game: Game) -> T:
        nonlocal latest
        found = latest
        if found is None or found[0] is not game:
            found = latest = (game, find(game))
        return found[1]

    return kept


@_kept
def destinations(game: Game) -> Mapping[Character, PlaceKey]:
    """Where each character that can move would go now, sorted by letter."""
    return game.law.destinations(game.board)


@_kept
def offers(game: Game) -> tuple[Answer, ...]:
    """What the open decision allows anybody: the only list in mails and on open pages.

    In an election every kind of card of the edition, whatever a hand holds. Placements
    are sorted by letter, then floor; moves by letter. Empty when nothing is asked.
    """
    if game.decision is None:
        return ()
    match game.decision.kind:
        case Kind.MOVE:
            return tuple(map(Move, destinations(game)))
        case Kind.ELECTION:
            return tuple(map(Ballot, game.law.cards))
        case Kind.PLACEMENT:
            return tuple(starmap(Placement, game.law.placements(game.board)))


def answers(game: Game, seat: Seat) -> tuple[Answer, ...]:
    """What this seat may answer now, its hand considered; empty when it isn't asked.

    For the seat's own authenticated view, and bots; decide takes the same answers.
    """
    if not game.asks(seat):
        return ()
    if game.decision is not None and game.decision.seat is not None:
        return offers(game)
    held = game.hands[seat]
    return tuple([Ballot(card) for card in game.law.cards if card in held])
