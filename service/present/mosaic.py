"""A small picture of the castle for mails, put together from pieces painted before.

A PNG is its rows, compressed. A castle is compressed band by band, so that a move packs
two floors anew and takes the others as they were.
"""

import functools
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from engine.board import PlaceKind
from engine.views import View
from service.present import layout, tiles
from service.present.layout import CharacterToken, Drawing, Scene, Storey, Strip
from service.present.tiles import Tile, Tiles

T = TypeVar("T")

SCALE: Final = 1.5
"""Pixels a unit of a drawing: sharp enough, and small enough for a mail."""

COLUMNS: Final = 4
BESIDE: Final = 5

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_BASE: Final = 65521
_LEVEL: Final = 8
"""At 9 a band takes twice as long again, and is hardly smaller."""

_BANDS: Final = 1024
"""How many bands are remembered, half a kilobyte to three each."""

_PICTURES: Final = 64
"""How many pictures are remembered: all at a table are mailed the same."""


class Band(msgspec.Struct, frozen=True):
    """Rows of a picture, compressed; `length` and `sum` are those of the rows."""

    rows: int
    packed: bytes
    length: int
    sum: int


class CastlePicture(msgspec.Struct, frozen=True):
    """A PNG, and how wide it is shown, in pixels of a page."""

    png: bytes
    width: int


def paint(view: View, language: str) -> CastlePicture | None:
    """The castle of a spectator's view; None where no pieces are painted for that."""
    return _painted(view.edition, language, layout.scene(view))


@functools.lru_cache(maxsize=_PICTURES)
def _painted(edition: str, language: str, scene: Scene) -> CastlePicture | None:
    pieces = tiles.read(edition, language)
    if pieces is None:
        return None
    drawn = layout.Layout(()).draw(scene)
    width = round(drawn.width * SCALE)
    packed = [_band(edition, language, names, width) for names in _names(drawn)]
    return CastlePicture(_png(pieces, packed, width), round(drawn.width))


def _names(drawn: Drawing) -> Iterator[tuple[str, ...]]:
    """The pieces of each band, from the left; a band of one gap is bare paper."""
    for number, storey in enumerate(drawn.storeys):
        if storey.kind is PlaceKind.THRONE:
            yield "throne/left", throne(storey, drawn.asked), "throne/right"
        else:
            yield from _floor(storey, "odd" if number % 2 == 0 else "even")
    if drawn.cells:
        yield ("dungeon/top",)
        inside = [
            token.tokens[0].character if token.tokens else "" for token in drawn.cells
        ]
        yield (
            *(
                p
                for at, who in enumerate(inside)
                for p in (f"gap/{at}", f"prisoner/{who}")
            ),
            f"gap/{len(inside)}",
        )
    else:
        yield ("grass",)
    yield ("paper/14",)
    for strip in drawn.strips:
        yield from _strip(strip)


def throne(storey: Storey, asked: bool) -> str:
    """The piece with whoever is on the throne."""
    if not storey.tokens:
        return "throne/"
    return f"throne/{storey.tokens[0].character}{'?' if asked else ''}"


def _floor(storey: Storey, shade: str) -> Iterator[tuple[str, ...]]:
    standing = [token.character for token in storey.tokens] or [""]
    for line, group in enumerate(_groups(standing, COLUMNS)):
        cells = (*group, *("" for _gap in range(COLUMNS - len(group))))
        left = f"{shade}/tower/{storey.label if not line else ''}"
        right = "slit"
        for niche in storey.niches if not line else ():
            right = f"niche/{niche.label}/{_only(niche.tokens)}"
        yield left, *(f"{shade}/{cell}" for cell in cells), right


def _groups(whole: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (whole[at : at + size] for at in range(0, len(whole), size))


def _only(tokens: Sequence[CharacterToken]) -> str:
    return tokens[0].character if tokens else ""


def _strip(strip: Strip) -> Iterator[tuple[str, ...]]:
    yield (f"strip/{strip.label}",)
    for group in _groups(strip.tokens, BESIDE):
        yield tuple(f"outside/{token.character}" for token in group)
    yield ("paper/12",)


def _png(pieces: Tiles, packed: Sequence[Band], width: int) -> bytes:
    rows = sum(band.rows for band in packed)
    head = struct.pack(">IIBBBBB", width, rows, 8, 3, 0, 0, 0)
    # An empty last block ends what the bands have left open.
    data = b"".join((b"\x78\x9c", *(band.packed for band in packed), b"\x03\x00"))
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", head),
            _chunk(b"PLTE", pieces.palette),
            _chunk(b"IDAT", data + _checksum(packed).to_bytes(4, "big")),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    whole = kind + data
    return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))


@functools.lru_cache(maxsize=_BANDS)
def _band(edition: str, language: str, names: tuple[str, ...], width: int) -> Band:
    pieces = tiles.read(edition, language)
    if pieces is None:
        raise LookupError(edition)
    rows = b"".join(_rows(pieces, names, width))
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    # A full flush lets what follows stand behind anything else.
    packed = packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH)
    return Band(len(rows) // (width + 1), packed, len(rows), zlib.adler32(rows))


def _rows(pieces: Tiles, names: Sequence[str], width: int) -> Iterator[bytes]:
    """The rows of a band, each with the byte before it that says: unfiltered."""
    paper = bytes((pieces.paper,))
    kind, _, size = names[0].partition("/")
    if kind == "paper":
        yield from [b"\0" + paper * width] * round(int(size) * SCALE)
        return
    found: list[Tile] = [pieces.pieces[name] for name in names]
    rest = paper * (width - sum(tile.width for tile in found))
    for number in range(found[0].height):
        yield b"".join((b"\0", *(tile.row(number) for tile in found), rest))


def _checksum(bands: Iterable[Band]) -> int:
    """The Adler-32 of all rows, from those of the bands (RFC 1950, 8.2)."""
    low, high = 1, 0
    for band in bands:
        its_low, its_high = band.sum & 0xFFFF, band.sum >> 16
        high = (high + its_high + (low - 1) * band.length) % _BASE
        low = (low + its_low - 1) % _BASE
    return high << 16 | low
