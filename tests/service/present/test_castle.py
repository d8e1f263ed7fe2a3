"""The castle as a picture and as rows: the same facts, for any edition's places."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import msgspec
import pytest
from flask import Flask

from engine import views
from engine.board import LETTERS, Card, Place, PlaceKind, Seat
from engine.commands import PlacementOption
from engine.views import PlaceView, View
from service.present import castle, nouns
from tests.rig.service import seated

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def inside(app: Flask) -> Iterator[None]:
    with app.test_request_context("/"):
        yield


def view_of(table: seated.Seated, seat: int | None = None) -> View:
    return views.view(table.game, None if seat is None else Seat(seat))


def letters(picture: str) -> list[str]:
    """The letters in the picture, from top to bottom."""
    root = ElementTree.fromstring(picture)
    texts = root.iter(f"{SVG}text")
    return [str(text.text) for text in texts if text.get("class") == "letter"]


def test_a_row_for_every_place_from_the_throne_down() -> None:
    view = view_of(seated.started(4, placement=PlacementOption.RANDOM))

    rows = castle.rows(view)

    assert [(row.label, row.value) for row in rows] == [
        ("King's throne", 10),
        ("Nobles", 5),
        ("Dignitaries", 4),
        ("Officers", 3),
        ("Traders", 2),
        ("Craftsmen", 1),
        ("Servants", 0),
    ]
    assert sorted(c for row in rows for c in row.characters) == list(LETTERS)
    for row in rows:
        assert row.names == tuple(nouns.name_of(c) for c in row.characters)


def test_who_stands_outside_has_a_row_while_somebody_is_there() -> None:
    placing = castle.rows(view_of(seated.started(3)))
    table = seated.in_election(3)
    nominee = str(table.game.decision and table.game.decision.nominee)
    table.lay([Card.NO, Card.YES, Card.YES])
    table.resolve()

    after = castle.rows(view_of(table))

    assert placing[-1].label == "Not placed yet"
    assert placing[-1].value is None
    assert placing[-1].characters == LETTERS
    assert (after[-1].label, after[-1].characters) == ("Out of the round", (nominee,))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_picture_shows_everybody_once_and_says_the_rows(seats: int) -> None:
    table = seated.started(seats, placement=PlacementOption.RANDOM)
    view = view_of(table)

    picture = str(castle.svg(view))
    root = ElementTree.fromstring(picture)

    assert sorted(letters(picture)) == list(LETTERS)
    assert root.get("role") == "img"
    description = str(root.findtext(f"{SVG}desc"))
    for row in castle.rows(view):
        assert (
            f"{row.label} ({row.value}): {', '.join(row.names) or 'nobody'}"
            in description
        )


def test_the_nominee_is_marked_until_the_crown_is_theirs() -> None:
    table = seated.in_election(3)
    open_election = castle.svg(view_of(table))
    table.lay([Card.YES] * 3)
    table.resolve()

    crowned = castle.svg(view_of(table))

    assert "crown hoped" in open_election
    assert "crown hoped" not in crowned
    assert 'class="crown"' in crowned


def test_favourites_are_marked_only_where_they_are_passed() -> None:
    table = seated.started(4, placement=PlacementOption.RANDOM)
    view = view_of(table, 0)
    mine = seated.own(table.game, 0).favourites

    public, own = str(castle.svg(view)), str(castle.svg(view, mine))

    assert "mine" not in public
    assert "favourites" not in public
    marked = re.findall(r'class="person mine\b.*?class="letter"[^>]*>(\w)<', own, re.S)
    assert sorted(marked) == sorted(mine)


def test_another_editions_places_are_drawn_from_their_data() -> None:
    view = view_of(seated.started(4, placement=PlacementOption.RANDOM))
    wardrobe = Place("wc3", "servants", PlaceKind.ASIDE, 0, 1, beside="3")
    cellar = Place("dungeon1", "out", PlaceKind.ASIDE, -1, 1)
    other = msgspec.structs.replace(
        view,
        places=(
            *(
                msgspec.structs.replace(seen, characters=())
                if seen.place.key == "1"
                else seen
                for seen in view.places
            ),
            PlaceView(wardrobe, ("A",)),
            PlaceView(cellar, ("B",)),
        ),
    )

    picture = str(castle.svg(other))

    assert len(letters(picture)) >= 2
    assert ElementTree.fromstring(picture).get("viewBox")
    assert [row.value for row in castle.rows(other)][-2:] == [0, -1]


def test_no_token_overlaps_another_or_leaves_the_picture() -> None:
    for view in (
        view_of(seated.started(3)),
        view_of(seated.started(5, placement=PlacementOption.RANDOM)),
    ):
        root = ElementTree.fromstring(str(castle.svg(view)))
        spots = [
            tuple(float(n) for n in re.findall(r"[\d.]+", str(g.get("transform"))))
            for g in root.iter(f"{SVG}g")
            if str(g.get("class")).startswith("person")
        ]
        width, height = (float(n) for n in str(root.get("viewBox")).split()[2:])

        assert len(set(spots)) == len(spots)
        for x, y in spots:
            assert 20 < x < width - 20
            assert 40 < y < height
            near = [o for o in spots if abs(o[0] - x) < 44 and abs(o[1] - y) < 50]
            assert near == [(x, y)]
