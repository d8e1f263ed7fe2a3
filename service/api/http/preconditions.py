"""If-Match: a write that counts on what was read is refused where that has changed.

It is looked at where the write holds what it changes, so that nothing comes in between,
and only for whoever may do it: nobody else learns whether a mark is good.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from flask import request

from service.values.errors import Invalid, PreconditionFailed

HEADER: Final = "If-Match"

PARAMETER: Final[Mapping[str, object]] = {
    "in": "header",
    "name": HEADER,
    "schema": {"type": "string", "minLength": 1},
    "description": "The `ETag` you have read, or several: if it is none of them any"
    " more nothing is done, and you get 412 `precondition-failed`. `*` is whatever"
    " there is. Weak ones (`W/`) are never the same.",
    "example": '"2ad89fbd90f2"',
}

# RFC 9110, 8.8.3 and 5.6.1: a list may have empty places.
_ANY: Final = "*"
_NEXT: Final = re.compile(
    r'[ \t]*(?:(?P<weak>W/)?(?P<tag>"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|\Z)'
)


def asked() -> bool:
    """Whether this request counts on anything."""
    return "HTTP_IF_MATCH" in request.environ


def understand() -> None:
    """Refuse a header that can't be understood, whatever it is asked for.

    Raises Invalid.
    """
    if asked():
        _tags(request.environ["HTTP_IF_MATCH"])


def check(mark: Callable[[], str]) -> None:
    """Refuse a write whose client has read something else than what `mark` is of.

    `mark` is called where that matters alone. Raises PreconditionFailed, or Invalid for
    a header that can't be understood.
    """
    if not asked():
        return
    known = _tags(request.environ["HTTP_IF_MATCH"])
    if known is not None and f'"{mark()}"' not in known:
        raise PreconditionFailed


def check_unmarked(*, shown: bool = False) -> None:
    """Refuse a write of what has no mark, where its client counts on one.

    `shown` is whether a GET of the same address shows something: `*` holds then. Raises
    what `check` raises.
    """
    if not asked():
        return
    known = _tags(request.environ["HTTP_IF_MATCH"])
    if known is not None or not shown:
        raise PreconditionFailed


def _tags(header: str) -> frozenset[str] | None:
    """The strong tags in a header, None for any. Raises Invalid."""
    if header.strip(" \t") == _ANY:
        return None
    found, at, empty = set(), 0, True
    while at < len(header):
        each = _NEXT.match(header, at)
        if each is None:
            raise Invalid(header=HEADER, reason="entity-tags")
        at = each.end()
        empty = empty and each["tag"] is None
        if each["tag"] is not None and each["weak"] is None:
            found.add(each["tag"])
    if empty:
        raise Invalid(header=HEADER, reason="entity-tags")
    return frozenset(found)
