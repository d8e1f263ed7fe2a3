"""The jester edition's castle: WCs beside floors, dungeons below, its own figure."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from flask import Flask

from engine.views import View
from service.present import castle, nouns
from tests.rig.engine import tables

SVG = "{http://www.w3.org/2000/svg}"

CROWDED = {
    "throne": "P",
    "5": "AB",
    "4": "CDEF",
    "wc4": "O",
    "3": "GIJLM",
    "wc3": "N",
}
LOCKED_UP = {
    "throne": "J",
    "4": "F",
    "3": "G",
    "0": "ILMNOP",
    "dungeon3": "A",
    "dungeon2": "B",
    "dungeon1": "C",
    "box": "DE",
}


@pytest.fixture(autouse=True)
def inside(app: Flask) -> Iterator[None]:
    with app.test_request_context("/"):
        yield


def view_of(places: dict[str, str] | None = None) -> View:
    table = tables.started(5, edition="jester")
    if places is not None:
        table.arrange(places)
    return table.view()


def drawn(view: View) -> tuple[ElementTree.Element, dict[str, tuple[float, float]]]:
    """The picture, and where each letter's feet stand in it."""
    root = ElementTree.fromstring(str(castle.svg(view)))
    spots = {}
    for group in root.iter(f"{SVG}g"):
        if str(group.get("class")).startswith("person"):
            numbers = re.findall(r"[\d.]+", str(group.get("transform")))
            letter = next(t for t in group.iter(f"{SVG}text")).text
            spots[str(letter)] = (float(numbers[0]), float(numbers[1]))
    return root, spots


def test_the_rows_tell_wcs_and_dungeons_apart() -> None:
    rows = castle.rows(view_of(LOCKED_UP))

    assert [(row.label, row.value) for row in rows] == [
        ("King's throne", 10),
        ("Nobles", 5),
        ("Dignitaries", 4),
        ("WC beside the Dignitaries", 0),
        ("Officers", 3),
        ("WC beside the Officers", 0),
        ("Traders", 2),
        ("Craftsmen", 1),
        ("Servants", 0),
        ("Dungeon −3", -3),
        ("Dungeon −2", -2),
        ("Dungeon −1", -1),
        ("Box", 0),
    ]
    assert rows[-1].names == ("Dario", "Ernesto")


def test_a_wc_stands_beside_its_floor() -> None:
    _, spots = drawn(view_of(CROWDED))

    assert spots["O"][1] == spots["C"][1]
    assert spots["N"][1] == spots["G"][1]
    assert spots["O"][0] == spots["N"][0] > max(spots[c][0] for c in "CDEFGIJLM")


def test_a_fifth_on_a_floor_stands_in_its_row() -> None:
    _, spots = drawn(view_of(CROWDED))

    five = [spots[letter] for letter in "GIJLM"]
    assert len({y for _, y in five}) == 1
    xs = sorted(x for x, _ in five)
    assert min(b - a for a, b in zip(xs, xs[1:], strict=False)) > 44


def test_the_dungeons_are_under_everybody_in_the_castle_and_the_box_below() -> None:
    root, spots = drawn(view_of(LOCKED_UP))

    lowest = max(spots[c][1] for c in "ILMNOP")
    assert all(spots[c][1] > lowest for c in "ABC")
    assert spots["A"][0] < spots["B"][0] < spots["C"][0]
    assert all(spots[c][1] > spots["A"][1] for c in "DE")
    cells = [g for g in root.iter(f"{SVG}g") if g.get("class") == "dungeon"]
    values = [text.text for cell in cells for text in cell.iter(f"{SVG}text")]
    assert [v for v in values if "−" in str(v)] == [
        "Dungeon −3",
        "Dungeon −2",
        "Dungeon −1",
    ]


def test_the_jester_alone_looks_like_one() -> None:
    picture = str(castle.svg(view_of()))

    found = re.findall(
        r'class="(person[^"]*)".*?class="letter"[^>]*>(\w)<', picture, re.S
    )
    assert [letter for look, letter in found if "jester" in look] == ["J"]
    assert len(found) == 14


@pytest.mark.parametrize("places", [None, CROWDED, LOCKED_UP])
def test_everybody_is_in_the_picture_once_and_nobody_overlaps(
    places: dict[str, str] | None,
) -> None:
    view = view_of(places)

    root, spots = drawn(view)

    width, height = (float(n) for n in str(root.get("viewBox")).split()[2:])
    assert sorted(spots) == sorted("ABCDEFGIJLMNOP")
    for x, y in spots.values():
        assert 20 < x < width - 20
        assert 40 < y < height
        near = [o for o in spots.values() if abs(o[0] - x) < 44 and abs(o[1] - y) < 50]
        assert near == [(x, y)]
    description = str(root.findtext(f"{SVG}desc"))
    for row in castle.rows(view):
        value = "" if row.value is None else f" ({nouns.signed(row.value)})"
        assert f"{row.label}{value}: {', '.join(row.names) or 'nobody'}" in description
