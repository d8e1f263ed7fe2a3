"""The headers that answers bring, as the contract describes them."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from service.present.languages import API_LANGUAGES

FRESH: Final = "private, no-cache"
"""Cache-Control of what each reader keeps for themself, and asks for anew."""

CONTENT_LANGUAGE: Final = "Content-Language"
ETAG: Final = "ETag"
LINK: Final = "Link"
LOCATION: Final = "Location"
REPLAYED: Final = "Idempotent-Replayed"
RETRY_AFTER: Final = "Retry-After"
WWW_AUTHENTICATE: Final = "WWW-Authenticate"

LIMITS: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
"""What tells how much one may ask, what is left of it, and when it is whole again."""

_TEXT: Final = {"type": "string"}
_COUNT: Final = {"type": "integer", "minimum": 0}


def _header(description: str, schema: object, example: object) -> Mapping[str, object]:
    return {"description": description, "schema": schema, "example": example}


HEADERS: Final[Mapping[str, Mapping[str, object]]] = {
    CONTENT_LANGUAGE: _header(
        "The language of the words in the answer, as `Accept-Language` asked for.",
        {"type": "string", "enum": list(API_LANGUAGES)},
        API_LANGUAGES[0],
    ),
    ETAG: _header(
        "The mark of what is there now, as you see it. Sent as `If-None-Match` it gets"
        " 304 while nothing has changed for you; as `If-Match` with a write it gets 412"
        " where something has.",
        _TEXT,
        '"2ad89fbd90f2"',
    ),
    REPLAYED: _header(
        "There when the answer is that to an earlier request with the same"
        " `Idempotency-Key`.",
        {"type": "string", "enum": ["true"]},
        "true",
    ),
    LINK: _header(
        "Where there is more of the list, its next part: `rel=next`.",
        _TEXT,
        '<https://kingup.example/v1/games?limit=50&cursor=MjAyNi0x>; rel="next"',
    ),
    LOCATION: _header(
        "The address of what was made.",
        {"type": "string", "format": "uri"},
        "https://kingup.example/v1/games/2edbd422-2a88-40ee-b087-52df16fde604",
    ),
    LIMITS[0]: _header(
        "How often you may ask in the current ten seconds, minute or hour; with several"
        " limits, that of which the least is left. Nothing limits answers to"
        " decisions.",
        _COUNT,
        600,
    ),
    LIMITS[1]: _header("How much of it is left.", _COUNT, 597),
    LIMITS[2]: _header("In how many seconds all of it is there again.", _COUNT, 42),
    RETRY_AFTER: _header("How many seconds to wait before another try.", _COUNT, 5),
    WWW_AUTHENTICATE: _header(
        "How to prove who asks, and what is wrong with a token, as RFC 6750 says it:"
        " `error` is `invalid_token`, or with 403 `insufficient_scope`, where the"
        " `scope` is all that is missing.",
        _TEXT,
        'Bearer realm="kingup"',
    ),
}
"""Every header by its name; the contract keeps each once, under `components`."""

_OF_STATUS: Final[Mapping[int, tuple[str, ...]]] = {
    HTTPStatus.CREATED: (LOCATION,),
    HTTPStatus.UNAUTHORIZED: (WWW_AUTHENTICATE,),
    HTTPStatus.FORBIDDEN: (WWW_AUTHENTICATE,),
    HTTPStatus.TOO_MANY_REQUESTS: (RETRY_AFTER,),
    HTTPStatus.SERVICE_UNAVAILABLE: (RETRY_AFTER,),
}


def named(*names: str) -> Mapping[str, object]:
    """Some headers, each as a reference to where it is described."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def of_status(status: int, always: Sequence[str]) -> Mapping[str, object]:
    """The headers of an answer of a status: its own, and what `always` comes.

    A request that never came whole has counted for no limit.
    """
    if status == HTTPStatus.REQUEST_TIMEOUT:
        always = [name for name in always if name not in LIMITS]
    return named(*_OF_STATUS.get(status, ()), *always)
