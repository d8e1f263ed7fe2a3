"""The end of a round and of a game, from the state alone."""

from engine.board import Seat
from engine.deck import favourites
from engine.state import Game


def points(game: Game) -> tuple[int, ...]:
    """Each seat's points for the round that a coronation has just ended."""
    return tuple(
        game.law.round_points(
            game.board,
            favourites(game.card_of(Seat(seat), game.round)),
            game.round,
            game.table.rounds,
        )
        for seat in range(len(game.seats))
    )


def bonus(game: Game) -> tuple[int, ...]:
    """What each seat gets beside its points, for a late turn."""
    seats = len(game.seats)
    return tuple(
        game.law.bonus(seats, game.turn_of(Seat(seat)), game.table.placement)
        for seat in range(seats)
    )


def winners(game: Game, totals: tuple[int, ...]) -> tuple[Seat, ...]:
    """The seats that win with these totals after the last round, in seat order."""
    cards = tuple(
        favourites(game.card_of(Seat(seat), game.round))
        for seat in range(len(game.seats))
    )
    return game.law.ranking(totals, game.board, cards)
