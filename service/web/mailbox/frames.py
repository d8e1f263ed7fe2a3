"""How high the frame of a mail must be, guessed from its words, since no script asks.

A guess too low would give the frame a scroll bar of its own, one too high shows as
empty paper below the letter: so it is a little too high.
"""

from math import ceil
from typing import Final

import msgspec

_LINE: Final = 25
_GAP: Final = 10
_ROW: Final = 46
_BUTTON: Final = 50


class Heights(msgspec.Struct, frozen=True):
    """Pixels, on a telephone and on a wide screen."""

    narrow: int
    wide: int


def heights(text: str) -> Heights:
    """For a mail of ours, by its plain text: the HTML says the same in a larger way."""
    lines = text.splitlines()
    return Heights(
        narrow=_BUTTON + sum(_height(line, 36) for line in lines),
        wide=_BUTTON + sum(_height(line, 76) for line in lines),
    )


def _height(line: str, columns: int) -> int:
    """One line of text as HTML shows it: lists and tables have less room in a row."""
    if line.startswith("- "):
        return _LINE * ceil(len(line) / (columns * 0.5)) + _GAP
    if "  " in line:
        words = " ".join(line.split())
        return max(_ROW, _LINE * ceil(len(words) / (columns * 0.7)) + _GAP)
    return _LINE * ceil(len(line) / columns) + _GAP
