"""What an edition answers: one file, one stateless object, plain values only."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import ClassVar, Final

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
from engine.commands import History, Options, PlacementOption
from engine.errors import BadTable


class Choices(msgspec.Struct, frozen=True):
    """The options a host may choose from; the first of each is the default."""

    rounds: tuple[int, ...]
    placement: tuple[PlacementOption, ...]
    ballot_history: tuple[History, ...]


class UsualRound(msgspec.Struct, frozen=True):
    """How many moves and elections a round has usually, at a table of some size."""

    moves: int
    elections: int


_USUAL_ROUND: Final = UsualRound(16, 2)


class UsualWaits(msgspec.Struct, frozen=True):
    """How many decisions of each kind a round usually has, one after another."""

    placements: int
    moves: int
    elections: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.placements + self.moves + self.elections


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

    usual_rounds: ClassVar[Mapping[int, UsualRound]] = {}
    """By seats, from games that bots played; of no part in the rules."""

    start_score: ClassVar[int] = 0
    rules: ClassVar[int] = 1

    def usual_waits(self, seats: int, placement: PlacementOption) -> UsualWaits:
        """How many waits one after another a round usually has."""
        usual = self.usual_rounds.get(seats, _USUAL_ROUND)
        chosen = placement is not PlacementOption.RANDOM
        placed = sum(quotas(self, seats, placement)) if chosen else 0
        return UsualWaits(placed, usual.moves, usual.elections)

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

    def check_options(self, options: Options, seats: int) -> None:
        """Refuse options that so many can't play by here. Raises BadTable."""
        self.check_table(
            seats, options.rounds, options.placement, options.ballot_history
        )
        if options.first is not None and not 0 <= options.first < seats:
            raise BadTable("first", options.first)

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
    def _limits(self) -> Mapping[PlaceKey, int]:
        """The capacities of the places that can ever be full."""
        return {
            place.key: place.capacity
            for place in self.places
            # A larger capacity would borrow from the bits of the places beside it: a
            # floor with two on it was full once.
            if place.capacity is not None and place.capacity <= len(self.characters)
        }

    @cached_property
    def _brim(self) -> int:
        """The first power of two above the number of characters."""
        return 1 << len(self.characters).bit_length()

    @cached_property
    def _digits(self) -> Mapping[PlaceKey, int]:
        """What one character adds to the number that `_crowded` counts with.

        Each place of `_limits` counts in bits of its own, up to twice `_brim` less one.
        """
        size = 2 * self._brim
        digits = {key: size**index for index, key in enumerate(self._limits)}
        return {place.key: digits.get(place.key, 0) for place in self.places}

    @cached_property
    def _start(self) -> int:
        """So much that a place counts to `_brim` once it is full."""
        limits = self._limits.items()
        return sum(self._digits[key] * (self._brim - most) for key, most in limits)

    @cached_property
    def _marks(self) -> int:
        return self._brim * sum(self._digits.values())

    def _crowded(self, board: Board) -> int:
        """Which places are full, as a number: `_brim` times the digit of each."""
        standing = sum(map(self._digits.__getitem__, board.at.values()), self._start)
        return standing & self._marks

    def full(self, board: Board) -> frozenset[PlaceKey]:
        """The places where nobody more may stand."""
        return _full(self, self._crowded(board))

    def placements(self, board: Board) -> tuple[tuple[Character, PlaceKey], ...]:
        """Every placement allowed, sorted by letter, then floor."""
        at, free = board.at, _free(self, self._crowded(board))
        return tuple(chain.from_iterable([free[c] for c in free if c not in at]))

    def destinations(self, board: Board) -> Mapping[Character, PlaceKey]:
        """Where each character that can move would go, sorted by letter."""
        at, leads = board.at, _leads(self, self._crowded(board))
        return {c: to for c in sorted(at) if (to := leads.get(at[c]))}

    def spent(self, card: Card) -> bool:
        """Whether a card, once laid, is gone for the round: all but Yes are."""
        # However the election ended: a No under a Stomachache is gone, too (RULES
        # §2.5).
        return card is not Card.YES

    def castle_points(self, board: Board, favourites: Sequence[Character]) -> int:
        """The sum of the values of the places the favourites stand on."""
        return sum(self.place(board.at[c]).value for c in favourites)

    def still_in_castle(self, board: Board, favourites: Sequence[Character]) -> int:
        """How many favourites stand on a floor, the throne or among the servants."""
        # Throne and servants count as in the castle: a ruling of ours (RULES §1.11).
        inside = {SERVANTS, THRONE} | {p.key for p in self.places if p.value > 0}
        return sum(board.at[c] in inside for c in favourites)


@lru_cache(maxsize=256)
def quotas(law: Edition, seats: int, placement: PlacementOption) -> tuple[int, ...]:
    """How many characters each seat places, from the first one on."""
    return tuple(law.quota(seats, turn, placement) for turn in range(seats))


@lru_cache(maxsize=1024)
def _full(law: Edition, crowded: int) -> frozenset[PlaceKey]:
    """The places that are full, from the number that says so."""
    digits, brim = law._digits, law._brim
    return frozenset(key for key in digits if brim * digits[key] & crowded)


@lru_cache(maxsize=1024)
def _free(
    law: Edition, crowded: int
) -> Mapping[Character, tuple[tuple[Character, PlaceKey], ...]]:
    """Each character's placements, by letter, while those places are full."""
    full = _full(law, crowded)
    floors = [floor for floor in PLACEMENT_FLOORS if floor not in full]
    return {c: tuple((c, floor) for floor in floors) for c in sorted(law.characters)}


@lru_cache(maxsize=1024)
def _leads(law: Edition, crowded: int) -> Mapping[PlaceKey, PlaceKey]:
    """Where a move leads from each place, while those places are full."""
    full = _full(law, crowded)
    return {
        place: way
        for place, ways in law.ways.items()
        # The first way that has room is written last, and stays.
        for way in reversed(ways)
        if way not in full
    }
