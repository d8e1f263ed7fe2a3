"""Scripts of other sites may use the API with tokens of theirs: no cookie counts."""

from collections.abc import Mapping
from typing import Final

from flask import Response, current_app
from werkzeug.datastructures import Headers

from service.api.http import idempotency, preconditions, response_headers

_ALWAYS: Final = (
    # No cookie counts below /v1, so there is nothing that a site could borrow.
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", ", ".join(("Allow", *response_headers.HEADERS))),
)

_ASKED: Final[Mapping[str, str]] = {
    "Access-Control-Allow-Headers": ", ".join(
        (
            "Accept",
            "Accept-Language",
            "Authorization",
            "Content-Type",
            idempotency.HEADER,
            preconditions.HEADER,
            "If-None-Match",
            "Last-Event-ID",
        )
    ),
    # As long as the most patient browser remembers it.
    "Access-Control-Max-Age": "86400",
}


def preflight() -> Response:
    """What a browser asks before it lets a script ask."""
    answer: Response = current_app.make_default_options_response()
    answer.status_code = 204
    allowed = answer.headers["Allow"]
    answer.headers["Access-Control-Allow-Methods"] = allowed
    answer.headers.update(_ASKED)
    return answer


def tell(headers: Headers) -> None:
    """Tell browsers so: below /v1 and nowhere else."""
    for name, value in _ALWAYS:
        headers.add(name, value)
