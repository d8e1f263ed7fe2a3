"""My cards by mail: whether somebody has ordered theirs."""

from typing import Annotated
from uuid import UUID

import msgspec
from flask import Response
from msgspec import Meta

from engine.errors import GameNotRunning, SeatKept
from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.game import card_mails
from service.store import card_orders
from service.values.conflicts import NoMailbox
from service.values.principals import Bearer

blueprint = Blueprint("card-orders", "Your cards by mail, by your own order.")


class CardOrderReply(msgspec.Struct, frozen=True):
    """Whether your cards are mailed to you in this game."""

    ordered: Annotated[
        bool, Meta(description="One mail a round, to your address alone, if true.")
    ]


def _proof(game_id: UUID) -> Bearer:
    """The token of whoever changes their order. Raises PreconditionFailed."""
    access.own_seat(game_id, access.PLAY, tells_kept=True)
    preconditions.check_unmarked(shown=True)
    return access.token(access.PLAY)


@blueprint.place("/games/<uuid:game_id>/cards-by-mail")
class CardOrder(Resource):
    """Whether a seat's cards are mailed to its owner."""

    @blueprint.named("getCardOrder")
    @blueprint.access(Who.SEAT, access.READ)
    @blueprint.fails(SeatKept)
    @blueprint.response(200, CardOrderReply)
    def get(self, game_id: UUID) -> CardOrderReply:
        """Read whether your cards are mailed to you, which nobody else can."""
        _, seat = access.own_seat(game_id, access.READ, tells_kept=True)
        return CardOrderReply(ordered=card_orders.is_there(game_id, seat))

    @blueprint.named("orderCards")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning, NoMailbox, SeatKept)
    @blueprint.response(200, CardOrderReply)
    def put(self, game_id: UUID) -> CardOrderReply:
        """Have your cards mailed to you: your favourites and your hand.

        One mail now and one as each round begins, to your registered address and no
        other, with a subject that says nothing. Whoever reads your mailbox, or a server
        on the way, reads them too. The order is yours: nobody inherits it with the
        seat, and while a bot keeps that there is no mail.
        """
        card_mails.order(game_id, _proof(game_id))
        return CardOrderReply(ordered=True)

    @blueprint.named("endCardOrder")
    @blueprint.access(Who.SEAT, access.PLAY)
    @blueprint.fails(GameNotRunning, NoMailbox, SeatKept)
    @blueprint.response(204)
    def delete(self, game_id: UUID) -> Response:
        """Have your cards mailed no more, nor one that waits. Also twice."""
        card_mails.stop(game_id, _proof(game_id))
        return Response(status=204)
