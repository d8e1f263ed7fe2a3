"""A game's record as a file, for whoever may see the game."""

from collections.abc import Sequence
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from flask import Response
from msgspec import Meta

from engine import events
from service.api.http import access
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.game import game_files

blueprint = Blueprint("export", "A game's record as a file.")


class ExportReply(msgspec.Struct, frozen=True):
    """The record of a game in one file, keys in this order (docs/api.md)."""

    format: Literal["kingup/1"]
    game: UUID
    names: Annotated[
        Sequence[str],
        Meta(description="Of the seats, as they are now; empty for none."),
    ]
    versions: Annotated[
        Sequence[int],
        Meta(description="The version each event was stored with."),
    ]
    record: Annotated[
        Sequence[events.Record], Meta(description="Its events: docs/fairness.md.")
    ]


@blueprint.place("/games/<uuid:game_id>/export")
class Export(Resource):
    """The record of a game as a file."""

    @blueprint.named("exportGame")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.response(200, ExportReply)
    def get(self, game_id: UUID) -> Response:
        """Take the record along so far: the same bytes for everybody.

        One line an event, each exactly as it is chained; `kingup verify` checks the
        file, and another instance imports it once the game is over.
        """
        return game_files.download(access.read_model(game_id))
