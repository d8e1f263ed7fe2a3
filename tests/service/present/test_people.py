"""The characters as they are drawn: told apart by letter, colour and shape."""

import operator
import re
import struct
import zlib
from itertools import combinations

import pytest
from flask import get_template_attribute

from engine.editions import EDITIONS, edition
from service.present import layout, picture, tile_maker

pytestmark = pytest.mark.usefixtures("inside")

PEOPLE = edition("jester").characters
SIZE = 32

# Where a figure may be on its own drawing, in units: what `people.svg` promises.
BOX = "-28 -48 56 56"


def shape(figure: str, colour: str = "#000") -> str:
    return str(get_template_attribute("people.svg", "shape")(figure, colour))


def outline(figure: str, box: str = BOX) -> bytes:
    """The covered pixels of a figure painted 32 pixels wide, without any colour."""
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{shape(figure)}</svg>'
    )
    covered = alpha(picture.painted(document, SIZE))
    return bytes(each > 127 for each in covered)


def alpha(png: bytes) -> bytes:
    """How much each pixel of a PNG with four bytes a pixel is covered."""
    at, data, width, height = 8, b"", 0, 0
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack_from(">II", body)
        data += body if kind == b"IDAT" else b""
        at += length + 12
    pixels = tile_maker.unfiltered(zlib.decompress(data), width * 4, height)
    return pixels[3::4]


def luminance(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    parts = [part / 255 for part in bytes.fromhex(colour.removeprefix("#"))]
    red, green, blue = (
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("law", EDITIONS)
def test_every_character_of_every_edition_has_a_figure_and_a_colour_alone(
    law: str,
) -> None:
    people = edition(law).characters

    figures = {layout.token(who, 0, 0, mine=False).figure for who in people}

    assert "" not in figures
    assert len(figures) == len(people)
    assert len({layout.colour(who) for who in people}) == len(people)


def test_outlines_differ_at_32_pixels_without_colour() -> None:
    outlines = {who: outline(layout.FIGURES[who]) for who in PEOPLE}

    differing = {
        (one, other): sum(map(operator.ne, outlines[one], outlines[other]))
        for one, other in combinations(PEOPLE, 2)
    }

    # Of some 350 pixels that a figure covers.
    assert {pair: count for pair, count in differing.items() if count < 35} == {}


def test_who_has_no_figure_wears_a_hood_like_nobody_elses() -> None:
    hood = outline("")

    assert any(hood)
    assert hood not in {outline(figure) for figure in layout.FIGURES.values()}


def test_figures_stay_within_their_places() -> None:
    for who in PEOPLE:
        around = outline(layout.FIGURES[who], "-48 -72 96 96")

        rows, columns = zip(
            *(divmod(at, SIZE) for at, covered in enumerate(around) if covered),
            strict=True,
        )

        # Three units a pixel, the feet at 16 from the left and 24 from the top.
        assert min(rows) >= 24 - 48 // 3
        assert max(rows) <= 24
        assert min(columns) >= 16 - 30 // 3
        assert max(columns) < 16 + 30 // 3


def test_a_white_letter_can_be_read_on_everybody() -> None:
    halves = {*re.findall(r'V-20C14[^>]*fill="(#\w{6})"', shape("jester"))}
    assert len(halves) == 1

    for colour in halves | {layout.colour(who) for who in PEOPLE}:
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5
