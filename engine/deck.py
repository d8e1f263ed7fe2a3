"""The 26 favourites cards, made by formula (RULES §1.2)."""

from typing import TypeAlias

from engine.board import LETTERS, Character

_PATTERNS = ((1, 3, 4, 9, 10, 12), (2, 5, 6, 7, 8, 11))

CardNumber: TypeAlias = int
"""A favourites card: 0..25 in the order of RULES §1.2."""


def _cards() -> tuple[frozenset[Character], ...]:
    size = len(LETTERS)
    return tuple(
        frozenset(LETTERS[(i + step) % size] for step in pattern)
        for pattern in _PATTERNS
        for i in range(size)
    )


CARDS: tuple[frozenset[Character], ...] = _cards()


def favourites(card: CardNumber) -> tuple[Character, ...]:
    """The six characters of a card, in the order of their letters."""
    return tuple(sorted(CARDS[card]))
