"""The two lists: what a question allows anybody, and what this hand allows."""

from itertools import starmap

from engine.board import Seat
from engine.commands import Answer, Ballot, Move, Placement
from engine.state import Game, Kind


def offers(game: Game) -> tuple[Answer, ...]:
    """What the open decision allows anybody: the only list in mails and on open pages.

    In an election every kind of card of the edition, whatever a hand holds. Placements
    are sorted by letter, then floor; moves by letter. Empty when nothing is asked.
    """
    if game.decision is None:
        return ()
    match game.decision.kind:
        case Kind.MOVE:
            return tuple(map(Move, game.destinations))
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
