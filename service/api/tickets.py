"""Tickets with which a browser opens the stream of a game that it follows."""

from uuid import UUID

from flask import request
from flask.views import MethodView

from service import paths, streaming
from service.api import access, preconditions
from service.api.blueprint import Blueprint
from service.api.contract.declared import Who
from service.errors import Busy, NotFound
from service.people import auth
from service.schemas.ticket import TicketSchema
from service.streaming import tickets
from service.streaming.tickets import Holder

blueprint = Blueprint("tickets", "A game as it happens, in a browser.")


@blueprint.route("/games/<uuid:game_id>/stream-tickets")
class Tickets(MethodView):
    """Tickets for the stream of a game."""

    # No Idempotency-Key: a ticket whose answer is lost is over in a moment, too.
    @blueprint.named("createStreamTicket")
    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.fails(NotFound, Busy)
    @blueprint.response(201, TicketSchema)
    def post(self, game_id: UUID) -> tuple[dict[str, object], dict[str, str]]:
        """Get an address that opens the stream of a game once, without a header.

        For browsers, whose `EventSource` sends none. It is good for one connection
        within 30 seconds, which shows what your token would show, and ends when your
        token does.
        """
        proof = access.token(access.READ)
        access.glanced(game_id)
        preconditions.check_unmarked()
        token = auth.brought(request.headers["Authorization"]) or ""
        ticket = streaming.current().tickets.issue(
            Holder(game_id, proof.token_hash), token
        )
        place = f"{paths.api_url('games', game_id, 'stream')}?ticket={ticket}"
        told = {"ticket": ticket, "stream_url": place, "expires_in": tickets.SECONDS}
        return told, {"Location": place, "Cache-Control": "no-store"}
