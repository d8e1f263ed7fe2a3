"""What stands for a thing in an address: an id that is none is that of nothing."""

import re
from typing import Any, Final
from uuid import UUID

from flask import Flask
from werkzeug.routing import IntegerConverter, Map, UUIDConverter

_UUID: Final = re.compile(UUIDConverter.regex)
_NOTHING: Final = UUID(int=0)


class Id(UUIDConverter):
    """An id. What isn't written like one stands for a thing that isn't there.

    So a mistyped id gets what an unknown one gets, and an address has no other way to
    be wrong.
    """

    regex = "[^/]+"
    part_isolating = True

    def to_python(self, value: str) -> UUID:
        """The id, or that of nothing."""
        return UUID(value) if _UUID.fullmatch(value) else _NOTHING


class SeatNumber(IntegerConverter):
    """A number up to `max`. What isn't one stands for the next above it."""

    regex = "[^/]+"
    part_isolating = True

    def __init__(self, map: Map, max: int, **options: Any) -> None:
        super().__init__(map, max=max, **options)
        self._most = max

    def to_python(self, value: str) -> int:
        """The number, or one above all there are."""
        plain = value.isascii() and value.isdecimal()
        if plain and len(value) <= len(str(self._most)):
            return min(int(value), self._most + 1)
        return self._most + 1


def init_app(app: Flask) -> None:
    """Let an app read ids so, in the addresses of pages as well."""
    app.url_map.converters["uuid"] = Id
    app.url_map.converters["seat"] = SeatNumber
