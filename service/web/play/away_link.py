"""The way to when somebody can't play: a link that is mailed to them.

A browser is remembered for one game, and days off are of all: it asks, and no more.
"""

from typing import Final
from uuid import UUID

from flask import Blueprint, render_template, request

from service.people import remembered_browsers
from service.store import people
from service.store.games import GameReadModel
from service.store.transactions import transaction
from service.values.errors import Forbidden, NotFound
from service.web.http import form_tokens, seat_cookies
from service.web.play import game_page

bp = Blueprint("away_link", __name__)

_USE: Final = "away-link"


@bp.get("/g/<uuid:game_id>/away")
def show(game_id: UUID) -> str:
    """One button, which mails the link; a look changes nothing."""
    seen, seat = _belonging(game_id)
    return render_template(
        "away_link.html",
        game_id=seen.id,
        form_token=form_tokens.make(_USE, str(seen.id), seat),
    )


@bp.post("/g/<uuid:game_id>/away")
def mail(game_id: UUID) -> str:
    """Mail the seat's person the link; nothing tells whether one goes."""
    seat_cookies.check_origin()
    seen, seat = _belonging(game_id)
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, _USE, str(seen.id), seat):
        raise Forbidden(reason="no-form-token")
    person_id = _person(game_id)
    if person_id is not None:
        remembered_browsers.ask_for_own(seen.id, person_id, seat)
    return render_template("away_mailed.html", game_id=seen.id)


def _belonging(game_id: UUID) -> tuple[GameReadModel, int]:
    """The game, and the seat that this browser's person plays or may come back to.

    Raises NotFound for whoever is remembered for no seat, and in practice.
    """
    seen = game_page.find(game_id)
    seat = seen.beside if seen.seat is None else seen.seat
    if seat is None or seen.practice:
        raise NotFound(what="page")
    return seen, seat


def _person(game_id: UUID) -> UUID | None:
    """Whose browser this is in a game; None once it is remembered no more."""
    holder = seat_cookies.holder(game_id)
    if holder is None:
        return None
    with transaction():
        return people.proved_by((holder.token_hash,))
