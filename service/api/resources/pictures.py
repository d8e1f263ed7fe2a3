"""Pictures of a view: what everybody may see of a game, for eyes and for terminals."""

import hashlib
from uuid import UUID

import msgspec
from flask import Response, request
from flask.views import MethodView

from service.api.http import access
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.replies import game_view
from service.api.schemas.view import AtSchema
from service.present import picture
from service.present.picture import Picture
from service.rate_limits.limits import PICTURES

blueprint = Blueprint("pictures", "A game to look at.")

_SVG = "image/svg+xml"
_PNG = "image/png"
_TEXT = "text/plain"

_WORDS = {"type": "string"}
_PIXELS = {"type": "string", "contentMediaType": _PNG}

_ALONE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"
}
"""Opened by itself a picture may do nothing but show itself."""


def _picture(game_id: UUID, moment: dict[str, int]) -> Picture:
    """A game as a spectator sees it, whoever asks."""
    seen = msgspec.structs.replace(access.read_model(game_id), seat=None)
    at = moment.get("at")
    told = game_view.now(seen) if at is None else game_view.past(seen, at)
    return picture.describe(told.view, [seat.name for seat in told.seats])


@blueprint.route("/games/<uuid:game_id>/view.svg")
class SvgPicture(MethodView):
    """A game as a drawing."""

    @blueprint.named("getViewSvg")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.arguments(AtSchema, location="query")
    @blueprint.response(200, _WORDS, content_type=_SVG)
    def get(self, moment: dict[str, int], game_id: UUID) -> Response:
        """Draw a game as a spectator sees it, as an SVG document.

        It is the same for every reader: nothing of a seat's own is on it. With `at`,
        how the game stood right after that record event, without names.
        """
        drawn = picture.svg(_picture(game_id, moment))
        return Response(drawn, content_type=f"{_SVG}; charset=utf-8", headers=_ALONE)


@blueprint.route("/games/<uuid:game_id>/view.png")
class PngPicture(MethodView):
    """A game as pixels."""

    @blueprint.limited(PICTURES)
    @blueprint.named("getViewPng")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.arguments(AtSchema, location="query")
    @blueprint.response(200, _PIXELS, content_type=_PNG)
    def get(self, moment: dict[str, int], game_id: UUID) -> Response:
        """Paint a game as a spectator sees it, as a PNG of 800 pixels in width.

        What it shows is what `view.svg` shows.
        """
        drawn = picture.svg(_picture(game_id, moment))
        answer = Response(content_type=_PNG)
        mark = hashlib.sha256(drawn.encode()).hexdigest()
        answer.set_etag(mark)
        # Whoever has it already needn't wait until it is painted.
        if not request.if_none_match.contains_weak(mark):
            answer.data = picture.png(drawn)
        return answer


@blueprint.route("/games/<uuid:game_id>/view.txt")
class TextPicture(MethodView):
    """A game as text."""

    @blueprint.named("getViewText")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.arguments(AtSchema, location="query")
    @blueprint.response(200, _WORDS, content_type=_TEXT)
    def get(self, moment: dict[str, int], game_id: UUID) -> Response:
        """Tell a game as a spectator sees it, in lines of text for a terminal.

        What they say is what `view.svg` shows.
        """
        told = picture.text(_picture(game_id, moment))
        return Response(told, content_type=f"{_TEXT}; charset=utf-8")
