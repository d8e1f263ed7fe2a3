"""What an edition answers: one file, one stateless object, plain values only."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import ClassVar

import msgspec

from engine.board import (
    FLOORS,
    PLACEMENT_FLOORS,
    SERVANTS,
    THRONE,
    Board,
    Card,
    Character,
    Place,
    PlaceKey,
    Seat,
    Verdict,
)
from engine.commands import History, PlacementOption
from engine.errors import BadTable


@lru_cache(maxsize=256)
def quotas(law: "Edition", seats: int, placement: PlacementOption) -> tuple[int, ...]:
    """How many characters each seat places, from the first one on."""
    return tuple(law.quota(seats, turn, placement) for turn in range(seats))


class Choices(msgspec.Struct, frozen=True):
    """The options a host may choose from; the first of each is the default."""

    rounds: tuple[int, ...]
    placement: tuple[PlacementOption, ...]
    ballot_history: tuple[History, ...]


class Edition(ABC):
    """The rules of one edition.

    Whatever most editions share stands here, so that a new one says only what is its
    own. Nothing outside this package asks which edition it is.
    """

    id: ClassVar[str]
    characters: ClassVar[tuple[Character, ...]]
    seats: ClassVar[range]
    places: ClassVar[tuple[Place, ...]]
    cards: ClassVar[tuple[Card, ...]]
    choices: ClassVar[Choices]
    ways: ClassVar[Mapping[PlaceKey, tuple[PlaceKey, ...]]] = {
        floor: (above,) for floor, above in pairwise(FLOORS)
    }
    """Where a move leads from each place: the first way that isn't full."""

    start_score: ClassVar[int] = 0
    rules: ClassVar[int] = 1

    @abstractmethod
    def hand(self, seats: int) -> tuple[Card, ...]:
        """The vote cards of every player at the start of every round."""

    @abstractmethod
    def quota(self, seats: int, turn: int, placement: PlacementOption) -> int:
        """How many characters the seat `turn` places after the first places."""

    @abstractmethod
    def verdict(self, ballots: Sequence[Card]) -> Verdict:
        """How an election with these cards ends."""

    @abstractmethod
    def aftermath(self, board: Board, nominee: Character, verdict: Verdict) -> PlaceKey:
        """Where the nominee, on the throne of `board`, goes after the verdict."""

    @abstractmethod
    def round_points(
        self,
        board: Board,
        favourites: Sequence[Character],
        round_number: int,
        rounds: int,
    ) -> int:
        """The points of six favourites at a coronation, without any bonus."""

    @abstractmethod
    def ranking(
        self,
        totals: Sequence[int],
        board: Board,
        favourites: Sequence[Sequence[Character]],
    ) -> tuple[Seat, ...]:
        """The winners in seat order, from the totals and the last round's board."""

    def opening_board(self) -> Board:
        """The board before anybody places."""
        return Board()

    def turns_round(self, king: Character) -> bool:
        """Whether the points of a round change their sign under this king."""
        return False

    def bonus(self, seats: int, turn: int, placement: PlacementOption) -> int:
        """Points the seat `turn` places after the first gets every round."""
        return 0

    def check_table(
        self, seats: int, rounds: int, placement: PlacementOption, history: History
    ) -> None:
        """Refuse a table this edition can't be played at. Raises BadTable."""
        if seats not in self.seats:
            raise BadTable("seats", seats)
        if rounds not in self.choices.rounds:
            raise BadTable("rounds", rounds)
        if placement not in self.choices.placement:
            raise BadTable("placement", placement.value)
        if history not in self.choices.ballot_history:
            raise BadTable("ballot_history", history.value)

    def placements_at(self, seats: int) -> tuple[PlacementOption, ...]:
        """The ways to place that this number of players may choose, default first."""
        return tuple(
            placement
            for placement in self.choices.placement
            if self._allows(seats, placement)
        )

    def _allows(self, seats: int, placement: PlacementOption) -> bool:
        rounds, history = self.choices.rounds[0], self.choices.ballot_history[0]
        try:
            self.check_table(seats, rounds, placement, history)
        except BadTable:
            return False
        return True

    def place(self, key: PlaceKey) -> Place:
        """The place of a key. Raises KeyError for a key that isn't one."""
        return self._by_key[key]

    @cached_property
    def _by_key(self) -> Mapping[PlaceKey, Place]:
        return {place.key: place for place in self.places}

    @cached_property
    def _letters(self) -> tuple[Character, ...]:
        return tuple(sorted(self.characters))

    @cached_property
    def _room(self) -> Mapping[PlaceKey, int]:
        return {
            p.key: sys.maxsize if p.capacity is None else p.capacity
            for p in self.places
        }

    @cached_property
    def _ways(self) -> tuple[tuple[PlaceKey, PlaceKey], ...]:
        """From where to where, a place's first way last, so that it counts if open."""
        return tuple(
            (place, way) for place, ways in self.ways.items() for way in reversed(ways)
        )

    def _left(self, board: Board) -> Mapping[PlaceKey, int]:
        """How many more each place takes."""
        left = dict(self._room)
        for place in board.at.values():
            left[place] -= 1
        return left

    def full(self, board: Board) -> frozenset[PlaceKey]:
        """The places where nobody more may stand."""
        return frozenset(key for key, left in self._left(board).items() if left <= 0)

    def placements(self, board: Board) -> tuple[tuple[Character, PlaceKey], ...]:
        """Every placement allowed, sorted by letter, then floor."""
        left, at = self._left(board), board.at
        free = [floor for floor in PLACEMENT_FLOORS if left[floor] > 0]
        return tuple(
            [(c, floor) for c in self._letters if c not in at for floor in free]
        )

    def destinations(self, board: Board) -> Mapping[Character, PlaceKey]:
        """Where each character that can move would go, sorted by letter."""
        left, at = self._left(board), board.at
        leads = {place: way for place, way in self._ways if left[way] > 0}
        return {c: to for c in sorted(at) if (to := leads.get(at[c]))}

    def spent(self, card: Card) -> bool:
        """Whether a card, once laid, is gone for the round: all but Yes are."""
        return card is not Card.YES

    def castle_points(self, board: Board, favourites: Sequence[Character]) -> int:
        """The sum of the values of the places the favourites stand on."""
        return sum(self.place(board.at[c]).value for c in favourites)

    def still_in_castle(self, board: Board, favourites: Sequence[Character]) -> int:
        """How many favourites stand on a floor, the throne or among the servants."""
        inside = {SERVANTS, THRONE} | {p.key for p in self.places if p.value > 0}
        return sum(board.at[c] in inside for c in favourites)
