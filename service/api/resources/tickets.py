"""Tickets with which a browser opens a stream."""

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
        return _issued(Holder(game_id, proof.token_hash), "games", game_id)


@blueprint.route("/me/stream-tickets")
class TurnsTickets(MethodView):
    """Tickets for the stream of your turns."""

    # No Idempotency-Key here either.
    @blueprint.named("createTurnsTicket")
    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.fails(Busy)
    @blueprint.response(201, TicketSchema)
    def post(self) -> tuple[dict[str, object], dict[str, str]]:
        """Get an address that opens the stream of your turns once, without a header.

        For browsers, whose `EventSource` sends none. It is good for one connection
        within 30 seconds, which lists what your token would list, and ends when your
        token does.
        """
        access.person(access.READ)
        proof = access.token(access.READ)
        return _issued(Holder(None, proof.token_hash), "me")


def _issued(holder: Holder, *place: object) -> tuple[dict[str, object], dict[str, str]]:
    """A ticket for the stream at a place, for whoever asks."""
    preconditions.check_unmarked()
    token = bearer.brought(request.headers["Authorization"]) or ""
    ticket = live.current().tickets.issue(holder, token)
    url = f"{public_urls.api_url(*place, 'stream')}?ticket={ticket}"
    answer = {"ticket": ticket, "stream_url": url, "expires_in": tickets.SECONDS}
    return answer, {"Location": url, "Cache-Control": "no-store"}
