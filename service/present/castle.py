"""The castle, drawn from a view's places for pages, and told in rows for mails."""

import functools
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec
from flask import render_template
from markupsafe import Markup

from engine.board import Character, Place, PlaceKey, PlaceKind
from engine.views import PlaceView, View
from service.present import languages, layout, nouns
from service.present.languages import gettext as _

_EMPTY: Final = "-"
_EDITIONS: Final = 64
"""How many castles' words are remembered, an edition in a language each."""


class FloorRow(msgspec.Struct, frozen=True):
    """One line of the castle: a place, its points, and who stands there.

    `value` is None for those who are not placed yet.
    """

    label: str
    value: int | None
    characters: tuple[Character, ...]
    names: tuple[str, ...]


def rows(view: View) -> tuple[FloorRow, ...]:
    """The castle from top to bottom, and those beside it who are not placed yet."""
    found = rows_of(view.places)
    if not view.unplaced:
        return found
    return (*found, _row(_("Not placed yet"), None, view.unplaced))


def rows_of(places: Sequence[PlaceView]) -> tuple[FloorRow, ...]:
    """One row a place; one outside of the castle only while somebody is there."""
    everywhere = tuple(seen.place for seen in places)
    labels = _labels(everywhere, languages.language())
    return tuple(
        _row(label, seen.place.value, seen.characters)
        for label, seen in zip(labels, places, strict=True)
        if seen.characters or seen.place.kind is not PlaceKind.OUT
    )


@functools.lru_cache(maxsize=_EDITIONS)
def _labels(places: tuple[Place, ...], _language: str) -> tuple[str, ...]:
    """What the places of an edition are called in the language of now."""
    return tuple(nouns.place_name(place, places) for place in places)


def _row(label: str, value: int | None, characters: tuple[Character, ...]) -> FloorRow:
    return FloorRow(
        label, value, characters, tuple(nouns.name_of(c) for c in characters)
    )


def as_ended(view: View, places: Sequence[PlaceView]) -> View:
    """A view whose castle is that in which a round ended, with nothing asked."""
    return msgspec.structs.replace(
        view, places=tuple(places), unplaced=(), decision=None
    )


def svg(
    view: View,
    favourites: Collection[Character] = (),
    came_from: Mapping[Character, PlaceKey | None] = MappingProxyType({}),
) -> Markup:
    """The castle as one SVG element for a page, with its words as real text.

    `favourites` are marked: pass them only for the eyes of the seat that holds them. So
    are those who stand elsewhere than before, and the places where they stood.
    """
    shown = layout.scene(view)
    drawing = layout.Layout(favourites).draw(shown)
    picture = render_template(
        "castle.svg",
        drawing=drawing,
        marks=layout.marks(drawing, shown, came_from),
        rows=rows(view),
        favourites=[nouns.name_of(c) for c in favourites],
    )
    return Markup(picture)  # noqa: S704 - rendered by an escaping template


def lines(floors: Sequence[FloorRow]) -> tuple[str, ...]:
    """Rows as text, one line each, for letters that are all equally wide."""
    labels = [
        row.label if row.value is None else f"{nouns.signed(row.value)} {row.label}"
        for row in floors
    ]
    width = max(map(len, labels), default=0)
    return tuple(
        f"{label:<{width}}   {', '.join(row.names) or _EMPTY}"
        for label, row in zip(labels, floors, strict=True)
    )
