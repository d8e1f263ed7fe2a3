"""What isn't in order with a request: all of it at once, each with a stable reason."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    """What a schema says of the part of a request at `location`."""
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
    """The reason, and its facts, of a schema's message: a reason alone, or a flaw."""
    if isinstance(message, Invalid):
        return {name: fact for name, fact in message.facts.items() if name != "field"}
    if not isinstance(message, str):
        raise TypeError(type(message))
    return {"reason": message}
