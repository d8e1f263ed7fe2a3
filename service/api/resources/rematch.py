"""Another game with the same people."""

from uuid import UUID

from flask import request

from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.resources import games
from service.api.resources.games import GameReply
from service.tables import rematch
from service.values.conflicts import NoRematch
from service.values.errors import Forbidden, HostNotListed, TooManyInvitations

blueprint = Blueprint("rematch", "Another game with the same people.")


@blueprint.place("/games/<uuid:game_id>/rematch")
class Rematch(Resource):
    """The rematch of a game."""

    @blueprint.once()
    @blueprint.access(Who.SEAT, access.CREATE)
    @blueprint.marked()
    @blueprint.fails(HostNotListed, NoRematch, TooManyInvitations)
    @blueprint.alt_response(200, GameReply)
    @blueprint.response(201, GameReply)
    def post(self, game_id: UUID) -> tuple[GameReply, int, dict[str, str]]:
        """Lay a table for the same people, once the game is over.

        Edition and options are the same; you host, the others sit clockwise as before
        and are invited; who begins is drawn. Whoever asks second finds the same table
        (200).
        """
        owner = access.person(access.CREATE)
        if owner.game_id is not None:
            raise Forbidden(reason="other-game")
        if access.read_model(game_id, access.CREATE).seat is None:
            raise Forbidden(reason="no-seat")
        preconditions.check_unmarked()
        laid, is_new = rematch.again(game_id, owner.person_id, request.remote_addr)
        found = access.read_model(laid, access.CREATE)
        headers = {"Location": games.path(laid), **games.marked(found)}
        return games.game_reply(found), 201 if is_new else 200, headers
