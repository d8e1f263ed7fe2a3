"""A game as it happens: server-sent events for one viewer, from the first view on."""

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Final
from uuid import UUID

import flask_babel
from apispec import APISpec
from flask import Flask, Response, current_app, request
from flask.views import MethodView

from service import live
from service.api.http import access
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.resources import feed, waiting
from service.api.resources.feed import Viewer
from service.api.schemas.event import (
    Resumed,
    ResumedSchema,
    StreamRecordSchema,
    StreamResetSchema,
    StreamViewSchema,
)
from service.api.schemas.ticket import OpenedSchema, StreamOpening
from service.auth import bearer
from service.live.client_socket import socket_of
from service.rate_limits import charging
from service.rate_limits.limits import TURNS
from service.values.enums import GameStatus
from service.values.errors import (
    Busy,
    Invalid,
    TooManyStreams,
    TooManyWaiting,
    Unauthorized,
)
from service.values.principals import Bearer

blueprint = Blueprint("stream", "A game as it happens.")

_MEDIA_TYPE: Final = "text/event-stream"
_MESSAGE: Final = "StreamMessage"
_STREAM: Final = {
    "type": "string",
    "contentMediaType": _MEDIA_TYPE,
    "contentSchema": {"$ref": f"#/components/schemas/{_MESSAGE}"},
}
_FORMS: Final = {
    "view": ("StreamView", StreamViewSchema),
    "record": ("StreamRecord", StreamRecordSchema),
    "reset": ("StreamReset", StreamResetSchema),
}


@blueprint.route("/games/<uuid:game_id>/stream")
class Stream(MethodView):
    """A game as it happens."""

    @blueprint.fleeting()
    @blueprint.named("streamGame")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.limited(TURNS)
    @blueprint.fails(TooManyStreams, TooManyWaiting, Busy, Unauthorized)
    @blueprint.arguments(ResumedSchema, location="headers")
    @blueprint.arguments(OpenedSchema, location="query")
    @blueprint.response(200, _STREAM, content_type=_MEDIA_TYPE)
    @blueprint.alt_response(204, description="The game is over, and you have it all.")
    def get(self, resumed: Resumed, opened: StreamOpening, game_id: UUID) -> Response:
        """Follow a game: server-sent events.

        First a `view`, whose `id` is its record number. Then, whenever something has
        happened, each new event of the record as a `record` message with its number as
        `id`, and a `view` behind them; and a `view` alone when something else that
        you see has changed. A comment every 15 seconds says that all is well,
        and `retry: 2000` at the beginning that 2 seconds are a good pause.

        A stream may end at any time; come back with `Last-Event-ID`, as browsers do,
        and the record goes on behind it. If it can't, because the id is unknown or more
        than 500 events old, a `reset` says so, and a `view` begins anew. The stream of
        a game that is over ends with its view; coming back after that is 204.
        """
        here, line = live.current(), socket_of(request)
        with ExitStack() as stack:
            watch = stack.enter_context(here.hub.watch_game(game_id))
            proof = _proof(opened.ticket, game_id)
            seen = access.game_row_for(game_id, proof)
            last = resumed.last_event_id or opened.last_event_id
            if seen.status == GameStatus.OVER and last == str(seen.record):
                return Response(status=204)
            if request.method == "HEAD":
                return _answer(())
            # Last to be undone: after a stream nothing more comes on this line.
            stack.enter_context(here.room.slot(waiting.client(proof), line))
            stack.callback(line.hang_up)
            viewer = Viewer(game_id, proof, str(flask_babel.get_locale()))
            first = feed.beginning(seen, last)
            answer = _answer(feed.follow(_app(), viewer, first, watch, line))
            answer.call_on_close(stack.pop_all().close)
            return answer


def _proof(ticket: str | None, game_id: UUID) -> Bearer | None:
    """The token that opens a stream: the request's own, or the one of its ticket.

    Raises Unauthorized, Busy, and Invalid for both at once.
    """
    if ticket is None:
        return bearer.bearer(request, access.READ)
    if "Authorization" in request.headers:
        raise Invalid(parameter="ticket", reason="two-proofs")
    holder = live.current().tickets.take(ticket)
    if holder is None or holder.game_id != game_id:
        charging.refuse()
        raise Unauthorized(reason="bad-ticket")
    return Bearer(holder.token_hash, access.READ)


def _app() -> Flask:
    # The stream is sent when the request, and with it the proxy, is gone.
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # a proxy
    return app


def _answer(messages: Iterable[bytes]) -> Response:
    answer = Response(messages, mimetype=_MEDIA_TYPE)
    answer.headers["Cache-Control"] = "no-store"
    # Some proxies would else keep messages back until there are many.
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def describe(spec: APISpec) -> None:
    """Put the messages of a stream into the contract."""
    for name, form in _FORMS.values():
        spec.components.schema(name, schema=form)
    named = {
        event: f"#/components/schemas/{name}" for event, (name, _) in _FORMS.items()
    }
    whole: dict[str, Any] = {
        "description": "A message of a stream: its fields, with the JSON of `data`.",
        "oneOf": [{"$ref": form} for form in named.values()],
        "discriminator": {"propertyName": "event", "mapping": named},
    }
    spec.components.schema(_MESSAGE, whole)
