from collections import Counter
from itertools import combinations

from engine.board import LETTERS
from engine.deck import CARDS, favourites
from tests.rig.engine.naive_rules import DECK


def test_there_are_26_different_cards_of_six_characters() -> None:
    assert len(set(CARDS)) == len(CARDS) == 26
    assert {len(card) for card in CARDS} == {6}


def test_every_character_is_on_12_cards() -> None:
    on_cards = Counter(letter for card in CARDS for letter in card)

    assert on_cards == dict.fromkeys(LETTERS, 12)


def test_every_pair_of_characters_is_on_5_cards() -> None:
    pairs = Counter(pair for card in CARDS for pair in combinations(sorted(card), 2))

    assert pairs == dict.fromkeys(combinations(LETTERS, 2), 5)


def test_the_four_printed_cards_are_among_them() -> None:
    printed = {"BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO"}

    assert printed <= {"".join(favourites(number)) for number in range(26)}


def test_the_cards_are_numbered_pattern_by_pattern() -> None:
    assert ["".join(favourites(number)) for number in range(26)] == DECK
