"""The clock of a practice game, which its owner sets forward."""

from uuid import UUID

from flask import Response

from engine.errors import GamePaused
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.clock import LettingPass, LettingPassSchema
from service.tables import practice
from service.values.conflicts import BeyondTheRecord, NoDeadline, NotPractice
from service.values.errors import Forbidden

blueprint = Blueprint("clock", "Time that passes as fast as a client is tested.")


@blueprint.place("/games/<uuid:game_id>/clock")
class Clock(Resource):
    """The clock of a practice game."""

    @blueprint.named("letTimePass")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(BeyondTheRecord, GamePaused, NoDeadline, NotPractice)
    @blueprint.arguments(LettingPassSchema)
    @blueprint.response(204)
    def post(self, wanted: LettingPass, game_id: UUID) -> Response:
        """Let the time of a decision pass, in a practice game with a pace of your own.

        To its `reminder`: who has laid a card is told from then on, as at half time. To
        its `deadline`: the clock answers for whoever hasn't. Twice does the same as
        once, and for a decision that is over nothing is left to do.
        """
        proof = access.token(access.PLAY)
        if access.read_model(game_id, access.PLAY).seat is None:
            raise Forbidden(reason="no-seat")
        preconditions.check_unmarked()
        practice.let_pass(game_id, proof, wanted.decision, wanted.to)
        return Response(status=204)
