"""Pictures of a view: what everybody may see of a game, for eyes and for terminals."""

import hashlib
from uuid import UUID

from flask import Response, request

from service.api.http import access
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.replies import game_view
from service.api.schemas.view import AtSchema, WantedView
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


def _picture(game_id: UUID, wanted: WantedView) -> Picture:
    """A game as a spectator sees it, whoever asks."""
    seen = access.read_model(game_id)
    if wanted.at is None:
        names = [seat.name for seat in seen.seats]
        return picture.describe(game_view.view_now(seen, None), names)
    view = game_view.view_past(seen, wanted.at)
    return picture.describe(view, [None for _ in view.seats])


@blueprint.place("/games/<uuid:game_id>/view.svg")
class SvgPicture(Resource):
    """A game as a drawing."""

    @blueprint.named("getViewSvg")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.arguments(AtSchema, location="query")
    @blueprint.response(200, _WORDS, content_type=_SVG)
    def get(self, wanted: WantedView, game_id: UUID) -> Response:
        """Draw a game as a spectator sees it, as an SVG document.

        It is the same for every reader: nothing of a seat's own is on it. With `at`,
        how the game stood right after that record event, without names.
        """
        drawn = picture.svg(_picture(game_id, wanted))
        return Response(drawn, content_type=f"{_SVG}; charset=utf-8", headers=_ALONE)


@blueprint.place("/games/<uuid:game_id>/view.png")
class PngPicture(Resource):
    """A game as pixels."""

    @blueprint.limited(PICTURES)
    @blueprint.named("getViewPng")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.arguments(AtSchema, location="query")
    @blueprint.response(200, _PIXELS, content_type=_PNG)
    def get(self, wanted: WantedView, game_id: UUID) -> Response:
        """Paint a game as a spectator sees it, as a PNG of 800 pixels in width.

        What it shows is what `view.svg` shows.
        """
        drawn = picture.svg(_picture(game_id, wanted))
        answer = Response(content_type=_PNG)
        mark = hashlib.sha256(drawn.encode()).hexdigest()
        answer.set_etag(mark)
        # Whoever has it already needn't wait until it is painted.
        if not request.if_none_match.contains_weak(mark):
            answer.data = picture.png(drawn)
        return answer


@blueprint.place("/games/<uuid:game_id>/view.txt")
class TextPicture(Resource):
    """A game as text."""

    @blueprint.named("getViewText")
    @blueprint.access(Who.READER, access.READ)
    @blueprint.arguments(AtSchema, location="query")
    @blueprint.response(200, _WORDS, content_type=_TEXT)
    def get(self, wanted: WantedView, game_id: UUID) -> Response:
        """Tell a game as a spectator sees it, in lines of text for a terminal.

        What they say is what `view.svg` shows.
        """
        told = picture.text(_picture(game_id, wanted))
        return Response(told, content_type=f"{_TEXT}; charset=utf-8")
