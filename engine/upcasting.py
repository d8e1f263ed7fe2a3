"""Stored events of older versions, lifted to the version of today when they are read.

What is stored never changes: the chain links those bytes, and anybody may hold a copy.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import msgspec

Plain: TypeAlias = dict[str, object]
"""A stored JSON object, its fields by name."""


class Parts(msgspec.Struct, frozen=True):
    """An event as JSON objects: its public part and its secret part."""

    public: Plain | None
    secret: Plain | None


Lift: TypeAlias = Callable[[Parts], Parts]
"""From the parts of an event of one version to its parts in the next version.

It looks at nothing else: the same parts always lift to the same parts. A KeyError
means that the event is not of the version it was stored with.
"""

LIFTS: Final[Mapping[tuple[str, int], Lift]] = {}
"""By type and version, what that version of the event needs to become the next one.

A type that isn't here has stayed the same. No released event has changed so far.
"""

_parts = msgspec.json.Decoder(Plain)


def lift(
    public: bytes | None, secret: bytes | None, version: int, to: int
) -> tuple[bytes | None, bytes | None]:
    """The public and secret JSON of an event of `version` as version `to` has them.

    Raises msgspec.DecodeError for what is no JSON object, KeyError for an object
    without the fields of its version.
    """
    parts = Parts(
        public=None if public is None else _parts.decode(public),
        secret=None if secret is None else _parts.decode(secret),
    )
    for step in range(version, to):
        change = LIFTS.get((_type_of(parts), step))
        parts = parts if change is None else change(parts)
    return _encoded(parts.public), _encoded(parts.secret)


def _type_of(parts: Parts) -> str:
    """The event's type by now, which a lift may change too."""
    part = parts.public if parts.public is not None else parts.secret
    return str((part or {})["type"])


def _encoded(part: Plain | None) -> bytes | None:
    return None if part is None else msgspec.json.encode(part)
