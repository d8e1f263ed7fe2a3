"""Games without a clock: waiting no longer for whoever is silent."""

from uuid import UUID

from flask import Response

from engine.errors import GameNotRunning
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.view import MOST
from service.game import patience
from service.values.conflicts import BeyondTheRecord, HasClock, NotSilent
from service.values.errors import Forbidden

blueprint = Blueprint("waits", "Games without a clock.")


@blueprint.place(
    f"/games/<uuid:game_id>/decisions/<int(max={MOST}):decision>/waited-out"
)
class WaitedOut(Resource):
    """That a decision has waited long enough."""

    @blueprint.named("endWait")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(BeyondTheRecord, GameNotRunning, HasClock, NotSilent)
    @blueprint.response(204)
    def put(self, game_id: UUID, decision: int) -> Response:
        """Wait no longer for whoever is silent, in a game without a clock.

        Whoever plays a seat may, once a decision has been open for 14 days. A bot keeps
        the seat that is asked for a placement or a move. In an election the clock lays
        Yes for all who have laid no card: nobody is told who that was. Again, and for a
        decision that is over, it changes nothing.
        """
        proof = access.token(access.PLAY)
        if access.read_model(game_id, access.PLAY).seat is None:
            raise Forbidden(reason="no-seat")
        preconditions.check_unmarked()
        patience.end_wait(game_id, proof, decision)
        return Response(status=204)
