"""The first page, and a practice game at one tap."""

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template, url_for

from service import practice
from service.i18n import gettext as _
from service.store import games
from service.store.transactions import transaction
from service.web import devices, readers

_TRIED: Final = 8
"""How many of a browser's games the first page looks at."""

bp = Blueprint("home", __name__)


@bp.get("/")
def index() -> str:
    """What this is, how to begin, and the way back into a running game."""
    return render_template("home.html", running=_running())


def _running() -> UUID | None:
    """A running game that this browser is remembered for; None when there is none."""
    for game_id in devices.remembered()[:_TRIED]:
        with transaction():
            seen = games.read(game_id, devices.reader(game_id))
        if seen is not None and seen.seat is not None and seen.game.running:
            return game_id
    return None


@bp.post("/practice")
def practise() -> Response:
    """Begin a game against three bots, and remember this browser for its one seat."""
    devices.check_origin()
    game = practice.practise(_("Your Grace"), readers.guessed_language())
    response = make_response(
        redirect(url_for("web.games.show", game_id=game.game_id), 303)
    )
    return devices.keep(response, game.game_id, game.device)
