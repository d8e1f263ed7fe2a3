"""Tickets with which a browser opens the stream of a game that it follows."""

from uuid import UUID

from flask import request
from flask.views import MethodView

from service import live
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.schemas.ticket import TicketSchema
from service.auth import bearer
from service.live import tickets
from service.live.tickets import Holder
from service.values import public_urls
from service.values.errors import Busy, NotFound

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
        access.game_row(game_id)
        preconditions.check_unmarked()
        token = bearer.brought(request.headers["Authorization"]) or ""
        ticket = live.current().tickets.issue(Holder(game_id, proof.token_hash), token)
        place = f"{public_urls.api_url('games', game_id, 'stream')}?ticket={ticket}"
        told = {"ticket": ticket, "stream_url": place, "expires_in": tickets.SECONDS}
        return told, {"Location": place, "Cache-Control": "no-store"}
