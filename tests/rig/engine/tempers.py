"""How the seats of a soak behave: some for themselves, some all together.

Those who act together look into the game's secrets: they are no players, they drive a
round to where chance alone hardly ever leads.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from engine.board import THRONE, Card, Character, Seat
from engine.bots import BOTS
from engine.commands import Answer, Ballot, Move, Placement
from engine.deck import favourites
from tests.rig.engine.tables import Table

Temper: TypeAlias = Callable[[Table, Seat, random.Random], Answer]

HEIGHT = {
    "0": 0,
    "1": 1,
    "2": 2,
    "wc3": 2.5,
    "3": 3,
    "wc4": 3.5,
    "4": 4,
    "5": 5,
    "throne": 6,
}
"""How high a character stands in the castle."""


def whim(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """Any legal answer."""
    return rng.choice(table.legal(seat))


def stubborn(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """Refuses whoever it can, and puts up nobody before it must."""
    legal = table.legal(seat)
    calm = [answer for answer in legal if not _nominates(table, answer)]
    against = [a for a in calm if isinstance(a, Ballot) and a.card != Card.YES]
    return rng.choice(against or calm or legal)


def hasty(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """Lifts whoever stands highest, and agrees to every king but a few."""
    legal = table.legal(seat)
    if isinstance(legal[0], Ballot):
        return legal[0] if rng.random() < 0.8 else rng.choice(legal)
    moves = [a for a in legal if isinstance(a, Move)]
    at = table.game.board.at
    return max(moves, key=lambda a: HEIGHT[at[a.character]], default=rng.choice(legal))


def steady(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """The bot."""
    return BOTS["steady"](table.view(seat), rng)


ALONE: tuple[Temper, ...] = (whim, stubborn, hasty)


def _nominates(table: Table, answer: Answer) -> bool:
    if not isinstance(answer, Move):
        return False
    return table.game.destinations[answer.character] == THRONE


def _one_against(table: Table, seat: Seat, first: Card = Card.NO) -> Answer:
    """Of all hands one card is laid against the nominee, the first kind if any."""
    kinds = [first, *(c for c in table.game.law.cards if c not in (first, Card.YES))]
    for kind in kinds:
        holders = [s for s, hand in enumerate(table.game.hands) if kind in hand]
        if holders:
            return Ballot(kind if seat == holders[0] else Card.YES)
    return Ballot(Card.YES)


class Plot:
    """All seats work on the card of one: to lift its favourites, or to be rid of them.

    In the end the king is a favourite, somebody else, or the Jester (`turned`).
    """

    def __init__(self, victim: int, lift: bool, turned: bool) -> None:
        self.victim, self.lift, self.turned = Seat(victim), lift, turned

    def __call__(self, table: Table, seat: Seat, rng: random.Random) -> Answer:
        legal = table.legal(seat)
        six = favourites(table.game.card_of(self.victim, table.game.round))
        if isinstance(legal[0], Placement):
            return _place_high(legal, six)
        heights = {c: HEIGHT.get(p, -1) for c, p in table.game.board.at.items()}
        ways = table.game.destinations
        king = self._king(heights, six)
        if isinstance(legal[0], Ballot):
            ready = self._ready(heights, six, king)
            crowned = ready and table.game.board.at[king] == THRONE
            return Ballot(Card.YES) if crowned else _one_against(table, seat)
        for letter in self._wanted(heights, six, king):
            if letter in ways:
                return Move(letter)
        others = [c for c in ways if c not in six and ways[c] != THRONE]
        return Move(rng.choice(others or list(ways)))

    def _king(self, heights: Mapping[Character, float], six: Sequence[str]) -> str:
        if self.turned:
            return "J"
        may_reign = [c for c in heights if (c in six) == self.lift and c != "J"]
        return max(may_reign, key=lambda c: (heights[c], c))

    def _aims(
        self, heights: Mapping[Character, float], six: Sequence[str], king: str
    ) -> list[tuple[Character, float]]:
        """How high each favourite is to rise before the king is put up."""
        courtiers = sorted((c for c in six if c != king), key=lambda c: -heights[c])
        if not self.lift:
            return [(c, 6) for c in courtiers if heights[c] > 0]
        nobles = [(c, 5.0) for c in courtiers[:3]]
        return [*nobles, (king, 5), *((c, 4.0) for c in courtiers[3:])]

    def _ready(
        self, heights: Mapping[Character, float], six: Sequence[str], king: str
    ) -> bool:
        aims = self._aims(heights, six, king)
        return all(heights[c] >= aim for c, aim in aims if c != king)

    def _wanted(
        self, heights: Mapping[Character, float], six: Sequence[str], king: str
    ) -> list[Character]:
        """Whom to move, the most wanted first."""
        behind = [c for c, aim in self._aims(heights, six, king) if heights[c] < aim]
        return behind or [king]


def _place_high(legal: Sequence[Answer], six: Sequence[str]) -> Answer:
    """The favourites first, as high as there is room; then the others, low."""
    spots = [a for a in legal if isinstance(a, Placement)]
    wanted = [a for a in spots if a.character in six]
    if wanted:
        return max(wanted, key=lambda a: (a.place, a.character))
    return min(spots, key=lambda a: (a.place, a.character))


def dawdle(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """For long rounds: everybody low, nobody put up in haste, one against at a time."""
    legal = table.legal(seat)
    if isinstance(legal[0], Ballot):
        return _one_against(table, seat)
    spots = [a for a in legal if isinstance(a, Placement)]
    if spots:
        return min(spots, key=lambda a: (a.place, a.character))
    ways, at = table.game.destinations, table.game.board.at
    calm = [c for c, to in ways.items() if to != THRONE]
    # Who is refused and comes back to a low floor has the longest way to go.
    if not calm and "J" in ways and rng.random() < 0.5:
        return Move("J")
    return Move(min(calm or ways, key=lambda c: (HEIGHT[at[c]], c)))


def company(seats: int, jester: bool, rng: random.Random) -> list[Temper]:
    """Somebody for every seat; sometimes they all act together."""
    chance = rng.random()
    if chance < 0.1:
        plot = Plot(
            rng.randrange(seats), rng.random() < 0.5, jester and rng.random() < 0.5
        )
        return [plot] * seats
    if chance < 0.12:
        return [dawdle] * seats
    return [rng.choice(ALONE) for _ in range(seats)]
