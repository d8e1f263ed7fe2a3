"""What every request below /v1 is held to, before its operation sees it."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote_to_bytes

import msgspec
from flask import Request

from service.api.http import annotations, preconditions, strictjson, validation
from service.values.errors import Invalid, NotAcceptable


class _Manners(msgspec.Struct, frozen=True):
    """What an operation answers in, which parameters it knows, if it takes a body.

    And whether it looks at what the client counts on.
    """

    media_types: tuple[str, ...]
    parameters: frozenset[str]
    takes_body: bool
    meets_conditions: bool


def hold(asked: Request, act: Callable[..., Any]) -> None:
    """Refuse what an operation could not answer rightly.

    Raises NotAcceptable, Invalid, WrongMediaType and TooLarge.
    """
    manners = _manners(act)
    _check_accept(asked, manners.media_types)
    _check_query(asked, manners.parameters)
    if manners.meets_conditions:
        preconditions.understand()
    if not manners.takes_body:
        _check_bodiless(asked)


@cache
def _manners(act: Callable[..., Any]) -> _Manners:
    return _Manners(
        annotations.media_types(act),
        annotations.query_parameters(act),
        annotations.of(act).body is not None,
        annotations.meets_conditions(act),
    )


def _check_accept(asked: Request, spoken: tuple[str, ...]) -> None:
    """Raises NotAcceptable. Whoever says nothing takes anything."""
    if asked.environ.get("HTTP_ACCEPT", "*/*") == "*/*":
        return
    accepted: dict[str, float] = {}
    for value, quality in asked.accept_mimetypes:
        kind = value.partition(";")[0].strip().lower()
        accepted[kind] = max(quality, accepted.get(kind, 0.0))
    if accepted and spoken and not any(_wanted(kind, accepted) for kind in spoken):
        raise NotAcceptable


def _wanted(kind: str, accepted: Mapping[str, float]) -> bool:
    """Whether a media type is taken: its own word counts before that of its family."""
    family = f"{kind.partition('/')[0]}/*"
    for name in (kind, family, "*/*"):
        if name in accepted:
            return accepted[name] > 0
    return False


def _check_query(asked: Request, known: frozenset[str]) -> None:
    """Raises Invalid for what is no text, is there twice, or nobody knows."""
    if not asked.query_string:
        return
    try:
        unquote_to_bytes(asked.query_string).decode()
    except UnicodeDecodeError as error:
        raise Invalid(parameter="query", reason="not-text") from error
    validation.check(_of_query(asked, known))


def _of_query(asked: Request, known: frozenset[str]) -> Iterator[Invalid]:
    for name, values in asked.args.lists():
        if name not in known:
            yield validation.parameter(name, {"reason": "unknown-parameter"})
        elif len(values) > 1:
            yield validation.parameter(name, {"reason": "duplicate"})
        elif "\0" in values[0]:
            yield validation.parameter(name, {"reason": "not-text"})


def _check_bodiless(asked: Request) -> None:
    """Refuse what was sent to an operation that takes nothing: it would be ignored.

    An empty object is nothing; what comes with a GET has no meaning anyway. Raises
    what strictjson.load raises.
    """
    if asked.method in ("GET", "HEAD") or not asked.get_data():
        return
    found = strictjson.load(asked)
    if not isinstance(found, dict):
        raise Invalid((), reason="no-object")
    validation.check(validation.field([name], {"reason": "unknown"}) for name in found)
