"""Turns: everything that one's games ask of one, with all it takes to answer."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from flask import Response
from flask.views import MethodView

from engine.state import Decision, Kind
from service import streaming
from service.api import access, games, shown, viewjson, waiting
from service.api.blueprint import Blueprint
from service.api.contract.declared import Who
from service.errors import TooManyStreams, TooManyWaiting
from service.limits import TURNS
from service.schemas.base import moment
from service.schemas.turn import TurnsSchema, Wait, WaitSchema
from service.store import games as gamestore
from service.store.games import Seen
from service.streaming import patience

blueprint = Blueprint("turns", "Your turns.")


class Turn(msgspec.Struct, frozen=True):
    """An open decision that somebody owes an answer; the view is JSON as it is."""

    game: UUID
    decision: int
    kind: Kind
    deadline: str | None
    answer_url: str
    view: msgspec.Raw


class _Turns(msgspec.Struct, frozen=True):
    turns: Sequence[Turn]


@blueprint.route("/me/turns")
class Turns(MethodView):
    """All your open decisions."""

    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.limited(TURNS)
    @blueprint.fails(TooManyStreams, TooManyWaiting)
    @blueprint.arguments(WaitSchema, location="query")
    @blueprint.response(200, TurnsSchema)
    def get(self, asked: Wait) -> Response:
        """List what your games ask of you now, the most urgent first.

        With `wait` the answer comes when there is a turn, or without one when the time
        is up. A token for one game lists that game alone.
        """
        token, owner = access.token(access.READ), access.person(access.READ)
        turns = patience.until(
            enough=bool,
            look=_turns,
            watching=streaming.current().hub.watch_person(owner.person_id),
            client=lambda: waiting.client(token),
            seconds=asked.wait,
        )
        body = msgspec.json.encode(_Turns(turns))
        return Response(body, mimetype="application/json")


def _turns() -> Sequence[Turn]:
    found = gamestore.running(access.token(access.READ))
    if not found:
        # Nothing is to be seen with a token that was revoked meanwhile, either.
        access.person(access.READ)
    return [
        _turn(seen, seen.game.decision)
        for seen in found
        if seen.game.decision is not None and seen.seat in seen.game.asked()
    ]


def _turn(seen: Seen, decision: Decision) -> Turn:
    return Turn(
        game=seen.id,
        decision=decision.number,
        kind=decision.kind,
        deadline=None if seen.deadline is None else moment(seen.deadline),
        answer_url=games.path(seen.id, "decisions", str(decision.number), "answer"),
        view=msgspec.Raw(viewjson.view(shown.now(seen))),
    )
