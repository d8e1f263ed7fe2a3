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
from service import config
from service.config import Create
from service.rate_limits import charging
from service.rate_limits.limits import TABLES
from service.store import tables
from service.tables import creation, form_errors
from service.tables.confirmation import TableRequest
from service.tables.creation import Guest, TableWish
from service.values import entropy
from service.values.errors import Forbidden, Problem, PublicError
from service.web.http import form_tokens, forms, seat_cookies
from service.web.http.forms import FormErrors
from service.web.table import new_game_form, time_zones
from service.web.table.new_game_form import FormSeat

bp = Blueprint("new", __name__)


@bp.get("/new")
def ask() -> str:
    """The form, with three seats filled to begin with."""
    return _page(new_game_form.blank(), {}, None)


@bp.post("/new")
def create() -> Response:
    """Keep a draft and mail its host; nobody else hears before the host agrees.

    A form makes one table, however often it is sent: the table's id stands in it.
    """
    rows = new_game_form.rows(request.form)
    host, wish = (
        new_game_form.host(request.form),
        new_game_form.table(request.form, rows),
    )
    wanted = _table_id(request.form)
    if wanted is None:
        return _again(rows, wish, (Forbidden(reason="no-form-token"),))
    try:
        wrong = form_errors.of_wish(host, wish)
        if wrong:
            return _again(rows, wish, wrong)
        hashes = tuple(entropy.digest(each) for each in seat_cookies.secrets())
        with charging.making(TABLES):
            creation.draft(
                host, wish, wanted, TableRequest(request.remote_addr, hashes)
            )
    except tables.GameThere:
        return make_response(redirect(url_for("web.new.mailed", again=1), 303))
    except (Problem, Refusal) as error:
        return _again(rows, wish, (error,))
    alone = None if any(isinstance(seat, Guest) for seat in wish.seats) else 1
    return make_response(redirect(url_for("web.new.mailed", alone=alone), 303))


def _again(
    rows: tuple[FormSeat, ...], wish: TableWish, errors: tuple[PublicError, ...]
) -> Response:
    """The form with all that is wrong in it, and with what was typed."""
    trouble = forms.form_errors(errors, new_game_form.labels(rows))
    fields = {**trouble.fields, **new_game_form.bad_table(errors, wish)}
    trouble = msgspec.structs.replace(trouble, fields=fields)
    return forms.answer(_page(rows, request.form, trouble), trouble)


def _table_id(sent: Mapping[str, str]) -> UUID | None:
    """The id that this form's table gets; None if the form isn't one of ours."""
    wanted = sent.get("table", "")
    ours = form_tokens.is_good(sent.get(form_tokens.FIELD, ""), "new", wanted)
    return UUID(wanted) if ours else None


@bp.get("/new/mailed")
def mailed() -> str:
    """What happens next, whatever is known of the address."""
    return render_template(
        "mailed.html",
        alone="alone" in request.args,
        again="again" in request.args,
        listed=config.of(current_app).create is Create.LISTED,
    )


def _page(
    rows: tuple[FormSeat, ...], sent: Mapping[str, str], trouble: FormErrors | None
) -> str:
    # A form that comes back keeps its token; a forged one, or none, gets a fresh one.
    wanted = str(_table_id(sent) or entropy.identifier())
    return render_template(
        "new.html",
        hidden={"table": wanted, form_tokens.FIELD: form_tokens.make("new", wanted)},
        rows=rows,
        sent=sent,
        trouble=trouble,
        zones=time_zones.options,
        offered=new_game_form.offered(),
        default=new_game_form.DEFAULT,
    )
