"""The castle laid out for drawing: where everything and everybody stands in it."""

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil
from typing import Final

import msgspec

from engine.board import Character, PlaceKey, PlaceKind
from engine.views import PlaceView, View
from service.present import nouns
from service.present.languages import gettext as _

_WIDTH: Final = 404
_WIDTH_ASIDE: Final = 438
_LEFT: Final = 90
_RIGHT: Final = 362
_STOREY: Final = 72
_THRONE: Final = 134
_STRIP_HEAD: Final = 26
_COLUMNS: Final = 4
_COLUMNS_BESIDE: Final = 5
_CELLAR: Final = 100
_CELLAR_HEAD: Final = 8

_LABEL: Final = 12.5
_LABEL_WIDTH: Final = 76
_NARROW: Final = frozenset("Iijltfr.,:;'!| ")
_BROAD: Final = frozenset("MWmw")

_COLOURS: Final = (
    "#8c2f39",
    "#b0413e",
    "#a6541f",
    "#8a6510",
    "#5f6f1c",
    "#2f6f4f",
    "#1f6f78",
    "#24608f",
    "#3a4f9b",
    "#5d479c",
    "#7d3f98",
    "#9c3575",
    "#6b4f43",
    "#a3267f",
)
_ORDER: Final = tuple(nouns.CHARACTERS)

FIGURES: Final[Mapping[Character, str]] = {
    "A": "squire",
    "B": "nurse",
    "C": "sergeant",
    "D": "librarian",
    "E": "duke",
    "F": "minstrel",
    "G": "farmer",
    "I": "dancer",
    "L": "shepherdess",
    "M": "seer",
    "N": "apothecary",
    "O": "countess",
    "P": "traveller",
    "J": "jester",
}
"""The shape that tells a character from all others, after the title: see `people.svg`.
Whoever has none wears a plain hood."""


class Scene(msgspec.Struct, frozen=True):
    """What a drawing shows: everybody in their places, and those beside the castle.

    `asked` tells that somebody is up for king.
    """

    places: tuple[PlaceView, ...]
    unplaced: tuple[Character, ...]
    asked: bool


def scene(view: View) -> Scene:
    """What a drawing shows of a view."""
    asked = view.decision is not None and view.decision.nominee is not None
    return Scene(view.places, view.unplaced, asked)


class CharacterToken(msgspec.Struct, frozen=True):
    """A character on the drawing; `x` and `y` are the middle of its feet."""

    character: Character
    name: str
    colour: str
    figure: str
    x: float
    y: float
    mine: bool


class Storey(msgspec.Struct, frozen=True):
    """A place on the drawing, from `top` down; windows by their middle and sill.

    `size` is that of the letters of its label; `niches` are the places beside it, each
    with whoever stands there.
    """

    kind: PlaceKind
    label: str
    size: float
    value: int
    top: float
    height: float
    windows: tuple[tuple[float, float], ...]
    tokens: tuple[CharacterToken, ...]
    niches: tuple["Niche", ...]


class Niche(msgspec.Struct, frozen=True):
    """A place beside a floor, in the right tower."""

    label: str
    tokens: tuple[CharacterToken, ...]


class Cell(msgspec.Struct, frozen=True):
    """A dungeon under the castle, from `left` on."""

    label: str
    left: float
    width: float
    tokens: tuple[CharacterToken, ...]


class Strip(msgspec.Struct, frozen=True):
    """Those outside of the castle: not placed yet, or out of the round."""

    label: str
    top: float
    height: float
    tokens: tuple[CharacterToken, ...]


class Drawing(msgspec.Struct, frozen=True):
    """Everything the template draws; `ground` is where the castle stands.

    The right tower stands between `right` and `width`, the cells under the ground.
    """

    width: float
    height: float
    right: float
    ground: float
    storeys: tuple[Storey, ...]
    cells: tuple[Cell, ...]
    strips: tuple[Strip, ...]
    asked: bool


class Marks(msgspec.Struct, frozen=True):
    """Where somebody has come to, by the middle of their feet, and where from.

    Those are missing who came from no window of the castle.
    """

    arrived: tuple[CharacterToken, ...]
    left: tuple[CharacterToken, ...]


class Layout:
    """Lays out one drawing, from the top down."""

    def __init__(self, favourites: Collection[Character]) -> None:
        self.favourites = favourites
        self.width: float = _WIDTH
        self.top: float = 0

    def draw(self, shown: Scene) -> Drawing:
        """Everything of a scene in its place."""
        below = (PlaceKind.OUT, PlaceKind.DUNGEON)
        inside = [p for p in shown.places if p.place.kind not in below]
        self.width = width(any(p.place.beside for p in inside))
        storeys = tuple(
            self._storey(seen, _beside(shown, seen))
            for seen in inside
            if seen.place.beside is None
        )
        ground = self.top
        cells = self._cells(shown)
        self.top += 14
        strips = tuple(self._strips(shown))
        on_throne = any(s.tokens for s in storeys if s.kind is PlaceKind.THRONE)
        return Drawing(
            width=self.width,
            height=self.top,
            right=_RIGHT,
            ground=ground,
            storeys=storeys,
            cells=cells,
            strips=strips,
            asked=on_throne and shown.asked,
        )

    def _storey(self, seen: PlaceView, beside: Sequence[PlaceView]) -> Storey:
        throne = seen.place.kind is PlaceKind.THRONE
        top, standing = self.top, len(seen.characters)
        columns = 1 if throne else max(_COLUMNS, min(standing, _COLUMNS + 1))
        lines = max(1, ceil(standing / columns))
        height = _THRONE if throne else _STOREY * lines
        self.top += height
        step = (_RIGHT - _LEFT) / columns
        spots = [
            (_LEFT + step * (at % columns + 0.5), top + self._sill(throne, at, columns))
            for at in range(columns * lines)
        ]
        label = nouns.label_of(seen.place)
        return Storey(
            kind=seen.place.kind,
            label=label,
            size=label_size(label),
            value=seen.place.value,
            top=top,
            height=height,
            windows=tuple(spots[: seen.place.capacity or None]) if not throne else (),
            tokens=self._tokens(seen.characters, spots),
            niches=tuple(self._niche(p, top) for p in beside),
        )

    def _sill(self, throne: bool, at: int, columns: int) -> float:
        return _THRONE - 18 if throne else _STOREY * (at // columns) + 52

    def _niche(self, seen: PlaceView, top: float) -> Niche:
        middle = (_RIGHT + self.width - 2) / 2
        spots = [(middle, top + 52)] * len(seen.characters)
        label = nouns.label_of(seen.place)
        return Niche(label, self._tokens(seen.characters, spots))

    def _cells(self, shown: Scene) -> tuple[Cell, ...]:
        everywhere = [seen.place for seen in shown.places]
        found = [p for p in shown.places if p.place.kind is PlaceKind.DUNGEON]
        if not found:
            return ()
        top, width = self.top + _CELLAR_HEAD, (self.width - 8) / len(found)
        self.top = top + _CELLAR
        return tuple(
            Cell(
                label=nouns.place_name(seen.place, everywhere),
                left=4 + width * at,
                width=width,
                tokens=self._tokens(
                    seen.characters, [(4 + width * (at + 0.5), top + 76)]
                ),
            )
            for at, seen in enumerate(found)
        )

    def _strips(self, shown: Scene) -> Iterator[Strip]:
        if shown.unplaced:
            yield self._strip(_("Not placed yet"), shown.unplaced)
        for seen in shown.places:
            if seen.place.kind is PlaceKind.OUT and seen.characters:
                label = nouns.label_of(seen.place)
                yield self._strip(label, seen.characters)

    def _strip(self, label: str, characters: tuple[Character, ...]) -> Strip:
        top = self.top
        lines = ceil(len(characters) / _COLUMNS_BESIDE)
        height = _STRIP_HEAD + 66 * lines
        self.top += height + 8
        step = self.width / _COLUMNS_BESIDE
        spots = [
            (
                step * (at % _COLUMNS_BESIDE + 0.5),
                top + _STRIP_HEAD + 66 * (at // _COLUMNS_BESIDE) + 45,
            )
            for at in range(len(characters))
        ]
        return Strip(label, top, height, self._tokens(characters, spots))

    def _tokens(
        self, characters: Sequence[Character], spots: Sequence[tuple[float, float]]
    ) -> tuple[CharacterToken, ...]:
        return tuple(
            token(character, x, y, mine=character in self.favourites)
            for character, (x, y) in zip(characters, spots, strict=False)
        )


def marks(
    drawing: Drawing, shown: Scene, came_from: Mapping[Character, PlaceKey | None]
) -> Marks:
    """What marks on a drawing those who stand elsewhere than before."""
    below = (PlaceKind.OUT, PlaceKind.DUNGEON)
    floors = [
        seen.place.key
        for seen in shown.places
        if seen.place.kind not in below and seen.place.beside is None
    ]
    free = {
        key: iter(storey.windows[len(storey.tokens) :])
        for key, storey in zip(floors, drawing.storeys, strict=True)
    }
    left = []
    for who, origin in came_from.items():
        window = None if origin is None else next(free.get(origin, iter(())), None)
        if window is not None:
            left.append(token(who, *window, mine=False))
    return Marks(
        arrived=tuple(
            each for each in _everybody(drawing) if each.character in came_from
        ),
        left=tuple(left),
    )


def _everybody(drawing: Drawing) -> Iterator[CharacterToken]:
    for storey in drawing.storeys:
        yield from storey.tokens
        for niche in storey.niches:
            yield from niche.tokens
    for cell in drawing.cells:
        yield from cell.tokens
    for strip in drawing.strips:
        yield from strip.tokens


def token(character: Character, x: float, y: float, *, mine: bool) -> CharacterToken:
    """A character standing somewhere."""
    return CharacterToken(
        character=character,
        name=nouns.name_of(character),
        colour=colour(character),
        figure=figure(character),
        x=x,
        y=y,
        mine=mine,
    )


def width(beside: bool) -> float:
    """How wide a drawing is, with or without places beside the floors."""
    return _WIDTH_ASIDE if beside else _WIDTH


def label_size(label: str) -> float:
    """The size of letters with which a label fits into the left tower."""
    return fitting(label, _LABEL_WIDTH, _LABEL)


def _beside(shown: Scene, seen: PlaceView) -> Sequence[PlaceView]:
    return [p for p in shown.places if p.place.beside == seen.place.key]


def shade(character: Character) -> int:
    """The number of a character's colour, which style sheets know as `shade-N`."""
    known = character in _ORDER
    number = _ORDER.index(character) if known else sum(map(ord, character))
    return number % len(_COLOURS)


def colour(character: Character) -> str:
    """The colour a character wears, dark enough for white letters."""
    return _COLOURS[shade(character)]


def figure(character: Character) -> str:
    """What a character is drawn as; nothing where there is no figure for it."""
    return FIGURES.get(character, "")


def fitting(words: str, width: float, size: float) -> float:
    """The size of letters with which words fit into a width: `size`, or smaller."""
    ems = sum(map(_ems, words))
    return min(size, round(width / ems, 1)) if ems else size


def _ems(char: str) -> float:
    """About how wide a letter is, in the size of its font."""
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return 0
    if unicodedata.east_asian_width(char) in ("W", "F"):
        return 1
    if char in _NARROW:
        return 0.34
    if char in _BROAD:
        return 0.95
    return 0.85 if char.isupper() else 0.6
