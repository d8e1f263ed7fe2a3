"""Characters in a row, each with what it brings."""

from collections.abc import Mapping, Sequence

import msgspec

from engine.board import Character
from engine.editions.base import Edition
from engine.views import PlaceView
from service.present import layout, nouns


class Portrait(msgspec.Struct, frozen=True):
    """A character in a row of others; `worth` where it stands now, or None."""

    letter: Character
    name: str
    shade: int
    worth: int | None = None


def portrait(letter: Character, worth: int | None = None) -> Portrait:
    """A character's portrait."""
    return Portrait(letter, nouns.name_of(letter), layout.shade(letter), worth)


def worths(
    law: Edition, places: Sequence[PlaceView], king: Character | None
) -> Mapping[Character, int]:
    """What everybody in the castle brings, if `king` is or were the king."""
    sign = -1 if king and law.turns_round(king) else 1
    return {c: sign * seen.place.value for seen in places for c in seen.characters}
