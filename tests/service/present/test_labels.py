"""Words with a fallback: an edition may bring what we have no words for yet."""

import pytest

from engine.board import Place, PlaceKind
from engine.bots import BOTS
from engine.editions import EDITIONS
from service.present import languages, layout

pytestmark = pytest.mark.usefixtures("inside")

HALL = Place("hall", "hall", PlaceKind.FLOOR, 4)
PANTRY = Place("pantry", "pantry", PlaceKind.ASIDE, 0, 1, beside="hall")
PITS = (
    Place("pit1", "pit", PlaceKind.DUNGEON, -1, 1),
    Place("pit2", "pit", PlaceKind.DUNGEON, -2, 1),
)


def test_whoever_has_no_name_is_called_by_the_letter() -> None:
    assert languages.name_of("Z") == "Z"
    assert languages.full_name_of("Z") == "Z"
    assert languages.title_of("Z") == ""
    assert layout.colour("Z").startswith("#")


def test_a_place_without_words_is_called_by_its_label() -> None:
    places = (HALL, PANTRY, *PITS)

    names = [languages.place_name(place, places) for place in places]

    assert names == ["hall", "pantry beside the hall", "pit −1", "pit −2"]


def test_an_edition_and_a_bot_without_words_are_called_by_their_keys() -> None:
    assert (languages.edition_name("toy"), languages.edition_line("toy")) == ("toy", "")
    assert languages.bot_name("dreamer") == "dreamer"


@pytest.mark.parametrize("edition_id", list(EDITIONS))
def test_no_two_places_of_an_edition_are_called_the_same(edition_id: str) -> None:
    law = EDITIONS[edition_id]

    names = [languages.place_name(place, law.places) for place in law.places]

    assert len(set(names)) == len(names)


@pytest.mark.parametrize("edition_id", list(EDITIONS))
def test_our_own_editions_have_words_for_everything(edition_id: str) -> None:
    law = EDITIONS[edition_id]

    assert set(law.characters) <= set(languages.CHARACTERS)
    assert {place.label for place in law.places} <= set(languages.PLACES)
    assert set(law.cards) <= set(languages.CARDS)
    assert edition_id in languages.EDITIONS
    shades = [layout.shade(letter) for letter in law.characters]
    assert len(set(shades)) == len(shades)


def test_every_bot_has_words() -> None:
    assert set(BOTS) <= set(languages.BOTS)
