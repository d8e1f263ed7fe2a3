"""A game's record as a file, for whoever may see the game."""

from uuid import UUID

from flask import Response
from flask.views import MethodView

from service.api.http import access
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.schemas.export import ExportSchema
from service.game import game_files

blueprint = Blueprint("export", "A game's record as a file.")


@blueprint.route("/games/<uuid:game_id>/export")
class Export(MethodView):
    """The record of a game as a file."""

    @blueprint.named("exportGame")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.response(200, ExportSchema)
    def get(self, game_id: UUID) -> Response:
        """Take the record along so far: the same bytes for everybody.

        One line an event, each exactly as it is chained; `kingup verify` checks the
        file, and another instance imports it once the game is over.
        """
        return game_files.download(access.read_model(game_id))
