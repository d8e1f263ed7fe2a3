"""The pieces that small pictures of a castle are put together from, painted before.

Painting a castle takes a tenth of a second, and a worker has a hundredth for a mail. So
`make tiles` paints every piece once, into a file for each edition and language that
stands in the repository; what is here reads that file.
"""

import functools
import zlib
from pathlib import Path
from typing import Final

import msgspec

FOLDER: Final = Path(__file__).parent / "castle_tiles"


class TileIndex(msgspec.Struct, frozen=True):
    """The first line of a file: what it was painted from, and what is in it.

    `palette` has three bytes a colour, `paper` is the number of the background's.
    `pieces` are names, widths and heights in pixels, in the order of their pixels.
    """

    painted_from: str
    palette: str
    paper: int
    pieces: tuple[tuple[str, int, int], ...]


class Tile(msgspec.Struct, frozen=True):
    """A piece: its pixels in rows from the top, each the number of a colour."""

    width: int
    height: int
    pixels: bytes

    def row(self, number: int) -> bytes:
        """One row of it."""
        start = number * self.width
        return self.pixels[start : start + self.width]


class Tiles(msgspec.Struct, frozen=True):
    """All pieces of an edition in a language."""

    palette: bytes
    paper: int
    pieces: dict[str, Tile]


def path(edition: str, language: str) -> Path:
    """Where the pieces of an edition in a language are kept."""
    return FOLDER / f"{edition}.{language}.tiles"


def write(file: Path, index: TileIndex, pixels: bytes) -> None:
    """Keep pieces, whose pixels stand one behind the other."""
    file.write_bytes(msgspec.json.encode(index) + b"\n" + zlib.compress(pixels, 9))


def index(file: Path) -> TileIndex:
    """What a file has, without its pixels."""
    return msgspec.json.decode(file.read_bytes().partition(b"\n")[0], type=TileIndex)


@functools.cache
def read(edition: str, language: str) -> Tiles | None:
    """The pieces of an edition in a language; None where nobody has painted them."""
    file = path(edition, language)
    if not file.exists():
        return None
    head, _, packed = file.read_bytes().partition(b"\n")
    found = msgspec.json.decode(head, type=TileIndex)
    pixels, at = zlib.decompress(packed), 0
    pieces: dict[str, Tile] = {}
    for name, width, height in found.pieces:
        pieces[name] = Tile(width, height, pixels[at : at + width * height])
        at += width * height
    return Tiles(bytes.fromhex(found.palette), found.paper, pieces)
