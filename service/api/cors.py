"""Scripts of other sites may use the API with tokens of theirs: no cookie counts."""

from collections.abc import Mapping
from typing import Final

from flask import Flask, Response, current_app, request

from service import i18n
from service.api import once
from service.api.contract import headings

_ALWAYS: Final[Mapping[str, str]] = {
    # No cookie counts below /v1, so there is nothing that a site could borrow.
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(("Allow", *headings.HEADERS)),
}

_ASKED: Final[Mapping[str, str]] = {
    "Access-Control-Allow-Headers": ", ".join(
        (
            "Accept",
            "Accept-Language",
            "Authorization",
            "Content-Type",
            once.HEADER,
            "If-Match",
            "If-None-Match",
            "Last-Event-ID",
        )
    ),
    # As long as the most patient browser remembers it.
    "Access-Control-Max-Age": "86400",
}


def init_app(app: Flask) -> None:
    """Tell browsers so, below /v1 and nowhere else."""

    @app.before_request
    def asked() -> Response | None:
        if request.method != "OPTIONS" or not i18n.for_programs():
            return None
        if request.url_rule is None:
            return None
        answer: Response = current_app.make_default_options_response()
        answer.status_code = 204
        del answer.headers["Content-Type"]
        allowed = answer.headers["Allow"]
        answer.headers["Access-Control-Allow-Methods"] = allowed
        answer.headers.update(_ASKED)
        return answer

    @app.after_request
    def told(answer: Response) -> Response:
        if i18n.for_programs():
            answer.headers.update(_ALWAYS)
        return answer
