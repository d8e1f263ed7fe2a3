"""Names people give themselves: readable, harmless, and unlike others at the table."""

import functools
import re
import unicodedata
from collections.abc import Mapping

from confusable_homoglyphs import utils as confusables

from service.values.errors import Invalid

NAME_LIMIT = 32
"""The most graphemes in a name."""

_JOINER = "\u200d"
_LINKS = re.compile(
    r"://|www\.|@|[^\s.][.。｡](xn--|[^\W\d_]{2,})|\d+\.\d+\.\d+", re.IGNORECASE
)
_ADDRESSES = re.compile(r"://|www\.|[^\s.][.。｡](xn--|[^\W\d_]{2,})", re.IGNORECASE)
_REFUSED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

# Letters, marks and signs that show nothing: Unicode's Default_Ignorable, and the
# empty Braille cell.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code)
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0E), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
}

_ENCODED = "=?"
"""How a mail header begins an encoded word: programs decode it wherever it stands."""

# Unicode leaves them out, since they aren't drawn quite alike; a quick eye doesn't.
_ALIKE_IN_PASSING = {ord("п"): "n", ord("ω"): "w", ord("μ"): "u"}


def clean(raw: str, field: str) -> str:
    """A name fit to be shown: NFC, 1 to 32 graphemes, one line, no hidden characters.

    Nor anything that a mail program would read as more than a name. Raises Invalid with
    the field and a reason: empty, too-long (with the most), hidden or link.
    """
    name = visible(raw, field)
    size = _graphemes(name)
    if size == 0:
        raise Invalid(field=field, reason="empty")
    if size > NAME_LIMIT or len(name) > 8 * NAME_LIMIT:
        raise Invalid(field=field, reason="too-long", max=NAME_LIMIT)
    plain = unicodedata.normalize("NFKC", name)
    if _LINKS.search(plain) or _ENCODED in plain:
        raise Invalid(field=field, reason="link")
    return name


def visible(raw: str, field: str) -> str:
    """A text of one line in NFC, without blanks around it.

    Raises Invalid with the field and the reason hidden for characters nobody sees.
    """
    text = unicodedata.normalize("NFC", raw).strip()
    if any(_is_hidden(text, at) for at in range(len(text))):
        raise Invalid(field=field, reason="hidden")
    return text


def has_link(text: str) -> bool:
    """Whether a text has a link in it, or what a program would make one of.

    Coarser than in names: people write dates to each other.
    """
    return _ADDRESSES.search(unicodedata.normalize("NFKC", text)) is not None


def of_seat(number: int) -> str:
    """What somebody is called who was given no name."""
    return f"Player {number + 1}"


def _is_hidden(name: str, at: int) -> bool:
    char = name[at]
    if char == _JOINER:
        return not _joins_pictures(name, at)
    if char in _UNSEEN:
        return True
    return unicodedata.category(char) in _REFUSED or (
        char != " " and unicodedata.category(char) == "Zs"
    )


def _joins_pictures(name: str, at: int) -> bool:
    """Whether a joiner stands inside one emoji, the only place where it is seen."""
    around = (
        name[max(0, at - 2) : at].replace("\ufe0f", "")[-1:] + name[at + 1 : at + 2]
    )
    pictures = [c for c in around if unicodedata.category(c) in ("So", "Sk")]
    return len(pictures) == 2


def _graphemes(name: str) -> int:
    """Characters as people count them: marks, joiners and what they join add none."""
    joined = re.sub(f".{_JOINER}", "", name.replace("\ufe0f", ""))
    return sum(
        not unicodedata.category(c).startswith("M") and unicodedata.category(c) != "Sk"
        for c in joined
    )


def skeleton(name: str) -> str:
    """What a name reads like: equal for names that a quick eye takes for each other."""
    # This is coarse on purpose, and nothing but names is compared by it. It translates
    # twice, for what is confusable only without its marks.
    latin = name.translate(_latin_letters())
    latin = unicodedata.normalize("NFKD", latin).translate(_latin_letters())
    # A capital I is a small l.
    small = latin.casefold().replace("i", "l")
    return "".join(c for c in small if unicodedata.category(c)[0] not in "MZP")


@functools.cache
def _latin_letters() -> Mapping[int, str]:
    """The Latin letter that each character is confusable with, by Unicode's TR39.

    Where there is none for a small letter, that of its capital: names are compared
    without regard to case.
    """
    data = confusables.load("confusables.json")
    return {
        ord(char): letter
        for char in data
        if len(char) == 1 and not (char.isascii() and char.isalpha())
        if (letter := _latin(data, char) or _latin(data, char.upper()))
    } | _ALIKE_IN_PASSING


def _latin(data: Mapping[str, list[dict[str, str]]], char: str) -> str:
    """The Latin letter a character is drawn like, whatever marks it has; or nothing."""
    drawn_like = (_without_marks(other["c"]) for other in data.get(char, ()))
    letters = (each for each in drawn_like if len(each) == 1 and each.isascii())
    return next(filter(str.isalpha, letters), "")


def _without_marks(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.category(c).startswith("M"))
