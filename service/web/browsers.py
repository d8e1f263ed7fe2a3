"""Browsers: remembered by a link that was mailed for it, and ended by another.

That other one leads to when its person can't play, too.
"""

from uuid import UUID

import msgspec
from flask import (
    Blueprint,
    Response,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from service.people import remembered_browsers
from service.present import browser_names
from service.present.languages import gettext as _
from service.store import devices as devicestore
from service.store import links as linkstore
from service.store.devices import DeviceRow
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values.enums import LinkPurpose
from service.web.http import opened_links, readers, seat_cookies

bp = Blueprint("browsers", __name__)


class ListedBrowser(msgspec.Struct, frozen=True):
    """A remembered browser in words; `this` tells that it is the one that looks."""

    id: UUID
    name: str
    since: str | None
    used: str | None
    this: bool


@bp.get("/r/<path:raw>")
@bp.get("/R/<path:raw>")
def ask(raw: str) -> str:
    """Whether this browser shall be remembered; a look changes nothing."""
    token, link = opened_links.find(raw, LinkPurpose.REMEMBER)
    if not _is_good(link, token):
        return _over(link)
    return _asking(link, token)


@bp.post("/r/<path:raw>")
@bp.post("/R/<path:raw>")
def remember(raw: str) -> Response:
    """Set the cookie that opens later links, and the game, with the seat's cards."""
    token, link = opened_links.find_posted(raw, "remember", LinkPurpose.REMEMBER)
    if opened_links.game(link).seat == link.seat:
        # Pressed twice: the first time has done it.
        return make_response(_remembered(link))
    if request.form.get("mine") != "yes" and _is_good(link, token):
        problem = _("Nothing has happened. Tick first that this device is yours.")
        return make_response(_asking(link, token, problem), 422)
    agent = browser_names.families(request.headers.get("User-Agent", ""))
    secret = remembered_browsers.plant(link, token, agent)
    if secret is None:
        return make_response(_over(link), 409)
    return seat_cookies.keep(make_response(_remembered(link)), link.game_id, secret)


def _is_good(link: LinkRow, token: str) -> bool:
    """Whether a link still does what it was mailed for, for whoever has its seat."""
    with transaction():
        return linkstore.is_open(token) and opened_links.is_seated(link)


def _asking(link: LinkRow, token: str, problem: str = "") -> str:
    seen = opened_links.game(link)
    return render_template(
        "remembering.html",
        host=seen.seats[0].name,
        problem=problem,
        form_token=opened_links.form_token(token, "remember", None),
    )


def _remembered(link: LinkRow) -> str:
    return render_template("remembered.html", game_id=link.game_id)


def _over(link: LinkRow) -> str:
    if opened_links.game(link).seat == link.seat:
        return _remembered(link)
    return render_template("remember_over.html", minutes=linkstore.REMEMBER_MINUTES)


@bp.get("/b/<path:raw>")
@bp.get("/B/<path:raw>")
def show(raw: str) -> Response:
    """Which browsers are remembered for a seat; a look changes nothing."""
    token, link = opened_links.find(raw, LinkPurpose.DEVICES)
    for page in ("away", "calendar"):
        if page in request.args:
            # This page leads there: whoever is sent it must not learn the link.
            return make_response(redirect(url_for(f"web.{page}.show", raw=token), 303))
    return make_response(_page(link, token))


@bp.post("/b/<path:raw>")
@bp.post("/B/<path:raw>")
def end(raw: str) -> Response:
    """Have the chosen browsers remembered no more."""
    token, link = opened_links.find_posted(raw, "devices", LinkPurpose.DEVICES)
    if not opened_links.is_own(token, link):
        return make_response(_page(link, token), 409)
    chosen = set(request.form.getlist("device"))
    there = _rows(link)
    ended = [row for row in there if "all" in chosen or str(row.id) in chosen]
    if not ended:
        problem = _("Nothing was chosen, so nothing has happened.")
        return make_response(_page(link, token, problem=problem), 422)
    with transaction():
        devicestore.forget(link.person_id, [row.id for row in ended])
    response = make_response(_page(link, token, ended=ended))
    if any(row.own for row in ended):
        seat_cookies.drop(response, link.game_id)
    return response


def _rows(link: LinkRow) -> tuple[DeviceRow, ...]:
    holder = seat_cookies.holder(link.game_id)
    this = None if holder is None else holder.token_hash
    with transaction():
        return devicestore.of_seat(link.game_id, link.person_id, this)


def _page(
    link: LinkRow, token: str, problem: str = "", ended: list[DeviceRow] | None = None
) -> str:
    seen = opened_links.game(link)
    return render_template(
        "devices.html",
        good=opened_links.is_own(token, link),
        host=seen.seats[0].name,
        devices=[_listed(row) for row in _rows(link)],
        ended=[browser_names.name(row.agent) for row in ended or ()],
        problem=problem,
        form_token=opened_links.form_token(token, "devices", None),
    )


def _listed(row: DeviceRow) -> ListedBrowser:
    return ListedBrowser(
        id=row.id,
        name=browser_names.name(row.agent),
        since=readers.clock_time(row.created_at),
        used=readers.clock_time(row.last_used_at),
        this=row.own,
    )
