"""Request bodies read strictly: JSON that means one thing, or a problem naming why."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from flask import Request

from service.api.http import validation
from service.values.errors import Invalid, TooLarge, WrongMediaType

MOST_LEVELS = 16
"""How deep a body may be nested."""

_MOST_DIGITS = 15
_UNSAID = ("", "application/json")
# An unclosed string reaches to the end: looked for from every quote it would cost the
# square of the body's length.
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_UNFIT = re.compile("[\x00\ud800-\udfff]")


Check: TypeAlias = Callable[[object], Iterator[Invalid]]
"""Finds what else is wrong with a parsed body."""


class _Flaw(str):
    """Stands in a parsed body for what we don't take; its text is the reason."""

    __slots__ = ()


def load(
    request: Request, optional: bool = False, check: Check | None = None
) -> object:
    """The JSON body of a request; one that is `optional` and isn't there is {}.

    Raises WrongMediaType, TooLarge, or Invalid with the fields and a reason for each:
    empty, not-json (with its line and column), too-deep, duplicate, number (NaN,
    infinite, or too long to be exact), not-text (a character that no text has). What
    `check` finds wrong with the rest is told with them.
    """
    if optional and request.mimetype in _UNSAID and not request.get_data():
        return {}
    charset = request.mimetype_params.get("charset", "utf-8")
    if request.mimetype != "application/json" or charset.lower() != "utf-8":
        raise WrongMediaType
    body = request.get_data()
    # A body of unknown length is cut at the limit without a word.
    if request.content_length is None and len(body) == request.max_content_length:
        raise TooLarge
    if _levels(body) > MOST_LEVELS:
        raise Invalid(field="body", reason="too-deep")
    found = _parsed(body)
    unfit = tuple(_flaws(found, ()))
    if unfit:
        told = (validation.field(path, {"reason": flaw}) for path, flaw in unfit)
        others = _elsewhere(found, [path for path, _ in unfit], check)
        raise validation.together(chain(told, others))
    return found


def _elsewhere(
    found: object, unfit: Sequence[tuple[str, ...]], check: Check | None
) -> Iterator[Invalid]:
    """What else is wrong, but with what is unfit: that can't be anything else."""
    for flaw in () if check is None else check(_plain(found)):
        if tuple(flaw.path or ()) not in unfit:
            yield flaw


def _plain(value: object) -> object:
    """The same with flaws as the texts that they are."""
    match value:
        case dict():
            return {key: _plain(inner) for key, inner in value.items()}
        case list():
            return [_plain(inner) for inner in value]
        case _Flaw():
            return str(value)
        case _:
            return value


def _parsed(body: bytes) -> object:
    if not body.strip():
        raise Invalid(field="body", reason="empty")
    try:
        found: object = _decoder.decode(body.decode())
    except UnicodeDecodeError as error:
        line, column = _place(body[: error.start].decode())
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
    else:
        return found
    raise Invalid(field="body", reason="not-json", line=line, column=column)


def _place(before: str) -> tuple[int, int]:
    """The line and the column of what comes after a text, both from 1."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _levels(body: bytes) -> int:
    """At least how deep the brackets are nested; exact where it could matter."""
    most = body.count(b"[") + body.count(b"{")
    if most <= MOST_LEVELS:
        return most
    depth = most = 0
    for char in _STRINGS.sub(b"", body):
        if char in b"[{":
            depth += 1
            most = max(most, depth)
        elif char in b"]}":
            depth -= 1
    return most


def _number(text: str) -> int | float | _Flaw:
    return int(text) if len(text) <= _MOST_DIGITS else _Flaw("number")


def _float(text: str) -> float | _Flaw:
    value = float(text)
    return value if abs(value) < 10**_MOST_DIGITS else _Flaw("number")


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        found[key] = _Flaw("duplicate") if key in found else value
    return found


_decoder = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_number,
    parse_float=_float,
    parse_constant=lambda name: _Flaw("number"),
)


def _flaws(
    value: object, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every flaw with the path to its field."""
    match value:
        case _Flaw():
            yield path, str(value)
        case str() if _UNFIT.search(value):
            yield path, "not-text"
        case dict():
            for key, inner in value.items():
                if _UNFIT.search(key):
                    yield path, "not-text"
                yield from _flaws(inner, (*path, key))
        case list():
            for index, inner in enumerate(value):
                yield from _flaws(inner, (*path, str(index)))
        case _:
            pass


def canonical(body: bytes) -> bytes:
    """A body as all that mean the same have it; what is no JSON of ours as it is.

    1 and 1.0 are two things. No body is an empty object, as it is where one is read.
    """
    if not body.strip():
        return b"{}"
    if _levels(body) > MOST_LEVELS:
        return body
    try:
        found = _decoder.decode(body.decode())
    except ValueError:
        return body
    if any(_flaws(found, ())):
        return body
    return json.dumps(found, sort_keys=True, separators=(",", ":")).encode()
