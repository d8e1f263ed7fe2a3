"""Tickets with which a browser opens a stream."""

from typing import Annotated
from uuid import UUID

import msgspec
from flask import request
from msgspec import Meta

from service import live
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.replies import Url
from service.api.http.resource import Blueprint, Resource
from service.auth import bearer
from service.live import tickets
from service.live.tickets import Holder
from service.values import public_urls
from service.values.errors import NotFound

blueprint = Blueprint("tickets", "A game as it happens, in a browser.")


class TicketReply(msgspec.Struct, frozen=True):
    """A ticket for one connection."""

    ticket: str
    stream_url: Annotated[Url, Meta(description="Where the ticket opens the stream.")]
    expires_in: Annotated[
        int, Meta(description="The seconds within which it is to be used.")
    ]


@blueprint.place("/games/<uuid:game_id>/stream-tickets")
class Tickets(Resource):
    """Tickets for the stream of a game."""

    # No Idempotency-Key: a ticket whose answer is lost is over in a moment, too.
    @blueprint.named("createStreamTicket")
    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.fails(NotFound)
    @blueprint.response(201, TicketReply)
    def post(self, game_id: UUID) -> tuple[TicketReply, dict[str, str]]:
        """Get an address that opens the stream of a game once, without a header.

        For browsers, whose `EventSource` sends none. It is good for one connection
        within 30 seconds, which shows what your token would show, and ends when your
        token does.
        """
        proof = access.token(access.READ)
        access.game_row(game_id)
        return _issued(Holder(game_id, proof.token_hash), "games", game_id)


@blueprint.place("/me/stream-tickets")
class TurnsTickets(Resource):
    """Tickets for the stream of your turns."""

    # No Idempotency-Key here either.
    @blueprint.named("createTurnsTicket")
    @blueprint.access(Who.PERSON, access.READ)
    @blueprint.response(201, TicketReply)
    def post(self) -> tuple[TicketReply, dict[str, str]]:
        """Get an address that opens the stream of your turns once, without a header.

        For browsers, whose `EventSource` sends none. It is good for one connection
        within 30 seconds, which lists what your token would list, and ends when your
        token does.
        """
        access.person(access.READ)
        proof = access.token(access.READ)
        return _issued(Holder(None, proof.token_hash), "me")


def _issued(holder: Holder, *place: object) -> tuple[TicketReply, dict[str, str]]:
    """A ticket for the stream at a place, for whoever asks."""
    preconditions.check_unmarked()
    token = bearer.brought(request.headers["Authorization"]) or ""
    ticket = live.current().tickets.issue(holder, token)
    url = f"{public_urls.api_url(*place, 'stream')}?ticket={ticket}"
    answer = TicketReply(ticket, url, tickets.SECONDS)
    return answer, {"Location": url, "Cache-Control": "no-store"}
