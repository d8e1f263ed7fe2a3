"""Playing: what one sees, the one way to act, and the record."""

from uuid import UUID

import msgspec
from flask import Response, request
from flask.views import MethodView

from engine.commands import Answer
from engine.errors import Refusal
from service import handlers
from service.api import access, games, problems, shown
from service.api.blueprint import Blueprint
from service.api.shown import Offer, Shown
from service.schemas.answer import AnswerSchema, ReceiptSchema
from service.schemas.event import AfterSchema, EventsSchema
from service.schemas.view import MOST, AtSchema, ViewSchema
from service.store import log
from service.store.log import Recorded

blueprint = Blueprint("play", "A game in play.")

_JSON = "application/json"


@blueprint.route("/games/<uuid:game_id>/view")
class GameView(MethodView):
    """A game as a viewer sees it."""

    @blueprint.doc(security=games.OPEN)
    @blueprint.arguments(AtSchema, location="query")
    @blueprint.response(200, ViewSchema)
    def get(self, moment: dict[str, int], game_id: UUID) -> Shown:
        """Show a game as you may see it, and what you may answer.

        Without a token, as a spectator. With `at`, as everybody may know it was.
        """
        seen = access.seen(game_id)
        at = moment.get("at")
        return shown.now(seen) if at is None else shown.past(seen, at)


@blueprint.route(f"/games/<uuid:game_id>/decisions/<int(max={MOST}):decision>/answer")
class DecisionAnswer(MethodView):
    """Your answer to a decision."""

    @blueprint.arguments(AnswerSchema)
    @blueprint.response(200, ReceiptSchema)
    def put(self, given: Answer, game_id: UUID, decision: int) -> Response:
        """Answer a decision: the one way to act.

        The same answer again gets the same receipt, for ever. Another one is refused
        (`already-answered`), and so is one to a decision that is over
        (`decision-closed`), is put to somebody else (`not-asked`) or allows no such
        answer. A refusal changes nothing and tells your legal answers.
        """
        proof = access.token(access.PLAY)
        try:
            receipt = handlers.answer(game_id, proof, decision, given)
        except handlers.NotAtTable as error:
            raise access.stranger(game_id, proof) from error
        return Response(receipt, mimetype=_JSON, headers={"Cache-Control": "no-store"})


@blueprint.errorhandler(Refusal)
def refused(error: Refusal) -> Response:
    """Why an answer is not allowed, and which ones are, told to its seat alone."""
    game_id = UUID(str((request.view_args or {})["game_id"]))
    seen = shown.now(access.seen(game_id, access.PLAY))
    return problems.document(error, legal=[_plain(offer) for offer in seen.legal])


def _plain(offer: Offer) -> object:
    return msgspec.to_builtins(offer)


class _Event(msgspec.Struct, frozen=True):
    record: int
    head: str
    event: msgspec.Raw


class _Part(msgspec.Struct, frozen=True):
    game: UUID
    head: str
    events: tuple[_Event, ...]


@blueprint.route("/games/<uuid:game_id>/events")
class Events(MethodView):
    """The record of a game."""

    @blueprint.doc(security=games.OPEN)
    @blueprint.arguments(AfterSchema, location="query")
    @blueprint.response(200, EventsSchema)
    def get(self, part: dict[str, int], game_id: UUID) -> Response:
        """Read the record on from an event: the same bytes for everybody, for ever."""
        seen = access.seen(game_id)
        after, limit = part["after"], part["limit"]
        found = log.record_after(game_id, after, limit + 1)
        body = _Part(
            game=game_id,
            head=f"{seen.record}:{seen.head.hex()}",
            events=tuple(_event(each) for each in found[:limit]),
        )
        answer = Response(msgspec.json.encode(body), mimetype=_JSON)
        if len(found) > limit:
            url = games.path(game_id, f"events?after={after + limit}&limit={limit}")
            answer.headers["Link"] = f'<{url}>; rel="next"'
        return answer


def _event(each: Recorded) -> _Event:
    """An event with its stored bytes as they are: they are JSON, and chained."""
    return _Event(each.record, each.link.hex(), msgspec.Raw(each.public))
