"""A calendar of one's questions: read at its secret address, made on a page.

The page is behind the mailed link to what is of all games of a person, like that of
their days off.
"""

from flask import (
    Blueprint,
    Response,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from service.people import calendars
from service.present import calendar_entries
from service.rate_limits import charging
from service.store import calendars as calendarstore
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values import signed_tokens
from service.values.errors import NotFound
from service.web.http import opened_links, readers
from service.web.play import own_links

bp = Blueprint("calendar", __name__)

_USE = "calendar"


@bp.get("/c/<secret>")
def read(secret: str) -> Response:
    """The open questions of whoever's calendar has this address."""
    person_id = calendarstore.owner(signed_tokens.normalise(secret))
    if person_id is None:
        # So whoever tries addresses out soon has to wait.
        charging.refuse()
        raise NotFound(what="page")
    readers.address(person_id)
    response = Response(
        calendars.written(person_id), mimetype=calendar_entries.MEDIA_TYPE
    )
    response.add_etag()
    response.make_conditional(request)
    return response


@bp.get("/b/<path:raw>/calendar")
@bp.get("/B/<path:raw>/calendar")
def show(raw: str) -> Response:
    """Whether the link's person has a calendar; a look changes nothing."""
    token, link = own_links.find(raw)
    if link is None:
        return own_links.redirect_to_expired(token)
    return make_response(_page(link, token))


@bp.post("/b/<path:raw>/calendar")
@bp.post("/B/<path:raw>/calendar")
def change(raw: str) -> Response:
    """Make a new address, which the answer shows once, or end the calendar."""
    token, link = own_links.find_posted(raw, _USE)
    if link is None:
        return own_links.redirect_to_expired(token)
    match request.form.get("do"):
        case "make":
            return make_response(_page(link, token, calendars.renew(link.person_id)))
        case "end":
            calendars.end(link.person_id)
            return make_response(redirect(url_for("web.calendar.show", raw=token), 303))
        case _:
            raise NotFound(what="page")


def _page(link: LinkRow, token: str, address: str = "") -> str:
    with transaction():
        since = calendarstore.since(link.person_id)
    return render_template(
        "calendar.html",
        game_id=link.game_id,
        address=address,
        subscribed="webcal:" + address.partition(":")[2],
        since=readers.clock_time(since),
        form_token=opened_links.form_token(token, _USE, None),
    )
