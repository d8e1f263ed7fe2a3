"""The first page, and a practice game at one tap."""

from typing import Final
from uuid import UUID

from flask import (
    Blueprint,
    Response,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from engine.editions import EDITIONS
from service.present import nouns
from service.present.languages import gettext as _
from service.rate_limits import charging
from service.rate_limits.limits import PRACTICE
from service.tables import practice
from service.tables.creation import DEFAULT_EDITION
from service.tables.practice import Against
from service.web.http import readers, seat_cookies

_TRIED: Final = 8
"""How many of a browser's games the first page looks at."""

bp = Blueprint("home", __name__)


@bp.get("/")
def index() -> str:
    """What this is, how to begin, and the way back into a running game."""
    others = [name for name in EDITIONS if name != DEFAULT_EDITION]
    return render_template(
        "home.html",
        running=_running(),
        usual=nouns.practice_name(DEFAULT_EDITION),
        practices=[(name, nouns.practice_name(name)) for name in others],
        others=[(o, nouns.edition_name(o), nouns.edition_line(o)) for o in others],
    )


def _running() -> UUID | None:
    """A running game that this browser is remembered for; None when there is none."""
    remembered, proved = seat_cookies.remembered()[:_TRIED], False
    for game_id in remembered:
        seen = seat_cookies.read(game_id)
        if seen is not None and seen.seat is not None and seen.game.running:
            return game_id
        proved = proved or (seen is not None and seen.proved)
    if remembered and not proved:
        # Made-up cookies have eight games read for one request.
        charging.refuse()
    return None


@bp.post("/practice")
def practise() -> Response:
    """Begin a game against three bots, and remember this browser for its one seat."""
    seat_cookies.check_origin()
    with charging.making(PRACTICE, seat_cookies.secrets()):
        game = practice.practise(
            _("Guest"),
            readers.guessed_language(),
            against=Against(request.form.get("edition", DEFAULT_EDITION)),
        )
    response = make_response(
        redirect(url_for("web.games.show", game_id=game.game_id), 303)
    )
    return seat_cookies.keep(response, game.game_id, game.device)
