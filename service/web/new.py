"""A new game with friends: its host says who, and how, and is mailed first."""

from collections.abc import Iterator, Mapping

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
from engine.errors import Refusal
from service import hosting
from service.errors import Problem
from service.hosting import BotSeat, Guest, HostWish, SeatWish, TableWish
from service.i18n import gettext as _
from service.store.people import Profile
from service.web import forms, readers
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
    """Keep a draft and mail its host; nobody else hears before the host agrees."""
    rows = tuple(_rows(request.form))
    try:
        hosting.draft(_host(request.form), _table(request.form, rows))
    except (Problem, Refusal) as error:
        trouble = forms.trouble(error, _labels(rows))
        return make_response(_page(rows, request.form, trouble), trouble.status)
    return make_response(redirect(url_for("web.new.mailed"), 303))


@bp.get("/new/mailed")
def mailed() -> str:
    """What happens next."""
    return render_template("mailed.html")


def _page(
    rows: tuple[Row, ...], sent: Mapping[str, str], trouble: Trouble | None
) -> str:
    return render_template(
        "new.html",
        rows=rows,
        sent=sent,
        trouble=trouble,
        zones=readers.ZONES,
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
    for at, row in enumerate(taken, start=1):
        labels[f"seats.{at}.name"] = _("Name of seat %(seat)s", seat=row.number + 1)
        labels[f"seats.{at}.address"] = _(
            "Address of seat %(seat)s", seat=row.number + 1
        )
    return labels
