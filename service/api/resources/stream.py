"""Streams: a game as it happens for one viewer, and the turns of an account."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

import flask_babel
import msgspec
from flask import Flask, Response, current_app, request

from service import live
from service.api.feeds import game_stream, turns, waiting
from service.api.feeds.game_stream import StreamMessage, Viewer
from service.api.feeds.turns import TurnsFeed, TurnsReply
from service.api.http import access
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.event import Resumed, ResumedSchema
from service.api.schemas.ticket import OpenedSchema, StreamOpening
from service.api.schemas.turn import KnownTurnsSchema, TurnsOpenedSchema, TurnsOpening
from service.auth import bearer
from service.live import sse
from service.live.client_socket import socket_of
from service.live.quota import Client
from service.live.sse import Batch
from service.live.subscriptions import News, Subscription
from service.rate_limits import charging
from service.rate_limits.limits import TURNS
from service.values.enums import GameStatus
from service.values.errors import Invalid, TooManyStreams, TooManyWaiting, Unauthorized
from service.values.principals import Bearer

blueprint = Blueprint("stream", "A game as it happens.")

_MEDIA_TYPE: Final = "text/event-stream"
_TURNS_EXAMPLE: Final = (
    'id: 5b1f…\nevent: turns\ndata: {"turns":[{"game":"2edbd422-…",…}],"running":2}\n\n'
    'id: 2ad8…\nevent: turns\ndata: {"turns":[],"running":2}\n\n'
)
_Batch = TypeVar("_Batch", bound=Batch)


class StreamTurnsReply(msgspec.Struct, frozen=True, tag_field="event", tag="turns"):
    """Your open decisions, all of them; the `id` tells this list from any other."""

    id: str
    data: TurnsReply


@blueprint.place("/games/<uuid:game_id>/stream")
class Stream(Resource):
    """A game as it happens."""

    @blueprint.fleeting()
    @blueprint.named("streamGame")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.limited(TURNS)
    @blueprint.fails(TooManyStreams, TooManyWaiting, Unauthorized)
    @blueprint.arguments(ResumedSchema, location="headers")
    @blueprint.arguments(OpenedSchema, location="query")
    @blueprint.response(200, StreamMessage, content_type=_MEDIA_TYPE)
    @blueprint.alt_response(204, description="The game is over, and you have it all.")
    def get(self, resumed: Resumed, opened: StreamOpening, game_id: UUID) -> Response:
        """Follow a game: server-sent events.

        First a `view`, whose `id` is its revision. Then, whenever something has
        happened, each new event of the record as an `entry` with its number as `id`,
        and a `view` behind them; and a `view` alone when something else that you see
        has changed. A comment every 15 seconds says that all is well,
        and `retry: 2000` at the beginning that 2 seconds are a good pause.

        A stream may end at any time; come back with `Last-Event-ID`, as browsers do,
        and the record goes on behind it. If it can't, because the id is unknown or more
        than 500 events old, a `reset` says so, and a `view` begins anew. The stream of
        a game that is over ends with its view; coming back after that is 204.
        """
        proof = _proof(opened.ticket, game_id)
        with ExitStack() as stack:
            subscription = stack.enter_context(waiting.watching(game_id, proof))
            row = access.game_row_for(game_id, proof)
            last = resumed.last_event_id or opened.last_event_id
            if row.status == GameStatus.OVER and last == str(row.record):
                return Response(status=204)
            viewer = Viewer(game_id, proof, str(flask_babel.get_locale()))
            beginning = partial(game_stream.beginning, row, last)
            after = partial(game_stream.after, viewer)
            client = partial(waiting.client, proof)
            return _stream(stack, subscription, client, beginning, after)


@blueprint.place("/me/stream")
class TurnsStream(Resource):
    """Your turns as they come and go."""

    @blueprint.fleeting()
    @blueprint.named("streamTurns")
    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.limited(TURNS)
    @blueprint.fails(TooManyStreams, TooManyWaiting)
    @blueprint.arguments(KnownTurnsSchema, location="headers")
    @blueprint.arguments(TurnsOpenedSchema, location="query")
    @blueprint.response(
        200, StreamTurnsReply, content_type=_MEDIA_TYPE, example=_TURNS_EXAMPLE
    )
    def get(self, resumed: Resumed, opened: TurnsOpening) -> Response:
        """Follow your turns in all your games: server-sent events.

        First a `turns` message with all that your games ask of you now, as
        `GET /v1/me/turns` lists it, then another one with the whole list whenever that
        has changed: a turn that is new or gone, a game of yours that has begun or is
        over. Nobody else's ballot changes anything. A comment every 15 seconds says
        that all is well.

        A stream may end at any time. Come back with the `id` of the last message as
        `Last-Event-ID`, as browsers do: the list comes at once if it is another one by
        now, and else when it is. A token for one game follows that game alone.
        """
        proof = _proof(opened.ticket, None)
        if proof is None:
            raise Unauthorized(reason="no-token")
        owner = bearer.require(proof)
        with ExitStack() as stack:
            subscription = stack.enter_context(turns.watching(owner, proof))
            language = str(flask_babel.get_locale())
            feed = TurnsFeed(proof, language, views=opened.view)
            last = resumed.last_event_id or opened.last_event_id
            beginning = partial(feed.beginning, last)
            client = partial(waiting.client_of, owner)
            return _stream(stack, subscription, client, beginning, feed.after)


def _stream(
    stack: ExitStack,
    subscription: Subscription,
    client: Callable[[], Client],
    beginning: Callable[[], _Batch],
    after: Callable[[_Batch, Sequence[News]], _Batch],
) -> Response:
    """A feed from its first batch on, which goes on until `stack` may be closed.

    Raises TooManyStreams, TooManyWaiting, and what `beginning` raises.
    """
    if request.method == "HEAD":
        return _answer(())
    client_socket = socket_of(request)
    connections = live.current().connections
    stack.enter_context(connections.slot(client(), client_socket))
    first = beginning()
    # After a stream nothing more comes on this connection; but where it can't begin the
    # error does.
    stack.callback(client_socket.hang_up)
    messages = sse.follow(_app(), first, after, subscription, client_socket)
    answer = _answer(messages)
    answer.call_on_close(stack.pop_all().close)
    return answer


def _proof(ticket: str | None, game_id: UUID | None) -> Bearer | None:
    """The token that opens a stream: the request's own, or the one of its ticket.

    A ticket is used up, but by HEAD, which opens nothing. Raises Unauthorized, Busy,
    and Invalid for both at once.
    """
    if ticket is None:
        return bearer.bearer(request, access.READ)
    if "Authorization" in request.headers:
        raise Invalid(parameter="ticket", reason="two-proofs")
    tickets = live.current().tickets
    look = tickets.holder if request.method == "HEAD" else tickets.take
    holder = look(ticket)
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
