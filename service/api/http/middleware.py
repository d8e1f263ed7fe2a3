"""What every request below /v1 passes on its way in, and its answer on the way out.

One hook each way for all of it: they hand on the request itself, since each look
through Flask's `request` costs as much as a small rule does.
"""

from http import HTTPStatus

from flask import Flask, Response
from flask.globals import request_ctx

from service.api.http import (
    content_language,
    cors,
    negotiation,
    problems,
    rate_limit_headers,
)
from service.api.http.routed import operation
from service.values import public_urls


def init_app(app: Flask) -> None:
    """Hold an app's API to its rules, and let it tell what every answer tells."""

    @app.before_request
    def into() -> Response | None:
        asked = request_ctx.request
        if not public_urls.is_api(asked.path):
            return None
        if asked.method == "OPTIONS" and asked.url_rule is not None:
            return cors.preflight()
        if asked.routing_exception is not None:
            return problems.unrouted(asked.routing_exception)
        act = operation(asked)
        if act is not None:
            rate_limit_headers.count(asked, act)
            negotiation.hold(asked, act)
        return None

    @app.after_request
    def out(answer: Response) -> Response:
        asked = request_ctx.request
        if public_urls.is_api(asked.path):
            if answer.status_code == HTTPStatus.NO_CONTENT:
                answer.headers.pop("Content-Type", None)
            content_language.tell(asked, answer.headers)
            rate_limit_headers.tell(answer)
            cors.tell(answer.headers)
        return answer
