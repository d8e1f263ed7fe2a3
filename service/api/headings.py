"""The headers that answers bring, as the contract describes them."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

_TEXT: Final = {"type": "string"}
_COUNT: Final = {"type": "integer", "minimum": 0}


def _header(description: str, schema: object, example: object) -> Mapping[str, object]:
    return {"description": description, "schema": schema, "example": example}


HEADERS: Final[Mapping[str, Mapping[str, object]]] = {
    "Content-Language": _header(
        "The language of the words in the answer, as `Accept-Language` asked for.",
        {"type": "string", "enum": ["en", "it", "fr", "de"]},
        "en",
    ),
    "ETag": _header(
        "The mark of this answer, your own: send it as `If-None-Match` and get 304"
        " while nothing has changed for you.",
        _TEXT,
        '"2ad89fbd90f2"',
    ),
    "Idempotent-Replayed": _header(
        "There when the answer is that to an earlier request with the same"
        " `Idempotency-Key`.",
        {"type": "string", "enum": ["true"]},
        "true",
    ),
    "Link": _header(
        "Where there is more of the list, its next part: `rel=next`.",
        _TEXT,
        '<https://kingup.example/v1/games?limit=50&cursor=MjAyNi0x>; rel="next"',
    ),
    "Location": _header(
        "The address of what was made.",
        {"type": "string", "format": "uri"},
        "https://kingup.example/v1/games/2edbd422-2a88-40ee-b087-52df16fde604",
    ),
    "RateLimit-Limit": _header(
        "How often you may ask in the current minute or hour; with several limits, that"
        " of which the least is left. Nothing limits answers to decisions.",
        _COUNT,
        600,
    ),
    "RateLimit-Remaining": _header("How much of it is left.", _COUNT, 597),
    "RateLimit-Reset": _header(
        "In how many seconds all of it is there again.", _COUNT, 42
    ),
    "Retry-After": _header("How many seconds to wait before another try.", _COUNT, 5),
    "WWW-Authenticate": _header("How to prove who asks.", _TEXT, "Bearer"),
}
"""Every header by its name; the contract keeps each once, under `components`."""

LIMITS: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
"""What tells how much more may be asked for."""

_OF_STATUS: Final[Mapping[int, tuple[str, ...]]] = {
    HTTPStatus.CREATED: ("Location",),
    HTTPStatus.UNAUTHORIZED: ("WWW-Authenticate",),
    HTTPStatus.TOO_MANY_REQUESTS: ("Retry-After",),
    HTTPStatus.SERVICE_UNAVAILABLE: ("Retry-After",),
}


def named(*names: str) -> Mapping[str, object]:
    """Some headers, each as a reference to where it is described."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def of_status(status: int) -> Mapping[str, object]:
    """The headers that come with every answer of a status."""
    return named(*_OF_STATUS.get(status, ()), "Content-Language", *LIMITS)
