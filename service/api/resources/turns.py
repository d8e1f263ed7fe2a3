"""Turns: everything that one's games ask of one, with all it takes to answer."""

from typing import Final

from flask import Response

from service.api.feeds import turns, waiting
from service.api.feeds.turns import TurnsPage, TurnsReader, TurnsReply
from service.api.feeds.waiting import ChangedAnswer
from service.api.http import access, cursors
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.turn import TurnFilter, WantedTurnsSchema
from service.api.schemas.waiting import Known, KnownSchema
from service.live import long_poll
from service.rate_limits.limits import TURNS
from service.values import public_urls
from service.values.errors import TooManyStreams, TooManyWaiting

blueprint = Blueprint("turns", "Your turns.")

_PATH: Final = "/me/turns"


@blueprint.place(_PATH)
class Turns(Resource):
    """All your open decisions."""

    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.limited(TURNS)
    @blueprint.fails(TooManyStreams, TooManyWaiting)
    @blueprint.arguments(KnownSchema, location="headers")
    @blueprint.arguments(WantedTurnsSchema, location="query")
    @blueprint.response(200, TurnsReply)
    def get(self, known: Known, wanted: TurnFilter) -> Response:
        """List what your games ask of you now, the most urgent first.

        With `wait` and `If-None-Match` the answer comes at the first change of the list
        that you have: a turn that is new or gone, a game of yours that has begun or is
        over; when the time is up it is 304. With `wait` alone it comes at once if there
        is a turn, and else at the first change. Nobody else's ballot changes anything.

        A token for one game lists that game alone.
        """
        proof, owner = access.token(access.READ), access.person(access.READ)
        after = cursors.read(wanted.cursor)
        change, reader = ChangedAnswer(known), TurnsReader(proof, views=wanted.view)
        found = long_poll.until(
            enough=lambda found: change.has_come(found.mark, found.is_asked),
            read=lambda news: reader.read(news, after, wanted.limit),
            watching=turns.watching(owner, proof),
            client=lambda: waiting.client_of(owner),
            seconds=wanted.wait,
        )
        return _answer(found, wanted)


def _answer(found: TurnsPage, wanted: TurnFilter) -> Response:
    answer = Response(found.body(), mimetype="application/json")
    answer.set_etag(found.mark)
    if found.more is not None:
        filters = {"view": "true"} if wanted.view else {}
        path = f"{public_urls.API}{_PATH}"
        answer.headers.update(
            cursors.leads_on(path, wanted.limit, found.more, **filters)
        )
    return answer
