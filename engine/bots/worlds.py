"""Worlds that fit a view: what the others may hold, the likelier the oftener."""

import math
import random
from collections.abc import Sequence
from itertools import accumulate

import msgspec

from engine.board import Card, Seat
from engine.bots.tabulated import Tables
from engine.deck import CARDS, favourites
from engine.views import ElectionView, Own, View

_HEIGHT = 0.12
"""What speaks for a favourite of somebody's: each point of the place it stands on."""

_NOMINATED, _AGREED, _REFUSED = 0.8, 0.3, -1.0
"""And having been put up by that seat, its Yes, its veto. All are logarithms."""

_LAYS, _LAYS_OWN = 0.45, 0.15
"""How often a seat lays a veto against a stranger, and against a favourite."""

_TRIES = 20
_SIXES = [favourites(number) for number in range(len(CARDS))]


class World(msgspec.Struct, frozen=True):
    """A card and the vetoes left, by kind, for every seat."""

    cards: list[tuple[int, ...]]
    hands: list[list[int]]


class Worlds:
    """A source of worlds that fit the view of its owner."""

    def __init__(
        self, law: Tables, view: View, own: Own, chance: random.Random
    ) -> None:
        self.law, self.view, self.chance = law, view, chance
        self.seat = own.seat
        self.seats = len(view.seats)
        self.begun = [view.hand.count(veto) for veto in law.vetoes]
        self.own_hand = [own.hand.count(veto) for veto in law.vetoes]
        self.cards_of = {s.election.decision: s.cards for s in view.showings}
        self._known_spending()
        self.own_card = law.cards[_SIXES.index(own.favourites)]
        gone = {six for over in view.rounds for six in over.favourites}
        gone.add(own.favourites)
        self.free = [n for n, six in enumerate(_SIXES) if six not in gone]
        self.weights = [self._weights(Seat(s)) for s in range(self.seats)]

    def _known_spending(self) -> None:
        """Split the elections into those whose cards are shown and the others."""
        self.left = [self.begun[:] for _ in range(self.seats)]
        self.unseen: list[ElectionView] = []
        own_spent = sum(self.begun) - sum(self.own_hand)
        for election in self.view.elections:
            cards = self.cards_of.get(election.decision)
            if cards is None:
                self.unseen.append(election)
                continue
            for s, card in enumerate(cards):
                if card is not Card.YES:
                    self.left[s][self.law.vetoes.index(card)] -= 1
            own_spent -= cards[self.seat] is not Card.YES
        self.own_unseen = own_spent

    def _weights(self, seat: Seat) -> list[float]:
        """How likely each free card is for a seat, cumulated."""
        liking = self._liking(seat)
        scores = [
            sum(like for like, on in zip(liking, self.law.cards[n], strict=True) if on)
            for n in self.free
        ]
        best = max(scores)
        return list(accumulate(math.exp(score - best) for score in scores))

    def _liking(self, seat: Seat) -> list[float]:
        """What speaks for each character's being on the seat's card."""
        law = self.law
        liking = [0.0] * len(law.letters)
        for p in self.view.places:
            for letter in p.characters:
                liking[law.letters.index(letter)] += _HEIGHT * max(0, p.place.value)
        for election in self.view.elections:
            c = law.letters.index(election.nominee)
            if election.mover == seat:
                liking[c] += _NOMINATED
            cards = self.cards_of.get(election.decision)
            if cards is not None:
                liking[c] += _AGREED if cards[seat] is Card.YES else _REFUSED
        decision = self.view.decision
        if decision is not None and decision.mover == seat and decision.nominee:
            liking[law.letters.index(decision.nominee)] += _NOMINATED
        return liking

    def sample(self, count: int) -> list[World]:
        """So many worlds."""
        columns = [self._draw(Seat(seat), count) for seat in range(self.seats)]
        return [self._world(dealt) for dealt in zip(*columns, strict=True)]

    def _draw(self, seat: Seat, count: int) -> list[int]:
        weights = self.weights[seat]
        return self.chance.choices(self.free, cum_weights=weights, k=count)

    def _world(self, dealt: Sequence[int]) -> World:
        """The world in which these cards were dealt, drawn again where one is twice."""
        taken: set[int] = set()
        cards = []
        for seat, number in enumerate(dealt):
            if seat == self.seat:
                cards.append(self.own_card)
                continue
            if number in taken:
                number = self._other(Seat(seat), taken)
            taken.add(number)
            cards.append(self.law.cards[number])
        return World(cards=cards, hands=self._hands(cards))

    def _other(self, seat: Seat, taken: set[int]) -> int:
        drawn = self._draw(seat, _TRIES)
        left = [n for n in drawn if n not in taken]
        return left[0] if left else next(n for n in self.free if n not in taken)

    def _hands(self, cards: list[tuple[int, ...]]) -> list[list[int]]:
        """Hands that explain the verdicts whose cards aren't shown."""
        hands = [left[:] for left in self.left]
        hands[self.seat] = self.own_hand[:]
        own = self.own_unseen
        for position, election in enumerate(self.unseen):
            mine = self.chance.random() * (len(self.unseen) - position) < own
            own -= mine
            self._spend(hands, cards, election, mine)
        return hands

    def _spend(
        self,
        hands: list[list[int]],
        cards: list[tuple[int, ...]],
        election: ElectionView,
        mine: bool,
    ) -> None:
        """Take from the hands what an election with unseen cards may have cost."""
        c = self.law.letters.index(election.nominee)
        alone = self.law.alone
        kind = alone.index(election.verdict) if election.verdict in alone else 0
        others = [s for s in range(self.seats) if s != self.seat and hands[s][kind]]
        lays = [_LAYS_OWN if cards[s][c] else _LAYS for s in others]
        laid = [
            s for s, p in zip(others, lays, strict=True) if self.chance.random() < p
        ]
        if others and not laid and not mine:
            laid = self.chance.choices(others, lays)
        for s in laid:
            hands[s][kind] -= 1
