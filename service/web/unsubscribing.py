"""The page by which the mails of a game end, and the one click of a mail program.

A mail program sends a body of its own (RFC 8058), with no cookie and no form token: the
secret in the address is all it has. A look, a script, or whoever presses every button
of the page ends nothing: somebody has to choose.
"""

from typing import Final

from flask import Blueprint, Response, make_response, render_template, request

from engine.errors import Refusal
from service.game import handlers, table_acts
from service.people import game_mails
from service.present import error_texts
from service.present.languages import gettext as _
from service.store import unsubscribed
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values import entropy
from service.values.enums import LinkPurpose
from service.values.principals import UnsubscribeHolder
from service.web.http import opened_links, seat_cookies
from service.web.play import departures

bp = Blueprint("unsubscribing", __name__)

_USE: Final = "unsubscribe"
_ONE_CLICK: Final = ("List-Unsubscribe", "One-Click")

_THIS: Final = "game"
_ALL: Final = "all"


@bp.get("/u/<path:raw>")
@bp.get("/U/<path:raw>")
def show(raw: str) -> str:
    """What mails there are, and how to end them; a look changes nothing."""
    token, link = opened_links.find(raw, LinkPurpose.UNSUBSCRIBE)
    return _page(link, token, over=_is_over(link))


@bp.post("/u/<path:raw>")
@bp.post("/U/<path:raw>")
def act(raw: str) -> Response:
    """End mails, have them come again, or leave the game."""
    token, link = opened_links.find(raw, LinkPurpose.UNSUBSCRIBE)
    over = _is_over(link)
    name, value = _ONE_CLICK
    if request.form.get(name) == value:
        if not over:
            game_mails.end(link)
        return make_response(_page(link, token, over=over))
    seat_cookies.check_origin()
    opened_links.check_form_token(token, _USE, None)
    if over:
        return make_response(_page(link, token, over=True), 409)
    if request.form.get("do") == departures.LEAVE:
        return _leave(link, token)
    return _change(link, token)


def _change(link: LinkRow, token: str) -> Response:
    chosen = request.form.get("mails", "")
    if chosen not in (_THIS, _ALL):
        problem = _("Nothing was chosen, so nothing has happened. Choose first.")
        return make_response(_page(link, token, problem), 422)
    everywhere = chosen == _ALL
    if request.form.get("do") == "resume":
        game_mails.resume(link, everywhere=everywhere)
        done = _("Mails come again.")
    else:
        game_mails.end(link, everywhere=everywhere)
        done = ""
    return make_response(_page(link, token, done=done))


def _leave(link: LinkRow, token: str) -> Response:
    if request.form.get("sure") != "yes":
        problem = _("Nothing has happened. Tick first that you want to leave.")
        return make_response(_page(link, token, problem), 422)
    holder = UnsubscribeHolder(entropy.digest(token))
    try:
        table_acts.depart(link.game_id, holder, link.seat)
    except (Refusal, handlers.NotAtTable) as refusal:
        why = error_texts.detail(refusal) if isinstance(refusal, Refusal) else ""
        return make_response(_page(link, token, why), 409)
    return make_response(_page(link, token, done=_("You have left this game.")))


def _is_over(link: LinkRow) -> bool:
    """Whether the game has been over for so long that no mails come of it."""
    with transaction():
        return unsubscribed.is_long_over(link.game_id)


def _page(
    link: LinkRow,
    token: str,
    problem: str = "",
    *,
    done: str = "",
    over: bool = False,
) -> str:
    seen = opened_links.game(link)
    with transaction():
        without = unsubscribed.has(link.game_id, link.person_id)
    return render_template(
        "unsubscribing.html",
        table=seen,
        host=seen.seats[0].name,
        over=over,
        without=without,
        leaves=_may_leave(seen, link),
        problem=problem,
        done=done,
        form_token=opened_links.form_token(token, _USE, None),
    )


def _may_leave(seen: GameReadModel, link: LinkRow) -> bool:
    return seen.game.running and not seen.practice and opened_links.is_seated(link)
