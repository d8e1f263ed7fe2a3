"""Friends whose addresses come as one list, as people copy it out of a mail."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from service.values import names
from service.values.errors import Invalid

_QUOTED_OR_COMMA: Final = re.compile(r'("[^"]*"|<[^>]*>)|,')
_BRACKETS: Final = re.compile(r"^(?P<name>[^<>]*)<(?P<address>[^<>]*)>$")
_BETWEEN_WORDS: Final = re.compile(r"[._\-\s]+")


class PastedFriend(msgspec.Struct, frozen=True):
    """Somebody of the list: the address as it stands there, and a name or none."""

    address: str
    name: str


def read(text: str, taken: Iterable[str] = ()) -> tuple[PastedFriend, ...]:
    """Whoever is named in a list: one a line, or with commas or semicolons between.

    "Simon <simon@example.org>" is understood, and so is "Simon simon@example.org". Who
    has no name there is called by what stands before the @, unless that is unfit or
    reads like another name, those `taken` among them. Addresses aren't checked here.
    """
    found = [each for line in re.split(r"[\n\r;]", text) for each in _line(line)]
    given = (friend.name for friend in found if friend.name)
    looks = {names.skeleton(name) for name in (*taken, *given)}
    return tuple(_named(friend, looks) for friend in found)


def _line(line: str) -> Iterator[PastedFriend]:
    for entry in _joined(_parts(line)):
        bracketed = _BRACKETS.match(entry)
        words = entry.split()
        if bracketed is not None:
            yield _friend(bracketed["address"], bracketed["name"])
        elif all("@" in word for word in words):
            yield from (_friend(word) for word in words)
        elif "@" in words[-1]:
            yield _friend(words[-1], " ".join(words[:-1]))
        else:
            yield _friend(entry)


def _parts(line: str) -> list[str]:
    """What stands between the commas that are in no quotes and no brackets."""
    split = _QUOTED_OR_COMMA.sub(lambda found: found[1] or "\n", line)
    return [part.strip() for part in split.split("\n") if part.strip()]


def _joined(parts: Sequence[str]) -> Iterator[str]:
    """The parts, with a name put together again that has a comma of its own."""
    surname = ""
    for part in parts:
        if surname and "<" not in part:
            yield surname
            surname = ""
        if "@" not in part and not surname:
            surname = part
            continue
        yield f"{surname}, {part}" if surname else part
        surname = ""
    if surname:
        yield surname


def _friend(address: str, name: str = "") -> PastedFriend:
    plain = address.strip().removeprefix("mailto:")
    return PastedFriend(plain, name.strip().strip("\"'").strip())


def _named(friend: PastedFriend, looks: set[str]) -> PastedFriend:
    """The same friend, with a guessed name if there was none; it is of `looks` now."""
    if friend.name:
        return friend
    guessed = _guess(friend.address)
    if not guessed or names.skeleton(guessed) in looks:
        return friend
    looks.add(names.skeleton(guessed))
    return msgspec.structs.replace(friend, name=guessed)


def _guess(address: str) -> str:
    """A name made of what stands before the @ and any plus; "" where none comes out."""
    local = address.partition("@")[0].partition("+")[0]
    words = _BETWEEN_WORDS.split(local.rstrip("0123456789"))
    try:
        return names.clean(" ".join(word.capitalize() for word in words), "name")
    except Invalid:
        return ""
