"""Standing answers: what a seat has answered ahead, for its own eyes."""

from uuid import UUID

from flask import Response

from engine.errors import GameNotRunning, SeatKept
from service.api.http import access, preconditions, replies, validation
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.standing_answer import StandingAnswersUpdateSchema
from service.game import answering_ahead
from service.store import standing_answers
from service.values.principals import Bearer
from service.values.wishes import Wishes

blueprint = Blueprint("standing-answers", "Answering ahead, for one's own eyes.")


class StandingAnswersReply(Wishes, frozen=True):
    """What is answered for your seat in this round, should it be asked."""


def _reply(wishes: Wishes) -> StandingAnswersReply:
    return replies.of(StandingAnswersReply, wishes)


def _proof() -> Bearer:
    """The token of whoever lays something ahead. Raises PreconditionFailed."""
    proof = access.token(access.PLAY)
    preconditions.check_unmarked(shown=True)
    return proof


@blueprint.place("/games/<uuid:game_id>/standing-answers")
class StandingAnswers(Resource):
    """What a seat has answered ahead."""

    @blueprint.named("getStandingAnswers")
    @blueprint.access(Who.SEAT, access.READ)
    @blueprint.fails(SeatKept)
    @blueprint.response(200, StandingAnswersReply)
    def get(self, game_id: UUID) -> StandingAnswersReply:
        """Read your standing answers, which nobody else can.

        They are as secret as your hand, and gone when the round ends.
        """
        found, seat = access.own_seat(game_id, access.READ, tells_kept=True)
        return _reply(standing_answers.read(game_id, seat, found.game().round))

    @blueprint.named("putStandingAnswers")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning, SeatKept)
    @blueprint.arguments(StandingAnswersUpdateSchema)
    @blueprint.response(200, StandingAnswersReply)
    def put(self, wishes: Wishes, game_id: UUID) -> StandingAnswersReply:
        """Lay standing answers, in place of those that lay there.

        When your seat is asked they are read two minutes later, as they are by then,
        and the first that is possible is your answer; if none is, you are asked as
        ever. What is first laid while a question is open counts from the next one. A
        card that you don't hold becomes a Yes; after the reveal `GET` of your answer
        tells you. They end with the round, and when a bot takes your seat.
        """
        found, _seat = access.own_seat(game_id, access.PLAY, tells_kept=True)
        game = found.game()
        if not game.running:
            raise GameNotRunning(game.phase)
        validation.check(answering_ahead.flaws(game.law, wishes))
        answering_ahead.lay(game_id, _proof(), wishes)
        return _reply(wishes)

    @blueprint.named("deleteStandingAnswers")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning, SeatKept)
    @blueprint.response(204)
    def delete(self, game_id: UUID) -> Response:
        """Drop your standing answers: you are asked yourself again. Also twice."""
        access.own_seat(game_id, access.PLAY, tells_kept=True)
        answering_ahead.drop(game_id, _proof())
        return Response(status=204)
