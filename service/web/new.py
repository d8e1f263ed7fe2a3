"""A new game with friends: its host says who, and how, and is mailed first."""

from collections.abc import Iterator, Mapping
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

from engine.commands import PlacementOption
from engine.editions import edition
from engine.errors import BadTable, Refusal
from service import entropy, hosting, links
from service.errors import Forbidden, Problem, Told
from service.hosting import BotSeat, Guest, HostWish, SeatWish, TableWish
from service.i18n import gettext as _
from service.store import tables
from service.store.people import Profile
from service.web import forms, readers, zones
from service.web.forms import Trouble

bp = Blueprint("new", __name__)

_LAW = edition(TableWish(()).edition)
_OTHERS = _LAW.seats[-1] - 1


class Row(msgspec.Struct, frozen=True):
    """One row of the form for a seat beside the host's: friend, bot or empty.

    People count the seats from one, and the host sits on the first.
    """

    number: int
    kind: str
    name: str = ""
    address: str = ""


_BLANK = tuple(
    Row(number, kind)
    for number, kind in enumerate(("friend", "friend", "bot", "empty", "empty"), 1)
)


@bp.get("/new")
def ask() -> str:
    """The form, with three seats filled to begin with."""
    return _page(_BLANK, {}, None)


@bp.post("/new")
def create() -> Response:
    """Keep a draft and mail its host; nobody else hears before the host agrees.

    A form makes one table, however often it is sent: the table's id stands in it.
    """
    rows = tuple(_rows(request.form))
    host, wish = _host(request.form), _table(request.form, rows)
    wanted = _marked(request.form)
    if wanted is None:
        return _again(rows, (Forbidden(reason="no-mark"),))
    faults = hosting.faults(host, wish)
    if faults:
        return _again(rows, faults)
    try:
        hosting.draft(host, wish, wanted)
    except tables.GameThere:
        return make_response(redirect(url_for("web.new.mailed", again=1), 303))
    except (Problem, Refusal) as error:
        return _again(rows, (error,))
    alone = None if any(isinstance(seat, Guest) for seat in wish.seats) else 1
    return make_response(redirect(url_for("web.new.mailed", alone=alone), 303))


def _again(rows: tuple[Row, ...], errors: tuple[Told, ...]) -> Response:
    """The form with all that is wrong in it, and with what was typed."""
    trouble = forms.troubles(errors, _labels(rows))
    if any(isinstance(e, BadTable) and e.option == "seats" for e in errors):
        more = _("Add at least one more player or bot.")
        fields = {**trouble.fields, "seats": more}
        trouble = msgspec.structs.replace(trouble, fields=fields)
    return make_response(_page(rows, request.form, trouble), trouble.status)


def _marked(sent: Mapping[str, str]) -> UUID | None:
    """The id that this form's table gets; None if the form isn't one of ours."""
    wanted = sent.get("table", "")
    ours = links.is_nonce(sent.get("nonce", ""), "new", wanted)
    return UUID(wanted) if ours else None


@bp.get("/new/mailed")
def mailed() -> str:
    """What happens next."""
    return render_template(
        "mailed.html", alone="alone" in request.args, again="again" in request.args
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
        zones=readers.ZONES,
        common=zones.COMMON,
        choices=_LAW.choices,
        seats=_LAW.seats,
    )


def _rows(sent: Mapping[str, str]) -> Iterator[Row]:
    for number in range(1, _OTHERS + 1):
        kind = sent.get(f"seat{number}_kind", "empty")
        name = sent.get(f"seat{number}_name", "")
        yield Row(number, kind, name, sent.get(f"seat{number}_address", ""))


def _host(sent: Mapping[str, str]) -> HostWish:
    zone = readers.known_zone(sent.get("zone", ""))
    profile = Profile(sent.get("name", ""), readers.guessed_language(), zone)
    return HostWish(sent.get("address", ""), profile, sent.get("word", ""))


def _table(sent: Mapping[str, str], rows: tuple[Row, ...]) -> TableWish:
    """What the host wishes; a choice the form doesn't offer is the default."""
    choices = _LAW.choices
    rounds = {str(number): number for number in choices.rounds}
    placements: dict[str, PlacementOption] = {
        option.value: option for option in choices.placement
    }
    visible = sent.get("visibility", "")
    return TableWish(
        seats=tuple(_seat(row) for row in rows if row.kind != "empty"),
        rounds=rounds.get(sent.get("rounds", "")),
        placement=placements.get(sent.get("placement", "")),
        visibility=visible if visible in hosting.VISIBILITIES else "link",
    )


def _seat(row: Row) -> SeatWish:
    return BotSeat() if row.kind == "bot" else Guest(row.address, row.name)


def _labels(rows: tuple[Row, ...]) -> Mapping[str, str]:
    """The fields as hosting names them; its seats leave the empty rows out."""
    taken = [row for row in rows if row.kind != "empty"]
    labels = {
        "name": _("Your name"),
        "address": _("Your e-mail address"),
        "word": _("A word for the shuffle"),
        "seats": _("Seats"),
    }
    for at, row in enumerate(taken):
        labels[f"seats.{at}.name"] = _("Name of seat %(seat)s", seat=row.number + 1)
        labels[f"seats.{at}.address"] = _(
            "Address of seat %(seat)s", seat=row.number + 1
        )
    return labels
