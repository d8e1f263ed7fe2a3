"""Paints the pieces of a castle's small picture, for `make tiles`.

All of an edition are painted on one sheet, in the shapes of
`templates/castle_body.svg`, and cut out of it.
"""

import functools
import hashlib
import re
import struct
import zlib
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from flask import render_template
from msgspec.structs import replace

from engine.board import Character, Place, PlaceKind
from engine.editions.base import Edition
from service.present import layout, mosaic, nouns, picture, tiles
from service.present.languages import gettext as _
from service.present.layout import Cell, CharacterToken, Drawing, Niche, Storey, Strip
from service.present.tiles import TileIndex

_COLOURS: Final = 36
_COLOUR: Final = re.compile("#([0-9a-f]{6})")
_HARDLY: Final = 1000
"""By how much, in squares, a colour may be worse to be packed better."""

_SHEET: Final = 1800
_STOREY: Final = 72
_THRONE: Final = 134
_SEAT: Final = 192
_CELL: Final = 68
_LEFT: Final = 90
_RIGHT: Final = 362
_DUNGEON: Final = 144
_PAPER: Final = "#fbf6ea"
_SHADES: Final = {"odd": 0, "even": 1}
"""Every second floor is darker: by its shade, which place from the top has it."""


class _Piece(msgspec.Struct, frozen=True):
    """A piece: what is drawn, and the part of it that is cut out, in units."""

    name: str
    drawing: Drawing
    left: float
    top: float
    width: float
    height: float


def make(law: Edition, language: str) -> None:
    """Paint and keep the pieces of an edition in the language that is spoken now."""
    found = tuple(_pieces(law))
    sheet, boxes = _sheet(found)
    pixels, width = _decoded(picture.painted(sheet, _SHEET))
    colours = array("I", pixels)
    palette = _palette(Counter(colours), _named(sheet))
    nearest = _nearest(colours, palette)
    cut = bytearray()
    index = []
    for piece, (x, y, w, h) in zip(found, boxes, strict=True):
        index.append((piece.name, w, h))
        starts = range(y * width + x, (y + h) * width + x, width)
        rows = [colours[start : start + w] for start in starts]
        cut += _numbers(rows, nearest, palette)
    paper = nearest[colours[-1]]
    head = TileIndex(digest(law), _bytes(palette).hex(), paper, tuple(index))
    tiles.write(tiles.path(law.id, language), head, bytes(cut))


def digest(law: Edition) -> str:
    """What tells a sheet from any other: the hash of all that is drawn on it."""
    sheet, _boxes = _sheet(tuple(_pieces(law)))
    return hashlib.sha256(sheet.encode()).hexdigest()


def _pieces(law: Edition) -> Iterator[_Piece]:
    width = _width(law)
    for place in law.places:
        yield from _of_place(law, place, width)
    for shade, number in _SHADES.items():
        for who in ("", *law.characters):
            drawing = _floor(width, number, _token(who, _LEFT + _CELL / 2, 52))
            top = _STOREY * number
            yield _Piece(f"{shade}/{who}", drawing, _LEFT, top, _CELL, _STOREY)
        bare = _floor(width, number, ())
        yield _Piece(f"{shade}/tower/", bare, 0, top, _LEFT, _STOREY)
    bare = _floor(width, 0, ())
    yield _Piece("slit", bare, _RIGHT, 0, width - _RIGHT, _STOREY)
    yield from _below(law, width)


def _width(law: Edition) -> float:
    return layout.width(any(place.beside for place in law.places))


def _token(who: Character, x: float, y: float) -> tuple[CharacterToken, ...]:
    return (layout.token(who, x, y, mine=False),) if who else ()


def _drawing(width: float, storeys: Sequence[Storey] = ()) -> Drawing:
    """A drawing of nothing else, its ground out of sight."""
    return Drawing(
        width=width,
        height=0,
        right=_RIGHT,
        ground=1000,
        storeys=tuple(storeys),
        cells=(),
        strips=(),
        asked=False,
    )


def _floor(
    width: float,
    number: int,
    tokens: Sequence[CharacterToken],
    place: Place | None = None,
    niches: tuple[Niche, ...] = (),
) -> Drawing:
    """A floor at the place from the top that gives it its shade."""
    tops = (_STOREY * at for at in range(number + 1))
    label = "" if place is None else nouns.label_of(place)
    storeys = tuple(
        Storey(
            kind=PlaceKind.FLOOR,
            label=label,
            size=layout.label_size(label),
            value=0 if place is None else place.value,
            top=top,
            height=_STOREY,
            windows=((_LEFT + _CELL / 2, top + 52),),
            tokens=tuple(replace(t, y=top + 52) for t in tokens),
            niches=niches,
        )
        for top in tops
    )
    return _drawing(width, storeys)


def _of_place(law: Edition, place: Place, width: float) -> Iterator[_Piece]:
    match place.kind:
        case PlaceKind.THRONE:
            yield from _throne(law, place, width)
        case PlaceKind.FLOOR:
            for shade, number in _SHADES.items():
                name = f"{shade}/tower/{nouns.label_of(place)}"
                drawing = _floor(width, number, (), place)
                yield _Piece(name, drawing, 0, _STOREY * number, _LEFT, _STOREY)
        case PlaceKind.ASIDE:
            label, middle = nouns.label_of(place), (_RIGHT + width - 2) / 2
            for who in ("", *law.characters):
                niche = Niche(label, _token(who, middle, 52))
                drawing = _floor(width, 0, (), niches=(niche,))
                name, size = f"niche/{label}/{who}", width - _RIGHT
                yield _Piece(name, drawing, _RIGHT, 0, size, _STOREY)
        case _:
            return


def _throne(law: Edition, place: Place, width: float) -> Iterator[_Piece]:
    def drawn(who: Character, *, asked: bool = False) -> Drawing:
        label = nouns.label_of(place)
        storey = Storey(
            kind=PlaceKind.THRONE,
            label=label,
            size=layout.label_size(label),
            value=place.value,
            top=0,
            height=_THRONE,
            windows=(),
            tokens=_token(who, _SEAT + _CELL / 2, _THRONE - 18),
            niches=(),
        )
        return replace(_drawing(width, (storey,)), asked=asked)

    right = _SEAT + _CELL
    yield _Piece("throne/left", drawn(""), 0, 0, _SEAT, _THRONE)
    yield _Piece("throne/right", drawn(""), right, 0, width - right, _THRONE)
    for who in ("", *law.characters):
        yield _Piece(f"throne/{who}", drawn(who), _SEAT, 0, _CELL, _THRONE)
    for who in law.characters:
        asked = drawn(who, asked=True)
        yield _Piece(f"throne/{who}?", asked, _SEAT, 0, _CELL, _THRONE)


def _below(law: Edition, width: float) -> Iterator[_Piece]:
    """The ground, the dungeons under it, and what stands outside."""
    cells = [place for place in law.places if place.kind is PlaceKind.DUNGEON]
    if cells:
        yield from _dungeons(law, cells, width)
    else:
        yield _Piece("grass", replace(_drawing(width), ground=0), 0, 0, width, 8)
    outside = [nouns.label_of(p) for p in law.places if p.kind is PlaceKind.OUT]
    for label in (_("Not placed yet"), *outside):
        drawing = replace(_drawing(width), strips=(Strip(label, 0, 26, ()),))
        # Less high than a strip is: hats reach into its line.
        yield _Piece(f"strip/{label}", drawing, 0, 0, width, 22)
    for who in law.characters:
        strip = Strip("", 0, 66, _token(who, 40, 49))
        drawing = replace(_drawing(width), strips=(strip,))
        yield _Piece(f"outside/{who}", drawing, 0, 0, 80, 66)


def _dungeons(law: Edition, cells: Sequence[Place], width: float) -> Iterator[_Piece]:
    def drawn(who: Character) -> Drawing:
        lefts = [2 + _DUNGEON * at for at in range(len(cells))]
        return replace(
            _drawing(width),
            ground=0,
            cells=tuple(
                Cell(
                    nouns.place_name(place, law.places),
                    left,
                    _DUNGEON,
                    _token(who, left + _DUNGEON / 2, 84),
                )
                for left, place in zip(lefts, cells, strict=True)
            ),
        )

    top, middle = 32, 2 + (_DUNGEON - _CELL) / 2
    yield _Piece("dungeon/top", drawn(""), 0, 0, width, top)
    for who in ("", *law.characters):
        yield _Piece(f"prisoner/{who}", drawn(who), middle, top, _CELL, 80)
    ends = [0, *(middle + _CELL + _DUNGEON * at for at in range(len(cells)))]
    starts = [*(middle + _DUNGEON * at for at in range(len(cells))), width]
    for at, (left, right) in enumerate(zip(ends, starts, strict=True)):
        yield _Piece(f"gap/{at}", drawn(""), left, top, right - left, 80)


def _sheet(
    found: Sequence[_Piece],
) -> tuple[str, tuple[tuple[int, int, int, int], ...]]:
    """All pieces as one document, and where each stands on it, in pixels."""
    x = y = shelf = 0
    boxes = []
    for piece in found:
        width, height = (
            round(piece.width * mosaic.SCALE),
            round(piece.height * mosaic.SCALE),
        )
        if x + width > _SHEET:
            x, y, shelf = 0, y + shelf, 0
        boxes.append((x, y, width, height))
        x, shelf = x + width, max(shelf, height)
    document = render_template(
        "castle_tiles.svg",
        width=_SHEET,
        # A row more than the pieces have: the paper's colour is found there.
        height=y + shelf + 1,
        paper=_PAPER,
        pieces=[*zip(found, boxes, strict=True)],
    )
    return document, tuple(boxes)


def _decoded(png: bytes) -> tuple[bytes, int]:
    """The pixels of a painted PNG, four bytes each, and how many are in a row."""
    at, data, width, height = 8, b"", 0, 0
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack_from(">II", body)
        if kind == b"IDAT":
            data += body
        at += length + 12
    return unfiltered(zlib.decompress(data), width * 4, height), width


def unfiltered(raw: bytes, stride: int, height: int) -> bytes:
    """Rows as they were before the PNG's filters (W3C PNG, 9.2)."""
    whole, above = bytearray(), bytes(stride)
    for number in range(height):
        start = number * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for at in range(stride if kind else 0):
            left = row[at - 4] if at >= 4 else 0
            corner = above[at - 4] if at >= 4 else 0
            row[at] = (row[at] + _predicted(kind, left, above[at], corner)) & 0xFF
        whole += row
        above = bytes(row)
    return bytes(whole)


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 1:
        return left
    if kind == 2:
        return up
    if kind == 3:
        return (left + up) // 2
    guess = left + up - corner
    distances = (abs(guess - left), abs(guess - up), abs(guess - corner))
    return (left, up, corner)[distances.index(min(distances))]


def _rgb(pixel: int) -> tuple[int, int, int]:
    red, green, blue, _alpha = pixel.to_bytes(4, "little")
    return red, green, blue


def _apart(one: Sequence[int], other: Sequence[int]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _named(sheet: str) -> frozenset[tuple[int, ...]]:
    """The colours that a document asks for, other than those between two shapes."""
    return frozenset(tuple(bytes.fromhex(each)) for each in _COLOUR.findall(sheet))


def _palette(
    counted: Counter[int], named: Collection[tuple[int, ...]]
) -> tuple[tuple[int, int, int], ...]:
    """Colours that most is painted in, the named before others, none close to another.

    By how much alone a colour is painted, the edges of what is large would come before
    the faces.
    """
    most = [_rgb(pixel) for pixel, _times in counted.most_common()]
    chosen: list[tuple[int, int, int]] = []
    for least in (250, 60, 0):
        for colour in sorted(most, key=lambda each: each not in named):
            if len(chosen) == _COLOURS:
                return tuple(chosen)
            if all(_apart(colour, each) > least for each in chosen):
                chosen.append(colour)
    return tuple(chosen)


def _nearest(
    colours: Iterable[int], palette: Sequence[tuple[int, int, int]]
) -> Mapping[int, int]:
    """The number of the nearest colour of a palette, by colour."""
    numbers = range(len(palette))
    return {
        pixel: min(numbers, key=lambda at: _apart(palette[at], _rgb(pixel)))
        for pixel in set(colours)
    }


def _numbers(
    rows: Iterable[Sequence[int]],
    nearest: Mapping[int, int],
    palette: Sequence[tuple[int, int, int]],
) -> bytes:
    """The colours of a piece's pixels, by number, as evenly as they can be packed.

    What isn't quite of any colour, as edges are, takes that of the pixel above it or
    before it, where this is hardly worse than the nearest.
    """

    @functools.cache
    def off(pixel: int, number: int) -> int:
        return _apart(palette[number], _rgb(pixel))

    def chosen(pixel: int, near: int, beside: bytes) -> int:
        most = off(pixel, near) + _HARDLY if off(pixel, near) else 0
        return next((number for number in beside if off(pixel, number) <= most), near)

    whole, above = bytearray(), b""
    for row in rows:
        line = bytearray()
        for at, pixel in enumerate(row):
            beside = above[at : at + 1] + line[-1:]
            line.append(chosen(pixel, nearest[pixel], beside))
        whole += line
        above = bytes(line)
    return bytes(whole)


def _bytes(palette: Sequence[tuple[int, int, int]]) -> bytes:
    return bytes(part for colour in palette for part in colour)
