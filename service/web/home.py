"""The first page, and a practice game at one tap."""

from flask import Blueprint, Response, make_response, redirect, render_template, url_for

from service import hosting
from service.i18n import gettext as _
from service.web import devices, readers

bp = Blueprint("home", __name__)


@bp.get("/")
def index() -> str:
    """What this is, and how to begin."""
    return render_template("home.html")


@bp.post("/practice")
def practise() -> Response:
    """Begin a game against three bots, and remember this browser for its one seat."""
    devices.check_origin()
    practice = hosting.practise(_("Your Grace"), readers.guessed_language())
    response = make_response(
        redirect(url_for("web.games.show", game_id=practice.game_id), 303)
    )
    return devices.keep(response, practice.game_id, practice.device)
