"""Another game with the same people."""

from uuid import UUID

from flask import request
from flask.views import MethodView

from service.api import access, games, preconditions
from service.api.blueprint import Blueprint
from service.api.contract.declared import Who
from service.errors import Forbidden, HostNotListed, NoRematch, TooManyInvitations
from service.schemas.game import GameSchema
from service.store.games import Seen
from service.tables import rematching

blueprint = Blueprint("rematch", "Another game with the same people.")


@blueprint.route("/games/<uuid:game_id>/rematch")
class Rematch(MethodView):
    """The rematch of a game."""

    @blueprint.once()
    @blueprint.access(Who.SEAT, access.CREATE)
    @blueprint.marked()
    @blueprint.fails(HostNotListed, NoRematch, TooManyInvitations)
    @blueprint.alt_response(200, schema=GameSchema)
    @blueprint.response(201, GameSchema)
    def post(self, game_id: UUID) -> tuple[Seen, int, dict[str, str]]:
        """Lay a table for the same people, once the game is over.

        Edition and options are the same; you host, the others sit clockwise as before
        and are invited; who begins is drawn. Whoever asks second finds the same table
        (200).
        """
        owner = access.person(access.CREATE)
        if owner.game_id is not None:
            raise Forbidden(reason="other-game")
        if access.seen(game_id, access.CREATE).seat is None:
            raise Forbidden(reason="no-seat")
        preconditions.check_unmarked()
        laid, is_new = rematching.again(game_id, owner.person_id, request.remote_addr)
        found = access.seen(laid, access.CREATE)
        headers = {"Location": games.path(laid), **games.marked(found)}
        return found, 201 if is_new else 200, headers
