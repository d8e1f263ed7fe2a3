"""Taking an open seat by a link that was passed on: a mailbox first, then the seat."""

from collections.abc import Mapping
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

from engine.errors import Refusal
from service.people import newcomers
from service.people.newcomers import Newcomer
from service.present.languages import gettext as _
from service.rate_limits import charging
from service.rate_limits.limits import CODES
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.values.enums import GameStatus, LinkPurpose, SeatState
from service.values.errors import Problem
from service.web.http import forms, readers, seat_cookies
from service.web.http.forms import FormErrors
from service.web.play import game_page
from service.web.table import arrival, time_zones

bp = Blueprint("open_seats", __name__)


@bp.get("/g/<uuid:game_id>/join")
def show(game_id: UUID) -> Response:
    """What is played with whom, and where a code is to be mailed."""
    return _page(game_page.find(game_id))


@bp.post("/g/<uuid:game_id>/join")
def act(game_id: UUID) -> Response:
    """Mail a code, or seat whoever sends the right one back."""
    seat_cookies.check_origin()
    seen = game_page.find(game_id)
    asked = _asked()
    try:
        newcomers.check_open(game_id)
        if asked is not None:
            return _sit(seen, asked)
        with charging.making(CODES):
            number = newcomers.ask(request.form.get("address", ""), request.remote_addr)
        return _page(seen, number)
    except (Problem, Refusal) as error:
        trouble = forms.form_error(error, _labels())
        return _page(game_page.find(game_id), asked, trouble)


def _asked() -> UUID | None:
    """With what the code comes back; None for whoever still has to be mailed one."""
    try:
        return UUID(request.form.get("asked", ""))
    except ValueError:
        return None


def _sit(seen: GameReadModel, asked: UUID) -> Response:
    who = Newcomer(
        asked=asked,
        code=request.form.get("code", ""),
        name=request.form.get("name", ""),
        language=readers.guessed_language(),
        zone=readers.known_zone(request.form.get("zone", "")),
        word=request.form.get("word", ""),
        origin=request.remote_addr,
    )
    found = newcomers.sit(seen.id, who)
    link = LinkRow(LinkPurpose.INVITATION, seen.id, found.person_id, found.seat, None)
    return arrival.seated(link)


def _labels() -> Mapping[str, str]:
    return {
        "address": _("Your e-mail address"),
        "name": _("Your name"),
        "word": _("A word for the shuffle"),
    }


def _page(
    seen: GameReadModel,
    asked: UUID | None = None,
    trouble: FormErrors | None = None,
) -> Response:
    if seen.status in (GameStatus.RUNNING, GameStatus.OVER):
        return make_response(redirect(url_for("web.games.show", game_id=seen.id), 303))
    page = render_template(
        "join.html",
        table=seen,
        open=any(seat.state == SeatState.OPEN for seat in seen.seats),
        asked=asked,
        trouble=trouble,
        zones=time_zones.options,
        zone=readers.ZONES[0],
        sent=request.form,
    )
    return make_response(page) if trouble is None else forms.answer(page, trouble)
