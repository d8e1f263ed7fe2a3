"""What every resource is: strict input, answers that can be cached."""

from collections.abc import Callable
from typing import Any

import flask
from flask import Response, request
from flask.views import MethodView

from service.api.http import (
    access,
    annotations,
    arguments,
    idempotency,
    problems,
    replies,
    response_headers,
)
from service.api.http.annotations import Operation
from service.game.handlers import NotAtTable
from service.values import public_urls


class Resource(MethodView):
    """A thing with an address: each of its methods is an operation."""

    def dispatch_request(self, **places: Any) -> Response:
        """Read what the operation takes, do it, and write what it answers."""
        method = request.method.lower()
        act: Callable[..., Any] = getattr(self, "get" if method == "head" else method)
        operation = annotations.of(act)

        def answer() -> Response:
            try:
                found = act(*arguments.read(request, operation), **places)
            except NotAtTable as error:
                proof = access.token(annotations.access_of(act).scope or access.READ)
                raise access.stranger(places["game_id"], proof) from error
            return found if isinstance(found, Response) else _written(operation, found)

        return idempotency.answered(act, answer)


class Blueprint(flask.Blueprint):
    """Some resources with one thing in common, which `description` says."""

    access = staticmethod(annotations.access)
    arguments = staticmethod(annotations.arguments)
    response = staticmethod(annotations.response)
    alt_response = staticmethod(annotations.alt_response)
    fails = staticmethod(annotations.fails)
    limited = staticmethod(annotations.limited)
    fleeting = staticmethod(annotations.fleeting)
    named = staticmethod(annotations.named)
    marked = staticmethod(annotations.marked)
    conditional = staticmethod(annotations.conditional)
    unconditional = staticmethod(annotations.unconditional)
    once = staticmethod(annotations.once)

    def __init__(
        self, name: str, description: str, prefix: str = public_urls.API
    ) -> None:
        super().__init__(name, __name__, url_prefix=prefix)
        self.description = description
        problems.catch(self)
        self.after_request(_finish)

    def place(self, rule: str) -> Callable[[type[Resource]], type[Resource]]:
        """Give a resource its address.

        Raises LookupError for an operation that doesn't say who may call it.
        """

        def placed(resource: type[Resource]) -> type[Resource]:
            for method in resource.methods or ():
                annotations.access_of(getattr(resource, method.lower()))
            view = resource.as_view(resource.__name__)
            self.add_url_rule(rule, view_func=view)
            return resource

        return placed


def _written(operation: Operation, found: Any) -> Response:
    """An answer of a struct: alone, with headers, or with a status and headers."""
    usual = operation.answers[0].status
    match found:
        case (body, status, headers):
            pass
        case (body, headers):
            status = usual
        case body:
            status, headers = usual, {}
    text = replies.encode(body) + b"\n"
    answer = Response(text, status, mimetype="application/json")
    answer.headers.update(headers)
    return answer


def _finish(answer: Response) -> Response:
    """Let every reader keep their own copy, and ask whether it is still the newest.

    A view that says how its answer is kept has given it a mark itself.
    """
    headers = answer.headers
    # Or a cache would show what one token gets to whoever brings another.
    headers["Vary"] = "Authorization, Accept-Language"
    headers["X-Content-Type-Options"] = "nosniff"
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = response_headers.FRESH
        if request.method in ("GET", "HEAD") and answer.status_code == 200:
            answer.add_etag()
            answer.make_conditional(request)
    return answer
