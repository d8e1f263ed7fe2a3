"""Words with a fallback: an edition may bring what we have no words for yet."""

import re

import pytest

from engine.board import PLACEMENT_FLOORS, SERVANTS, THRONE, Place, PlaceKind
from engine.bots import BOTS
from engine.editions import EDITIONS
from service.present import labels, languages, layout, nouns

pytestmark = pytest.mark.usefixtures("inside")

HALL = Place("hall", "hall", PlaceKind.FLOOR, 4)
PANTRY = Place("pantry", "pantry", PlaceKind.ASIDE, 0, 1, beside="hall")
PITS = (
    Place("pit1", "pit", PlaceKind.DUNGEON, -1, 1),
    Place("pit2", "pit", PlaceKind.DUNGEON, -2, 1),
)


def test_whoever_has_no_name_is_called_by_the_letter() -> None:
    assert nouns.name_of("Z") == "Z"
    assert nouns.full_name_of("Z") == "Z"
    assert nouns.title_of("Z") == ""
    assert layout.colour("Z").startswith("#")


def test_a_place_without_words_is_called_by_its_label() -> None:
    places = (HALL, PANTRY, *PITS)

    names = [nouns.place_name(place, places) for place in places]

    assert names == ["hall", "pantry beside the place “hall”", "pit −1", "pit −2"]


def test_an_edition_and_a_bot_without_words_are_called_by_their_keys() -> None:
    assert (nouns.edition_name("toy"), nouns.edition_line("toy")) == ("toy", "")
    assert nouns.bot_name("dreamer") == "dreamer"


@pytest.mark.parametrize("edition_id", list(EDITIONS))
def test_no_two_places_of_an_edition_are_called_the_same(edition_id: str) -> None:
    law = EDITIONS[edition_id]

    names = [nouns.place_name(place, law.places) for place in law.places]

    assert len(set(names)) == len(names)


@pytest.mark.parametrize("edition_id", list(EDITIONS))
def test_our_own_editions_have_words_for_everything(edition_id: str) -> None:
    law = EDITIONS[edition_id]

    assert set(law.characters) <= set(nouns.CHARACTERS)
    assert {place.label for place in law.places} <= set(nouns.PLACES)
    assert set(law.cards) <= set(nouns.CARDS)
    assert edition_id in nouns.EDITIONS
    shades = [layout.shade(letter) for letter in law.characters]
    assert len(set(shades)) == len(shades)


@pytest.mark.parametrize("language", languages.API_LANGUAGES)
@pytest.mark.parametrize("edition_id", list(EDITIONS))
def test_every_way_of_our_own_editions_has_words_of_its_own(
    edition_id: str, language: str
) -> None:
    law = EDITIONS[edition_id]
    dungeons = [place.key for place in law.places if place.kind is PlaceKind.DUNGEON]
    floors = [*PLACEMENT_FLOORS, SERVANTS]
    moves = [(left, to) for left, ways in law.ways.items() for to in ways]

    with languages.speaking(language):
        phrases = [
            *(labels.way(law, left, to) for left, to in moves),
            *(nouns.to(law, key) for key in (*floors, "5", THRONE, *dungeons)),
            *(nouns.among(law, key) for key in floors),
        ]

    assert [phrase for phrase in phrases if re.search("[“„«]", phrase)] == []


def test_every_bot_has_words() -> None:
    assert set(BOTS) <= set(nouns.BOTS)
