"""Places and who stands where: the words every edition shares."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NewType, TypeAlias

import msgspec

Character: TypeAlias = str
"""A letter: A B C D E F G I L M N O P, in some editions also J."""

PlaceKey: TypeAlias = str
"""A key of a place: "0".."5", "throne", and what the edition adds."""

Seat = NewType("Seat", int)

LETTERS: tuple[Character, ...] = tuple("ABCDEFGILMNOP")
THRONE: PlaceKey = "throne"
SERVANTS: PlaceKey = "0"
FLOORS: tuple[PlaceKey, ...] = ("0", "1", "2", "3", "4", "5", THRONE)
PLACEMENT_FLOORS: tuple[PlaceKey, ...] = ("1", "2", "3", "4")


class Card(StrEnum):
    """A vote card."""

    YES = "yes"
    NO = "no"
    STOMACHACHE = "stomachache"


class Verdict(StrEnum):
    """How an election ended."""

    CROWNED = "crowned"
    REFUSED = "refused"
    CANCELLED = "cancelled"


class PlaceKind(StrEnum):
    """What a place is, for those who draw it."""

    FLOOR = "floor"
    THRONE = "throne"
    ASIDE = "aside"
    DUNGEON = "dungeon"
    OUT = "out"


class Place(msgspec.Struct, frozen=True, gc=False):
    """A place as data: pages, mails and notation draw any edition from these.

    `label` is a key for translation, `value` the points of whoever stands there at the
    coronation, `capacity` the most it holds (None: no limit), `beside` the floor that a
    place aside belongs to.
    """

    key: PlaceKey
    label: str
    kind: PlaceKind
    value: int
    capacity: int | None = None
    beside: PlaceKey | None = None


class Board(msgspec.Struct, frozen=True, gc=False):
    """Who stands where. Characters not yet placed are missing."""

    at: Mapping[Character, PlaceKey] = {}

    def on(self, place: PlaceKey) -> tuple[Character, ...]:
        """The characters on a place, in the order of their letters."""
        return tuple(sorted(c for c, p in self.at.items() if p == place))

    def count(self, place: PlaceKey) -> int:
        """How many stand on a place."""
        return sum(p == place for p in self.at.values())

    def put(self, character: Character, place: PlaceKey) -> "Board":
        """The board with one character moved or placed; checks nothing."""
        return Board({**self.at, character: place})
