"""Turns: everything that one's games ask of one, with all it takes to answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, TypeAlias
from uuid import UUID

import msgspec
from flask import Response
from flask.views import MethodView

from engine.errors import UnreadableLog
from engine.state import Decision, Kind
from service import live
from service.api.http import access, cursors, etags
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.replies import conditional
from service.api.resources import games, waiting
from service.api.schemas.base import moment
from service.api.schemas.turn import TurnFilter, TurnsSchema, WantedTurnsSchema
from service.api.schemas.waiting import Known, KnownSchema
from service.live import long_poll
from service.present import languages
from service.rate_limits.limits import TURNS
from service.store import turns as turnstore
from service.store.games import GameRow
from service.store.lists import Cursor
from service.store.turns import Brief
from service.values import public_urls
from service.values.errors import TooManyStreams, TooManyWaiting

blueprint = Blueprint("turns", "Your turns.")

_PATH: Final = "/me/turns"
_NEVER: Final = datetime.max.replace(tzinfo=UTC)

_Held: TypeAlias = GameRow | Brief


class Turn(msgspec.Struct, frozen=True):
    """An open decision that somebody owes an answer; the view is JSON as it is."""

    game: UUID
    decision: int
    kind: Kind
    deadline: str | None
    answer_url: str
    view: msgspec.Raw | None = None


class _Turns(msgspec.Struct, frozen=True):
    turns: Sequence[Turn]
    running: int


class _Asked(msgspec.Struct, frozen=True):
    """A game that waits for the reader, as it was read, and its decision."""

    held: _Held
    turn: Turn

    @property
    def cursor(self) -> Cursor:
        """Where in the list it stands: by its deadline, those without one last."""
        return Cursor(self.held.deadline or _NEVER, self.held.id)


class _TurnsPage(msgspec.Struct, frozen=True):
    """A look: how many games run, the part that is wanted, and where the next begins.

    `views` are the games of that part by the marks of their views, where these are
    wanted. `mark` is that of all turns, of the running games, and of these views.
    """

    running: int
    is_asked: bool
    part: Sequence[_Asked]
    views: Mapping[str, GameRow]
    more: Cursor | None
    mark: str


@blueprint.route(_PATH)
class Turns(MethodView):
    """All your open decisions."""

    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.limited(TURNS)
    @blueprint.fails(TooManyStreams, TooManyWaiting)
    @blueprint.arguments(KnownSchema, location="headers")
    @blueprint.arguments(WantedTurnsSchema, location="query")
    @blueprint.response(200, TurnsSchema)
    def get(self, known: Known, wanted: TurnFilter) -> Response:
        """List what your games ask of you now, the most urgent first.

        With `wait` and `If-None-Match` the answer comes at the first change of the list
        that you have: a turn that is new or gone, a game of yours that has begun or is
        over; when the time is up it is 304. With `wait` alone it comes at once if there
        is a turn, and else at the first change. Nobody else's ballot changes anything.

        A token for one game lists that game alone.
        """
        token, owner = access.token(access.READ), access.person(access.READ)
        after = cursors.read(wanted.cursor)
        change = waiting.ChangedAnswer(known)
        found = long_poll.until(
            enough=lambda found: change.has_come(found.mark, found.is_asked),
            look=lambda: _look(wanted, after),
            watching=live.current().hub.watch_person(owner.person_id),
            client=lambda: waiting.client(token),
            seconds=wanted.wait,
        )
        return _answer(found, wanted)


def _look(wanted: TurnFilter, after: Cursor | None) -> _TurnsPage:
    reader = access.token(access.READ)
    # Without views neither seats, names nor terms are read for the mark; the answer
    # itself is made a single time, at the end.
    held: Sequence[_Held] = (
        turnstore.whole(reader) if wanted.view else turnstore.brief(reader)
    )
    if not held:
        # Nothing is to be seen with a token that was revoked meanwhile, either.
        access.person(access.READ)
    asked = sorted(_asked(held), key=_place)
    rest = [each for each in asked if after is None or _place(each) > _key(after)]
    part = rest[: wanted.limit]
    views = _views(part)
    running = sorted(each.id for each in held)
    return _TurnsPage(
        running=len(running),
        is_asked=bool(asked),
        part=part,
        views=views,
        more=part[-1].cursor if len(rest) > len(part) else None,
        mark=etags.turns(running, [each.turn for each in asked], list(views)),
    )


def _asked(held: Iterable[_Held]) -> Iterator[_Asked]:
    """The games whose open decision waits for the reader.

    One whose log this process can't read is left out: a newer one serves it.
    """
    for each in held:
        with suppress(UnreadableLog):
            game = each.game()
            if game.decision is not None and each.seat in game.asked():
                yield _Asked(each, _turn(each, game.decision))


def _turn(held: _Held, decision: Decision) -> Turn:
    return Turn(
        game=held.id,
        decision=decision.number,
        kind=decision.kind,
        deadline=None if held.deadline is None else moment(held.deadline),
        answer_url=games.path(held.id, "decisions", str(decision.number), "answer"),
    )


def _place(asked: _Asked) -> tuple[datetime, UUID]:
    return _key(asked.cursor)


def _key(cursor: Cursor) -> tuple[datetime, UUID]:
    return cursor.created_at, cursor.id


def _views(part: Iterable[_Asked]) -> dict[str, GameRow]:
    """The games of a part by the marks of their views; none where none were read."""
    language = languages.language()
    return {
        etags.now(each.held, language): each.held
        for each in part
        if isinstance(each.held, GameRow)
    }


def _answer(found: _TurnsPage, wanted: TurnFilter) -> Response:
    turns = [each.turn for each in found.part]
    if wanted.view:
        texts = (conditional.text(mark, game) for mark, game in found.views.items())
        turns = [
            msgspec.structs.replace(turn, view=msgspec.Raw(text))
            for turn, text in zip(turns, texts, strict=True)
        ]
    body = msgspec.json.encode(_Turns(turns, found.running))
    answer = Response(body, mimetype="application/json")
    answer.set_etag(found.mark)
    if found.more is not None:
        filters = {"view": "true"} if wanted.view else {}
        path = f"{public_urls.API}{_PATH}"
        answer.headers.update(
            cursors.leads_on(path, wanted.limit, found.more, **filters)
        )
    return answer
