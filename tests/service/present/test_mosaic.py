"""The small castle of mails: put together from pieces, it shows what the view has."""

import struct
import zlib
from collections.abc import Iterator

import pytest

from engine.board import PlaceKind
from engine.editions import EDITIONS, edition
from engine.views import View
from service.present import languages, mosaic, nouns, tile_maker, tiles
from service.present.tiles import Tile
from tests.rig.engine import random_games
from tests.rig.engine.tables import chance

pytestmark = pytest.mark.usefixtures("inside")

_MOST = 30 * 1024


def rows(png: bytes) -> list[bytes]:
    """The rows of a picture, as any program unpacks them: its sums are right."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        whole = png[at + 4 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length) == (zlib.crc32(whole),)
        chunks[whole[:4]] = whole[4:]
        at += length + 12
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 3, 0, 0, 0]
    data = zlib.decompress(chunks[b"IDAT"])
    assert len(data) == height * (width + 1)
    found = [data[at : at + width + 1] for at in range(0, len(data), width + 1)]
    assert all(row[0] == 0 for row in found)
    assert max(data) < len(chunks[b"PLTE"]) // 3
    return [row[1:] for row in found]


def cut(found: list[bytes], left: int, top: int, tile: Tile) -> bytes:
    """The part of a picture where a piece should be."""
    lines = found[top : top + tile.height]
    return b"".join(line[left : left + tile.width] for line in lines)


def positions(law_id: str) -> Iterator[View]:
    """Views of a whole game, from its first question to its end."""
    law = edition(law_id)
    table = random_games.begun(law, 5, chance(7))
    rng = chance(8)
    yield table.view()
    while table.game.running:
        random_games.step(table, rng)
        yield table.view()


@pytest.mark.parametrize("law", EDITIONS)
def test_every_position_of_a_game_has_a_picture_that_fits_into_a_mail(law: str) -> None:
    seen = 0
    for view in positions(law):
        painted = mosaic.paint(view, "en")
        assert painted is not None
        if seen % 20 == 0:
            assert rows(painted.png)
        assert len(painted.png) < _MOST
        seen += 1
    assert seen > 20


def test_a_castle_is_painted_once_for_all_who_see_it() -> None:
    table = random_games.begun(edition("classic"), 5, chance(7))

    assert mosaic.paint(table.view(), "en") is mosaic.paint(table.view(), "en")


@pytest.mark.parametrize("law", EDITIONS)
def test_everybody_in_the_castle_is_painted_where_they_stand(law: str) -> None:
    view = list(positions(law))[-1]
    pieces = tiles.read(law, "en")
    painted = mosaic.paint(view, "en")
    assert pieces is not None
    assert painted is not None
    found = rows(painted.png)

    top = 0
    for number, seen in enumerate(
        each
        for each in view.places
        if each.place.kind in (PlaceKind.THRONE, PlaceKind.FLOOR)
    ):
        shade = "even" if number % 2 else "odd"
        if seen.place.kind is PlaceKind.THRONE:
            tile = pieces.pieces[f"throne/{''.join(seen.characters)}"]
            assert cut(found, 288, top, tile) == tile.pixels
            top += tile.height
            continue
        tower = pieces.pieces[f"{shade}/tower/{nouns.label_of(seen.place)}"]
        assert cut(found, 0, top, tower) == tower.pixels
        standing = [*seen.characters, *"    "[len(seen.characters) :]]
        for column, who in enumerate(standing[:4]):
            tile = pieces.pieces[f"{shade}/{who.strip()}"]
            assert cut(found, 135 + 102 * column, top, tile) == tile.pixels
        top += 108 * max(1, -(-len(seen.characters) // 4))


def test_each_character_and_each_place_has_a_piece_of_its_own() -> None:
    pieces = tiles.read("jester", "en")
    assert pieces is not None

    for law in (edition("jester"),):
        for who in law.characters:
            for kind in ("odd", "even", "throne", "prisoner", "outside"):
                assert (
                    len(
                        {
                            t.pixels
                            for n, t in pieces.pieces.items()
                            if n == f"{kind}/{who}"
                        }
                    )
                    == 1
                )
        cells = [pieces.pieces[f"odd/{who}"].pixels for who in law.characters]
        assert len(set(cells)) == len(law.characters)
        towers = [
            pieces.pieces[f"odd/tower/{nouns.label_of(p)}"].pixels
            for p in law.places
            if p.kind is PlaceKind.FLOOR
        ]
        assert len(set(towers)) == len(towers)


@pytest.mark.parametrize("law", EDITIONS)
@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_the_pieces_are_painted_as_they_would_be_drawn_now(
    law: str, language: str
) -> None:
    with languages.speaking(language):
        drawn = tile_maker.digest(edition(law))

    kept = tiles.index(tiles.path(law, language)).painted_from
    assert kept == drawn, "the castle is drawn otherwise now: make tiles"


def test_an_edition_without_pieces_has_no_picture() -> None:
    view = next(positions("classic"))

    assert mosaic.paint(view, "xx") is None
