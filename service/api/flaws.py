"""What a schema says of a value that isn't in order, as a stable reason with facts."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from engine.errors import Fact

Facts: TypeAlias = Mapping[str, Fact]

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


def told(message: str) -> Facts:
    """The reason, and its facts, of a schema's message; nothing for an unknown one."""
    if message in _SAID:
        return {"reason": _SAID[message]}
    for pattern, (reason, facts) in _MEASURED.items():
        found = pattern.fullmatch(message)
        if found is not None:
            return {"reason": reason, **facts(*found.groups())}
    return {}
