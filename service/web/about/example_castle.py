"""Castles for the page of the rules: one of each edition that has an example here."""

from collections.abc import Mapping
from typing import Final

import msgspec

from engine.board import THRONE, Board, Character, PlaceKey
from engine.editions.base import Edition
from engine.views import PlaceView
from service.present import castle, nouns, sentences
from service.present.castle import FloorRow
from service.present.languages import gettext as _
from service.present.layout import Drawing, Layout, Scene

FAVOURITES: Final[tuple[Character, ...]] = tuple("BCDEIO")
"""A card of the deck, and one that the printed rules show."""

STANDING: Final[Mapping[str, Mapping[PlaceKey, str]]] = {
    "classic": {
        THRONE: "E",
        "5": "FO",
        "4": "ABN",
        "3": "DL",
        "2": "GM",
        "1": "C",
        "0": "P",
        "out": "I",
    },
    "jester": {
        THRONE: "E",
        "5": "O",
        "4": "AFNP",
        "wc4": "D",
        "3": "JLM",
        "2": "G",
        "1": "B",
        "dungeon3": "I",
        "dungeon2": "C",
    },
}
"""Who stands where at a coronation, by edition: each kind of place has somebody."""


class ExampleCastle(msgspec.Struct, frozen=True):
    """A castle at a coronation; `sum` says what it brings for the marked six."""

    drawing: Drawing
    rows: tuple[FloorRow, ...]
    favourites: tuple[str, ...]
    sum: str


def of_edition(law: Edition) -> ExampleCastle | None:
    """The example of an edition; None where there is none."""
    if law.id not in STANDING:
        return None
    standing = STANDING[law.id]
    places = tuple(
        PlaceView(place, tuple(standing.get(place.key, ()))) for place in law.places
    )
    scene = Scene(places, unplaced=(), asked=False)
    return ExampleCastle(
        drawing=Layout(FAVOURITES).draw(scene),
        rows=castle.rows_of(places),
        favourites=tuple(map(nouns.name_of, FAVOURITES)),
        sum=_sum(law, board(law.id)),
    )


def board(edition: str) -> Board:
    """The example of an edition that has one, as the rules count it."""
    return Board({c: key for key, here in STANDING[edition].items() for c in here})


def _sum(law: Edition, shown: Board) -> str:
    [king] = shown.on(THRONE)
    worths = [
        f"{nouns.name_of(c)} {nouns.signed(law.place(shown.at[c]).value)}"
        for c in FAVOURITES
    ]
    return _(
        "An example: %(king)s has just been crowned. Whoever holds the card with these"
        " six hearts gets %(points)s points: %(worths)s.",
        king=nouns.name_of(king),
        points=nouns.signed(law.round_points(shown, FAVOURITES, 1, 3)),
        worths=sentences.listed(worths),
    )
