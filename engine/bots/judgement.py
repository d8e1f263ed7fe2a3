"""What a player of sense thinks of castles and cards, in points or thereabouts.

`steady` plays by it; `shrewd` expects it of everybody when it plays on in its mind.
"""

import math
from collections.abc import Sequence
from typing import Final

from engine.board import LETTERS, Place, PlaceKind
from engine.deck import CARDS

IN_PLAY: Final = (PlaceKind.THRONE, PlaceKind.FLOOR, PlaceKind.ASIDE)
"""The kinds of places from which a character can still rise or be king."""

RIVALS: Final = len(CARDS[0]) / len(LETTERS)
"""What another player gains by a point of a character of whom nothing is known."""

RISE: Final = 0.7
"""How much of the best outcome still possible the whole castle usually reaches."""

CANCELLING: Final = 0.1
"""What a card that only puts an election off must save beyond one that refuses."""

WHIM: Final = 1.5
"""How far chance may tip a choice, so that favourites aren't told by every move."""

_HOPE = 0.55
_CONTROL = 0.1
_PRICES = (0.0, 1.0, 0.6, 0.4, 0.25)
_READINESS = 0.5


def price(vetoes: int) -> float:
    """The points a veto must save to be spent, of so many held: the last is dear."""
    return _PRICES[min(vetoes, len(_PRICES) - 1)]


def against(left: float, begun: int, others: int) -> float:
    """The chance that one of the others lays a veto, of whose vetoes so many are left.

    `begun` is how many they all held when the round began.
    """
    if not begun:
        return 0.0
    return 1 - (1 - _READINESS * math.sqrt(max(0.0, left) / begun)) ** others


def hope(vetoes: int, others_against: float) -> float:
    """How much of the best outcome still possible a round usually brings its owner.

    A veto in hand is worth the more the less the others have to set against it.
    """
    return _HOPE + _CONTROL * (1 - others_against if vetoes else -others_against)


def lift(gain: int, exposed: bool, favourite: bool) -> float:
    """What a move that nominates nobody is worth.

    `gain` is what the character's place brings more than before; `exposed` says that
    the next step is the throne.
    """
    if not favourite:
        return (-0.4 if exposed else 0.0) if gain == 1 else -0.3 * gain
    if gain < 0:
        return gain
    if exposed:
        return 0.6
    return 2.0 if gain > 1 else 1.5


def ladder(places: Sequence[Place], most: int) -> tuple[int, ...]:
    """The best places that so many characters could hold at a coronation, by value."""
    found: list[int] = []
    for place in sorted(places, key=lambda place: -place.value):
        # One on the throne; it came from the top floor, which has one less since.
        full = most if place.capacity is None else place.capacity
        above = place.kind is PlaceKind.THRONE
        found += [place.value] * (1 if above else full - (len(found) == 1))
    return tuple(found[:most])
