"""The record of a game, in order, and on as it grows."""

from uuid import UUID

import msgspec
from flask import Response, request
from flask.views import MethodView

from service import live
from service.api.http import access, etags
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.resources import games, waiting
from service.api.schemas.event import After, AfterSchema, EventsSchema
from service.api.schemas.waiting import Known, KnownSchema
from service.auth import bearer
from service.live import long_poll
from service.rate_limits.limits import VIEWS
from service.store import event_log
from service.store.event_log import Recorded
from service.store.games import GameRow, head_of
from service.values.enums import GameStatus
from service.values.errors import BeyondTheRecord, TooManyStreams, TooManyWaiting

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
    over: bool


class _EventsPage(msgspec.Struct, frozen=True):
    """A game as it was read, and then its record up to there."""

    game: GameRow
    events: tuple[Recorded, ...]

    @property
    def is_over(self) -> bool:
        """Whether no event will ever come."""
        return self.game.status == GameStatus.OVER


@blueprint.route("/games/<uuid:game_id>/events")
class Events(MethodView):
    """The record of a game."""

    @blueprint.access(Who.READER, access.READ)
    @blueprint.limited(VIEWS)
    @blueprint.fails(BeyondTheRecord, TooManyStreams, TooManyWaiting)
    @blueprint.arguments(KnownSchema, location="headers")
    @blueprint.arguments(AfterSchema, location="query")
    @blueprint.response(200, EventsSchema)
    def get(self, known: Known, part: After, game_id: UUID) -> Response:
        """Read the record on from an event: the same bytes for everybody, for ever.

        With `wait` the answer comes with the next event behind `after`, or without one
        when the time is up, and at once when the game is over; with `If-None-Match` as
        well, at the first change of the answer that you have. Somebody else's ballot is
        no event and ends no waiting.
        """
        change = waiting.ChangedAnswer(known)

        def has_come(found: _EventsPage) -> bool:
            mark = etags.record(found.game, part.after, part.limit)
            return change.has_come(mark, bool(found.events) or found.is_over)

        found = long_poll.until(
            enough=has_come,
            look=lambda: _look(game_id, part),
            watching=live.current().hub.watch_game(game_id),
            client=lambda: waiting.client(bearer.bearer(request, access.READ)),
            seconds=part.wait,
        )
        return _answer(found, part.after, part.limit)


def _look(game_id: UUID, part: After) -> _EventsPage:
    """A game, and its record behind `after`. Raises BeyondTheRecord."""
    game = access.game_row(game_id)
    if part.after > game.record:
        raise BeyondTheRecord(record=game.record, head=head_of(game.record, game.head))
    if part.after == game.record:
        return _EventsPage(game, ())
    found = event_log.record_after(game_id, part.after, part.limit + 1)
    # What has come since the game was read is for the next time.
    return _EventsPage(
        game, tuple(each for each in found if each.record <= game.record)
    )


def _answer(found: _EventsPage, after: int, limit: int) -> Response:
    game = found.game
    # One that only a newer process can read is refused here as everywhere.
    game.game()
    body = _Part(
        game=game.id,
        head=head_of(game.record, game.head),
        events=tuple(told(each) for each in found.events[:limit]),
        over=found.is_over,
    )
    answer = Response(msgspec.json.encode(body), mimetype="application/json")
    answer.set_etag(etags.record(game, after, limit))
    if len(found.events) > limit:
        url = games.path(game.id, f"events?after={after + limit}&limit={limit}")
        answer.headers["Link"] = f'<{url}>; rel="next"'
    return answer


def told(each: Recorded) -> Event:
    """A record event as it is told."""
    return Event(each.record, each.link.hex(), msgspec.Raw(each.public))
