"""What games brought a bot: its share of wins and how sure that is, points and time."""

import math
from collections.abc import Sequence
from statistics import mean

import msgspec

from engine.board import Seat
from engine.state import Game

_95_PERCENT = 1.96


class GameOutcome(msgspec.Struct, frozen=True):
    """What one game brought a bot, and the seconds that each of its decisions took.

    `share` is the part of the win: shared by k it is 1/k. `others` are the points of
    the other seats on average.
    """

    share: float
    own: int
    others: float
    seconds: tuple[float, ...]


def outcome(game: Game, tested: Seat, seconds: Sequence[float]) -> GameOutcome:
    """What a finished game brought the bot on a seat."""
    rest = [total for seat, total in enumerate(game.totals) if seat != tested]
    share = 1 / len(game.winners) if tested in game.winners else 0.0
    return GameOutcome(share, game.totals[tested], mean(rest), tuple(seconds))


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins (Wilson's score interval)."""
    z2 = _95_PERCENT**2
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    spread = math.sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    reach = _95_PERCENT * spread / (1 + z2 / games)
    return middle - reach, middle + reach
