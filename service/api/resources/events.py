"""The record of a game, in order, and on as it grows."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from flask import Response, request
from msgspec import Meta

from service import live
from service.api.feeds import record, waiting
from service.api.feeds.record import RecordedReply
from service.api.feeds.waiting import ChangedAnswer, GameSeen
from service.api.http import access, etags, replies
from service.api.http.annotations import Who
from service.api.http.replies import Head
from service.api.http.resource import Blueprint, Resource
from service.api.resources import games
from service.api.schemas.event import After, AfterSchema
from service.api.schemas.waiting import Known, KnownSchema
from service.auth import bearer
from service.live import long_poll
from service.rate_limits.limits import VIEWS
from service.store.event_log import Recorded
from service.store.games import GameRow, head_of
from service.values.enums import GameStatus
from service.values.errors import BeyondTheRecord, TooManyStreams, TooManyWaiting

blueprint = Blueprint("events", "The record of a game.")


class EventsReply(msgspec.Struct, frozen=True):
    """A part of the record, in order; `Link` leads on when there is more."""

    game: UUID
    head: Annotated[
        Head,
        Meta(description="Number and hash of the game's latest record event."),
    ]
    events: Sequence[RecordedReply]
    over: Annotated[
        bool,
        Meta(description="Whether the game is over: nothing comes after `head`."),
    ]


class _EventsPage(msgspec.Struct, frozen=True):
    """A game as it was read, and then its record up to there."""

    game: GameRow
    events: tuple[Recorded, ...]

    @property
    def is_over(self) -> bool:
        """Whether no event will ever come."""
        return self.game.status == GameStatus.OVER


@blueprint.place("/games/<uuid:game_id>/events")
class Events(Resource):
    """The record of a game."""

    @blueprint.access(Who.READER, access.READ)
    @blueprint.limited(VIEWS)
    @blueprint.fails(BeyondTheRecord, TooManyStreams, TooManyWaiting)
    @blueprint.arguments(KnownSchema, location="headers")
    @blueprint.arguments(AfterSchema, location="query")
    @blueprint.response(200, EventsReply)
    def get(self, known: Known, part: After, game_id: UUID) -> Response:
        """Read the record on from an event: the same bytes for everybody, for ever.

        With `wait` the answer comes with the next event behind `after`, or without one
        when the time is up, and at once when the game is over; with `If-None-Match` as
        well, at the first change of the answer that you have. Somebody else's ballot is
        no event and ends no waiting.
        """
        change = ChangedAnswer(known)
        proof = bearer.bearer(request, access.READ)

        def has_come(found: _EventsPage) -> bool:
            mark = etags.record(found.game, part.after, part.limit)
            return change.has_come(mark, bool(found.events) or found.is_over)

        found = long_poll.until(
            enough=has_come,
            read=lambda news: _read(waiting.game(game_id, proof, news), part),
            watching=live.current().subscriptions.watch_game(
                game_id, None if proof is None else proof.token_hash
            ),
            client=lambda: waiting.client(proof),
            seconds=part.wait,
        )
        return _answer(found, part.after, part.limit)


def _read(seen: GameSeen, part: After) -> _EventsPage:
    """A game, and its record behind `after`. Raises BeyondTheRecord."""
    game = seen.row
    if part.after > game.record:
        raise BeyondTheRecord(record=game.record, head=head_of(game.record, game.head))
    return _EventsPage(game, record.behind(seen, part.after, part.limit + 1))


def _answer(found: _EventsPage, after: int, limit: int) -> Response:
    game = found.game
    # One that only a newer process can read is refused here as everywhere.
    game.game()
    body = EventsReply(
        game=game.id,
        head=head_of(game.record, game.head),
        events=[record.rendered(each) for each in found.events[:limit]],
        over=found.is_over,
    )
    answer = Response(replies.encode(body), mimetype="application/json")
    answer.set_etag(etags.record(game, after, limit))
    if len(found.events) > limit:
        url = games.path(game.id, f"events?after={after + limit}&limit={limit}")
        answer.headers["Link"] = f'<{url}>; rel="next"'
    return answer
