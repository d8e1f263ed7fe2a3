"""What every request below /v1 passes on its way in, and its answer on the way out.

One hook each way for all of it: they hand on the request itself, since each look
through Flask's `request` costs as much as a small rule does.
"""

from http import HTTPStatus

from flask import Flask, Response
from flask.globals import request_ctx

from service import paths
from service.api import cors, languages, manners, metering, problems
from service.api.routed import operation


def init_app(app: Flask) -> None:
    """Hold an app's API to its rules, and let it tell what every answer tells."""

    @app.before_request
    def into() -> Response | None:
        asked = request_ctx.request
        if not paths.is_api(asked.path):
            return None
        if asked.method == "OPTIONS" and asked.url_rule is not None:
            return cors.preflight()
        if asked.routing_exception is not None:
            return problems.unrouted(asked.routing_exception)
        act = operation(asked)
        if act is not None:
            metering.count(asked, act)
            manners.hold(asked, act)
        return None

    @app.after_request
    def out(answer: Response) -> Response:
        asked = request_ctx.request
        if paths.is_api(asked.path):
            if answer.status_code == HTTPStatus.NO_CONTENT:
                answer.headers.pop("Content-Type", None)
            languages.tell(asked, answer.headers)
            metering.tell(answer)
            cors.tell(answer.headers)
        return answer
