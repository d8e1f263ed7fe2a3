"""The record of a game, in order, and on as it grows."""

from uuid import UUID

import msgspec
from flask import Response, request
from flask.views import MethodView

from service import streaming
from service.api import access, games, waiting
from service.api.blueprint import Blueprint
from service.api.contract.declared import Who
from service.errors import BeyondTheRecord, TooManyStreams, TooManyWaiting
from service.kinds import GameStatus
from service.limits import VIEWS
from service.people import auth
from service.schemas.event import After, AfterSchema, EventsSchema
from service.store import log
from service.store.games import Seen
from service.store.log import Recorded
from service.streaming import patience

blueprint = Blueprint("events", "The record of a game.")


class Event(msgspec.Struct, frozen=True):
    """A record event with its stored bytes as they are: they are JSON, and chained."""

    record: int
    head: str
    event: msgspec.Raw


class _Part(msgspec.Struct, frozen=True):
    game: UUID
    head: str
    events: tuple[Event, ...]


class _Found(msgspec.Struct, frozen=True):
    """A game as it was read, and then its record up to there."""

    seen: Seen
    events: tuple[Recorded, ...]


def _is_enough(found: _Found) -> bool:
    """Whether there is something to tell, or will never be."""
    return bool(found.events) or found.seen.status == GameStatus.OVER


@blueprint.route("/games/<uuid:game_id>/events")
class Events(MethodView):
    """The record of a game."""

    @blueprint.access(Who.READER, access.READ)
    @blueprint.limited(VIEWS)
    @blueprint.fails(BeyondTheRecord, TooManyStreams, TooManyWaiting)
    @blueprint.arguments(AfterSchema, location="query")
    @blueprint.response(200, EventsSchema)
    def get(self, part: After, game_id: UUID) -> Response:
        """Read the record on from an event: the same bytes for everybody, for ever.

        With `wait` the answer comes with the next event, or without one when the time
        is up. Somebody else's ballot is no event and ends no waiting.
        """
        after, limit = part.after, part.limit

        def look() -> _Found:
            seen = access.seen(game_id)
            if after > seen.record:
                raise BeyondTheRecord(record=seen.record, head=head_of(seen))
            found = log.record_after(game_id, after, limit + 1)
            # What has come since the game was read is for the next time.
            known = tuple(each for each in found if each.record <= seen.record)
            return _Found(seen, known)

        found = patience.until(
            enough=_is_enough,
            look=look,
            watching=streaming.current().hub.watch_game(game_id),
            client=lambda: waiting.client(auth.bearer(request, access.READ)),
            seconds=part.wait,
        )
        return _answer(found, after, limit)


def _answer(found: _Found, after: int, limit: int) -> Response:
    seen = found.seen
    body = _Part(
        game=seen.id,
        head=head_of(seen),
        events=tuple(told(each) for each in found.events[:limit]),
    )
    answer = Response(msgspec.json.encode(body), mimetype="application/json")
    if len(found.events) > limit:
        url = games.path(seen.id, f"events?after={after + limit}&limit={limit}")
        answer.headers["Link"] = f'<{url}>; rel="next"'
    return answer


def head_of(seen: Seen) -> str:
    """Number and hash of the latest record event."""
    return f"{seen.record}:{seen.head.hex()}"


def told(each: Recorded) -> Event:
    """A record event as it is told."""
    return Event(each.record, each.link.hex(), msgspec.Raw(each.public))
