"""A new game with friends: its host says who, and how, and is mailed first."""

from collections.abc import Mapping
from uuid import UUID

import msgspec
from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from engine.errors import Refusal
from service import charging, entropy, links
from service.config import Config, Create
from service.errors import Forbidden, Problem, Told
from service.limits import TABLES
from service.store import tables
from service.tables import faults, hosting
from service.tables.confirming import Asking
from service.tables.hosting import Guest, TableWish
from service.web import devices, forms, newform, zones
from service.web.forms import Trouble
from service.web.newform import Row

bp = Blueprint("new", __name__)


@bp.get("/new")
def ask() -> str:
    """The form, with three seats filled to begin with."""
    return _page(newform.blank(), {}, None)


@bp.post("/new")
def create() -> Response:
    """Keep a draft and mail its host; nobody else hears before the host agrees.

    A form makes one table, however often it is sent: the table's id stands in it.
    """
    rows = newform.rows(request.form)
    host, wish = newform.host(request.form), newform.table(request.form, rows)
    wanted = _marked(request.form)
    if wanted is None:
        return _again(rows, wish, (Forbidden(reason="no-mark"),))
    try:
        wrong = faults.of_wish(host, wish)
        if wrong:
            return _again(rows, wish, wrong)
        hashes = tuple(entropy.digest(each) for each in devices.secrets())
        with charging.making(TABLES):
            hosting.draft(host, wish, wanted, Asking(request.remote_addr, hashes))
    except tables.GameThere:
        return make_response(redirect(url_for("web.new.mailed", again=1), 303))
    except (Problem, Refusal) as error:
        return _again(rows, wish, (error,))
    alone = None if any(isinstance(seat, Guest) for seat in wish.seats) else 1
    return make_response(redirect(url_for("web.new.mailed", alone=alone), 303))


def _again(
    rows: tuple[Row, ...], wish: TableWish, errors: tuple[Told, ...]
) -> Response:
    """The form with all that is wrong in it, and with what was typed."""
    trouble = forms.troubles(errors, newform.labels(rows))
    fields = {**trouble.fields, **newform.bad_table(errors, wish)}
    trouble = msgspec.structs.replace(trouble, fields=fields)
    return forms.answer(_page(rows, request.form, trouble), trouble)


def _marked(sent: Mapping[str, str]) -> UUID | None:
    """The id that this form's table gets; None if the form isn't one of ours."""
    wanted = sent.get("table", "")
    ours = links.is_nonce(sent.get("nonce", ""), "new", wanted)
    return UUID(wanted) if ours else None


@bp.get("/new/mailed")
def mailed() -> str:
    """What happens next, whatever is known of the address."""
    settings: Config = current_app.config["KINGUP"]
    return render_template(
        "mailed.html",
        alone="alone" in request.args,
        again="again" in request.args,
        listed=settings.create is Create.LISTED,
    )


def _page(
    rows: tuple[Row, ...], sent: Mapping[str, str], trouble: Trouble | None
) -> str:
    # A form that comes back keeps its mark; a forged one, or none, gets a fresh one.
    wanted = str(_marked(sent) or entropy.identifier())
    return render_template(
        "new.html",
        marks={"table": wanted, "nonce": links.nonce("new", wanted)},
        rows=rows,
        sent=sent,
        trouble=trouble,
        zones=zones.options,
        offered=newform.offered(),
        default=newform.DEFAULT,
    )
