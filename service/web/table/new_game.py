"""A new game with friends: its host says who, and how, and is mailed first."""

from collections.abc import Mapping
from uuid import UUID

import msgspec
from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    render_template,
    request,
)

from engine.errors import Refusal
from service import config
from service.config import Create
from service.rate_limits import charging
from service.rate_limits.limits import TABLES
from service.store import people, tables
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
    """The form, with nothing filled in but what a browser lets us guess."""
    return _page({}, None)


@bp.post("/new")
def create() -> Response:
    """Keep a draft and mail its host; nobody else hears before the host agrees.

    A form makes one table, however often it is sent: the table's id stands in it.
    """
    sent = request.form
    if "change" in sent:
        return make_response(_page({**sent, "table": ""}, None))
    seated = new_game_form.seated(sent)
    host, wish = new_game_form.host(sent), new_game_form.table(sent, seated)
    wanted = _table_id(sent)
    if wanted is None:
        return _again(seated, wish, (Forbidden(reason="no-form-token"),))
    try:
        wrong = form_errors.of_wish(host, wish)
        if wrong:
            return _again(seated, wish, wrong)
        asking = TableRequest(request.remote_addr, _devices())
        with charging.making(TABLES):
            creation.draft(host, wish, wanted, asking)
    except tables.GameThere:
        return _mailed(wish, again=True)
    except (Problem, Refusal) as error:
        return _again(seated, wish, (error,))
    return _mailed(wish)


def _again(
    seated: tuple[FormSeat, ...], wish: TableWish, errors: tuple[PublicError, ...]
) -> Response:
    """The form with all that is wrong in it, and with what was typed."""
    trouble = forms.form_errors(errors, new_game_form.labels(seated))
    fields = {
        **trouble.fields,
        **new_game_form.bad_table(errors, wish),
        **new_game_form.twice_listed(errors, seated),
    }
    trouble = msgspec.structs.replace(trouble, fields=fields)
    return forms.answer(_page(request.form, trouble), trouble)


def _mailed(wish: TableWish, *, again: bool = False) -> Response:
    """What happens next, and where the mail went; whatever is known of the address."""
    # Told in the answer itself: no address stands in a URL, where logs would keep it.
    kept = {
        name: value
        for name, value in request.form.items()
        if name not in ("table", form_tokens.FIELD)
    }
    page = render_template(
        "mailed.html",
        alone=not any(isinstance(seat, Guest) for seat in wish.seats),
        again=again,
        listed=config.of(current_app).create is Create.LISTED,
        address=request.form.get("address", "").strip(),
        kept=kept,
    )
    return make_response(page)


def _table_id(sent: Mapping[str, str]) -> UUID | None:
    """The id that this form's table gets; None if the form isn't one of ours."""
    wanted = sent.get("table", "")
    ours = form_tokens.is_good(sent.get(form_tokens.FIELD, ""), "new", wanted)
    return UUID(wanted) if ours else None


def _page(sent: Mapping[str, str], trouble: FormErrors | None) -> str:
    # A form that comes back keeps its token; a forged one, or none, gets a fresh one.
    wanted = str(_table_id(sent) or entropy.identifier())
    seated = new_game_form.seated(sent)
    fields = new_game_form.fields(seated)
    return render_template(
        "new.html",
        hidden={"table": wanted, form_tokens.FIELD: form_tokens.make("new", wanted)},
        rows=new_game_form.rows(sent),
        fields=fields,
        listed_fields=[fields[row.number] for row in seated if row.listed],
        sent=sent,
        trouble=trouble,
        zones=time_zones.options,
        zone=sent.get("zone") or _own_zone() or time_zones.guessed(),
        offered=new_game_form.offered(),
        default=new_game_form.DEFAULT,
    )


def _own_zone() -> str | None:
    """The zone of whoever this browser is remembered for, at whatever table."""
    hashes = _devices()
    person_id = people.proved_by(hashes) if hashes else None
    person = people.by_id(person_id) if person_id else None
    return person.profile.zone if person else None


def _devices() -> tuple[bytes, ...]:
    return tuple(entropy.digest(each) for each in seat_cookies.secrets())
