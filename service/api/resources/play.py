"""Playing: what one sees, and the one way to act."""

from typing import Annotated
from uuid import UUID

import msgspec
from flask import Response, request
from msgspec import Meta

from engine.board import Card
from engine.commands import Source
from engine.errors import (
    AlreadyAnswered,
    CannotMove,
    CannotTakeBack,
    CardNotHeld,
    DecisionClosed,
    GameNotRunning,
    NoRoom,
    NoSuchDecision,
    NotAsked,
    NotPlaceable,
    Refusal,
    SeatKept,
    TakenBackAlready,
    UnknownCharacter,
    WrongKind,
)
from service.api.http import access, preconditions, problems, replies
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.replies import conditional, game_view
from service.api.replies.view_reply import ViewReply
from service.api.schemas.answer import AnswerSchema, SentAnswer
from service.api.schemas.view import MOST, AtSchema, WantedView
from service.game import acts_taken_back, handlers
from service.game.unit_of_work import AnswerReceipt
from service.rate_limits.limits import VIEWS
from service.store import answers
from service.values.conflicts import BeyondTheRecord
from service.values.errors import Forbidden, NotFound

blueprint = Blueprint("play", "A game in play.")

_JSON = "application/json"


class OwnReceiptReply(AnswerReceipt, frozen=True):
    """An answer of your seat with its receipt, read back."""

    source: Annotated[Source, Meta(description="Who or what gave it.")]
    reopened: Annotated[
        int | None,
        Meta(
            description="The decision that you were asked instead, if you took it back."
        ),
    ]
    wished: Annotated[
        Card | None,
        Meta(
            description="The card that your standing answer named, where you held none"
            " and a Yes was laid; null else, and until the reveal."
        ),
    ]


class TakenBackReply(msgspec.Struct, frozen=True):
    """That your seat has taken its answer back."""

    decision: int
    reopened: Annotated[
        int, Meta(description="The decision that you are asked instead.")
    ]


@blueprint.place("/games/<uuid:game_id>/view")
class GameView(Resource):
    """A game as a viewer sees it."""

    @blueprint.named("getView")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.limited(VIEWS)
    @blueprint.arguments(AtSchema, location="query")
    @blueprint.response(200, ViewReply)
    def get(self, wanted: WantedView, game_id: UUID) -> Response:
        """Show a game as you may see it, and what you may answer.

        Without a token, as a spectator. With `at`, as everybody may know it was.
        """
        row = access.game_row(game_id)
        if wanted.at is None:
            return conditional.now(row)
        return conditional.past(row, wanted.at)


@blueprint.place(f"/games/<uuid:game_id>/decisions/<int(max={MOST}):decision>/answer")
class DecisionAnswer(Resource):
    """Your answer to a decision."""

    @blueprint.named("getAnswer")
    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.fails(NotFound)
    @blueprint.response(200, OwnReceiptReply)
    def get(self, game_id: UUID, decision: int) -> OwnReceiptReply:
        """Read back what your seat has answered, with its receipt.

        404 alike for a decision that you haven't answered, or that isn't yours to.
        """
        owner = access.person(access.READ)
        if owner.game_id not in (None, game_id):
            raise Forbidden(reason="other-game")
        given = answers.own(game_id, decision, owner.person_id)
        if given is None:
            raise NotFound(what="answer")
        receipt = msgspec.json.decode(given.receipt)
        known = {
            "source": given.source,
            "reopened": given.reopened,
            "wished": given.wished,
        }
        return replies.of(OwnReceiptReply, {**receipt, **known})

    @blueprint.named("putAnswer")
    # The number of the decision is its precondition.
    @blueprint.unconditional()
    @blueprint.access(Who.SEAT, access.PLAY)
    # Whoever is asked gets to answer, however much they have asked for before.
    @blueprint.limited()
    @blueprint.fails(
        AlreadyAnswered,
        BeyondTheRecord,
        CannotMove,
        CardNotHeld,
        DecisionClosed,
        GameNotRunning,
        NoRoom,
        NoSuchDecision,
        NotAsked,
        NotPlaceable,
        SeatKept,
        TakenBackAlready,
        UnknownCharacter,
        WrongKind,
    )
    @blueprint.arguments(AnswerSchema)
    @blueprint.response(200, AnswerReceipt)
    def put(self, given: SentAnswer, game_id: UUID, decision: int) -> Response:
        """Answer a decision: the one way to act.

        The same answer again gets the same receipt, for ever, but where you took it
        back (`taken-back`, with the new decision's number). Another one is refused
        (`already-answered`), and so is one to a decision that is over
        (`decision-closed`), is put to somebody else (`not-asked`) or allows no such
        answer. A refusal changes nothing and tells your legal answers.

        With a `line`, or a stock `phrase`, you say something to the table along with
        it; what comes with a repeated answer isn't said.
        """
        proof = access.token(access.PLAY)
        receipt = handlers.answer(game_id, proof, decision, given.answer, given.line)
        return Response(receipt, mimetype=_JSON, headers={"Cache-Control": "no-store"})


@blueprint.place(
    f"/games/<uuid:game_id>/decisions/<int(max={MOST}):decision>/taken-back"
)
class DecisionTakenBack(Resource):
    """That your answer to a decision was taken back."""

    @blueprint.named("takeBack")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(
        BeyondTheRecord, CannotTakeBack, GameNotRunning, NoSuchDecision, SeatKept
    )
    @blueprint.response(200, TakenBackReply)
    def put(self, game_id: UUID, decision: int) -> TakenBackReply:
        """Take your latest placement or move back, until anybody acts.

        The others see it, and you are asked anew under another number, until when you
        had time before, at least for an hour. Once a turn, and only where the host
        chose so (`take_back`). Who was put up for king stays so, and a card that is
        laid stays laid. Again it gets the same answer, for ever. Your view names the
        decision that you may take back now (`own.take_back`).
        """
        proof = access.token(access.PLAY)
        found = access.read_model(game_id, access.PLAY)
        if found.seat is None and found.beside is None:
            raise Forbidden(reason="no-seat")
        preconditions.check_unmarked()
        reopened = acts_taken_back.take_back(game_id, proof, decision)
        return TakenBackReply(decision, reopened)


@blueprint.errorhandler(Refusal)
def refused(error: Refusal) -> Response:
    """Why an answer is not allowed, and which ones are, told to its seat alone."""
    game_id = UUID(str((request.view_args or {})["game_id"]))
    seen = game_view.now(access.read_model(game_id, access.PLAY))
    return problems.document(error, legal=seen.legal)
