"""Leaving a running game, and coming back."""

from uuid import UUID

from engine.errors import CardsNotOpen, GameNotRunning
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.replies.view_reply import SeatReply, seat_reply
from service.api.schemas.terms import MOST_SEATS
from service.game import table_acts
from service.values.errors import Forbidden, NotFound
from service.values.principals import Bearer

blueprint = Blueprint("departure", "Leaving a running game, and coming back.")


def _seat(game_id: UUID, seat: int) -> SeatReply:
    return seat_reply(access.read_model(game_id, access.PLAY).seats[seat])


def _proof(game_id: UUID, seat: int) -> Bearer:
    """The token of this request, if the seat is its owner's.

    Raises NotFound, Forbidden, or PreconditionFailed: a departure has no mark.
    """
    proof = access.token(access.PLAY)
    found = access.read_model(game_id, access.PLAY)
    if seat >= len(found.seats):
        raise NotFound(what="seat")
    if found.seat is None and found.beside is None:
        raise Forbidden(reason="no-seat")
    if seat not in (found.seat, found.beside):
        raise Forbidden(reason="not-your-seat")
    preconditions.check_unmarked()
    return proof


@blueprint.place(
    f"/games/<uuid:game_id>/seats/<seat(max={MOST_SEATS - 1}):seat>/departure"
)
class Departure(Resource):
    """That a bot keeps a seat."""

    @blueprint.named("leaveGame")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning)
    @blueprint.response(200, SeatReply)
    def put(self, game_id: UUID, seat: int) -> SeatReply:
        """Leave your seat while the game runs: a bot keeps it.

        At any moment, and the others see it. A card laid stays. Until the end of the
        round the bot places and moves without seeing your favourites, and votes Yes;
        from the next deal on it plays its own game. When nobody is left, bots play the
        game to its end. Again it changes nothing.
        """
        proof = _proof(game_id, seat)
        table_acts.depart(game_id, proof, seat)
        return _seat(game_id, seat)

    @blueprint.named("comeBack")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(CardsNotOpen, GameNotRunning)
    @blueprint.response(200, SeatReply)
    def delete(self, game_id: UUID, seat: int) -> SeatReply:
        """Come back to the seat that a bot keeps for you.

        Once the round is over in which it took the seat; before, `cards-not-open`. You
        play the bot's hand on, and an open question is yours. Again it changes nothing.
        """
        proof = _proof(game_id, seat)
        table_acts.come_back(game_id, proof, seat)
        return _seat(game_id, seat)
