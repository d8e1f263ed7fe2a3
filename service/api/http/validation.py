"""What isn't in order with a request: all of it at once, each with a stable reason."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias
from urllib.parse import quote

import marshmallow

from engine.errors import Fact
from service.values.errors import Invalid

Facts: TypeAlias = Mapping[str, Fact]

MOST: Final = 20
"""How many flaws are told: what comes back shall not be many times what was sent."""

_MOST_NAME: Final = 64

_PLAIN: Final = "!$&'()*+,;=:@?~"
"""What a fragment may have as it is beside letters and digits (RFC 3986, 3.5)."""

_PLACES: Final[Mapping[str, str]] = {"query": "parameter", "headers": "header"}

_SAID: Final[Mapping[str, str]] = {
    "missing": "missing",
    "unknown": "unknown",
    "number": "number",
    "type": "no-object",
    "Missing data for required field.": "missing",
    "Field may not be null.": "null",
    "Invalid type.": "no-object",
    "Not a valid list.": "no-array",
    "Not a valid string.": "no-string",
    "Not a valid integer.": "no-integer",
    "Not a valid boolean.": "no-boolean",
    "Not a valid UUID.": "no-uuid",
    "Not a valid datetime.": "no-moment",
    "Not a valid aware datetime.": "no-moment",
    "Not a known zone.": "no-zone",
    "Not with expires_in.": "two-ends",
}


def _choices(one: str) -> Facts:
    return {"choices": tuple(one.split(", "))}


def _least(least: str) -> Facts:
    return {"min": int(least)}


def _most(most: str) -> Facts:
    return {"max": int(most)}


def _both(least: str, most: str) -> Facts:
    return {"min": int(least), "max": int(most)}


_RANGE = r"Must be greater than or equal to (\d+) and less than or equal to (\d+)\."

_MEASURED: Final[Mapping[re.Pattern[str], tuple[str, Callable[..., Facts]]]] = {
    re.compile(r"unknown-kind: (.+)"): ("unknown-kind", _choices),
    re.compile(r"Must be one of: (.+)\."): ("one-of", _choices),
    re.compile(r"Must be equal to (.+)\."): ("one-of", _choices),
    re.compile(_RANGE): ("range", _both),
    re.compile(r"Length must be between (\d+) and (\d+)\."): ("length", _both),
    re.compile(r"Longer than maximum length (\d+)\."): ("longer", _most),
    re.compile(r"Shorter than minimum length (\d+)\."): ("shorter", _least),
}


def check(found: Iterable[Invalid]) -> None:
    """Raise Invalid for what is found, if anything is."""
    told = tuple(found)
    if told:
        raise together(told)


def together(found: Iterable[Invalid]) -> Invalid:
    """All flaws of a request as one problem, which is the first one.

    What comes after MOST of them is left out.
    """
    first, *others = islice(found, MOST)
    facts = dict(first.facts)
    if first.path is not None:
        del facts["field"]
    return Invalid(first.path, others, **facts)


def field(path: Sequence[str], facts: Facts) -> Invalid:
    """A flaw in the body. A key that is longer than any of ours is told in part."""
    return Invalid([_shown(key) for key in path], **facts)


def _shown(key: str) -> str:
    return key[:_MOST_NAME].encode(errors="replace").decode()


def pointer(path: Sequence[str]) -> str:
    """Where a field stands, as a JSON Pointer in a fragment (RFC 6901, 6)."""
    keys = (key.replace("~", "~0").replace("/", "~1") for key in path)
    return "".join(("#", *(f"/{quote(key, safe=_PLAIN)}" for key in keys)))


def parameter(name: str, facts: Facts) -> Invalid:
    """A flaw in the query."""
    return Invalid(parameter=_shown(name), **facts)


def of_schema(messages: object, location: str) -> Iterator[Invalid]:
    """What a schema says of the part of a request that webargs calls `location`."""
    for path, message in _leaves(messages, ()):
        named = [key for key in path if key != marshmallow.exceptions.SCHEMA]
        facts, place = told(message), _PLACES.get(location)
        if place is None:
            yield field(named, facts)
        else:
            yield Invalid(**{place: _shown(".".join(named)), **facts})


def _leaves(
    found: object, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every message with the path to its field."""
    match found:
        case dict():
            for key, inner in found.items():
                yield from _leaves(inner, (*path, str(key)))
        case list():
            for message in found:
                yield path, message
        case _:
            yield path, found


def told(message: object) -> Facts:
    """The reason, and its facts, of a schema's message."""
    if isinstance(message, Invalid):
        return {name: fact for name, fact in message.facts.items() if name != "field"}
    if not isinstance(message, str):
        raise TypeError(type(message))
    if message in _SAID:
        return {"reason": _SAID[message]}
    for pattern, (reason, facts) in _MEASURED.items():
        found = pattern.fullmatch(message)
        if found is not None:
            return {"reason": reason, **facts(*found.groups())}
    return {"reason": "not-understood"}
