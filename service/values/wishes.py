"""Standing answers: what a seat has said ahead of being asked, each kind by itself."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engine.board import Card, Character, PlaceKey


class WishedPlacement(msgspec.Struct, frozen=True):
    """A character to be placed on a floor, if both are free by then."""

    character: Character
    place: PlaceKey


WishedPlacements: TypeAlias = tuple[WishedPlacement, ...]


class WishedMove(msgspec.Struct, frozen=True):
    """The one next move: a character, and the place that it must come to."""

    character: Character
    to: PlaceKey


class WishedCard(msgspec.Struct, frozen=True):
    """The card to lay where a character is up for king."""

    nominee: Character
    card: Card


class WishedElection(msgspec.Struct, frozen=True, rename={"otherwise": "else"}):
    """What to lay in elections: by the nominee, and for everybody else."""

    nominees: tuple[WishedCard, ...]
    otherwise: Annotated[
        Card, Meta(description="The card for whoever isn't named: `yes` or `no`.")
    ]

    def card_for(self, nominee: Character) -> Card:
        """The card for a nominee: of several the first that is named."""
        named = (each.card for each in self.nominees if each.nominee == nominee)
        return next(named, self.otherwise)


class Wishes(msgspec.Struct, frozen=True):
    """The standing answers of a seat, for this round alone."""

    placements: Annotated[
        WishedPlacements,
        Meta(description="The first that is possible is placed, each time anew."),
    ] = ()
    move: Annotated[
        WishedMove | None,
        Meta(description="For your next move alone; it is dropped then, used or not."),
    ] = None
    election: Annotated[
        WishedElection | None,
        Meta(description="For every election of the round; null: you are asked."),
    ] = None


NOTHING = Wishes()
