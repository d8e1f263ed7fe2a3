"""The record of a game, in order, and on as it grows."""

from collections.abc import Sequence
from uuid import UUID

from flask import Response, request

from service.api.feeds import record, waiting
from service.api.feeds.record import EventsReply, RecordPage
from service.api.feeds.waiting import ChangedAnswer
from service.api.http import access
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.resources import games
from service.api.schemas.event import After, AfterSchema
from service.api.schemas.waiting import Known, KnownSchema
from service.auth import bearer
from service.live import long_poll
from service.live.subscriptions import News
from service.rate_limits.limits import VIEWS
from service.values.conflicts import BeyondTheRecord
from service.values.errors import TooManyStreams, TooManyWaiting

blueprint = Blueprint("events", "The record of a game.")


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

        def read(news: Sequence[News]) -> RecordPage:
            seen = waiting.game(game_id, proof, news)
            return record.page(seen, part.after, part.limit)

        found = long_poll.until(
            enough=lambda page: change.has_come(
                page.mark, bool(page.events) or page.is_over
            ),
            read=read,
            watching=waiting.watching(game_id, proof),
            client=lambda: waiting.client(proof),
            seconds=part.wait,
        )
        answer = Response(found.body(), mimetype="application/json")
        answer.set_etag(found.mark)
        if found.more:
            query = f"after={part.after + part.limit}&limit={part.limit}"
            url = games.path(game_id, f"events?{query}")
            answer.headers["Link"] = f'<{url}>; rel="next"'
        return answer
