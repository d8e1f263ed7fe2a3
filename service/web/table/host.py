"""The host's page of a table that hasn't begun: send, watch, reseat, give up."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus

from flask import Blueprint, Response, make_response, render_template, request, url_for

from engine.bots import BOTS
from engine.errors import AlreadyStarted, Refusal
from service.present import nouns
from service.present.languages import gettext as _
from service.store import expiry as expirystore
from service.store import invitations as invitationstore
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.tables import (
    cancellation,
    expiry,
    joining,
    mending,
    seat_changes,
    seating,
)
from service.tables.creation import DEFAULT_BOT, Guest
from service.values.enums import GameStatus, LinkPurpose, SeatKind
from service.values.errors import Invalid, Problem
from service.web.http import forms, opened_links
from service.web.http.forms import FormErrors
from service.web.play import game_page
from service.web.table import arrival

bp = Blueprint("tables", __name__)


@bp.get("/t/<path:raw>")
@bp.get("/T/<path:raw>")
def show(raw: str) -> str:
    """How the table stands, and what its host may do; after the start, the game."""
    return _page(opened_links.find(raw, LinkPurpose.TABLE)[1])


@bp.post("/t/<path:raw>")
@bp.post("/T/<path:raw>")
def act(raw: str) -> Response:
    """What the host wants done with the table; nothing chosen changes nothing."""
    token, link = opened_links.find(raw, LinkPurpose.TABLE)
    ways = {
        "confirm": _confirm,
        "mend": _mend,
        "seat": _reseat,
        "keep": _keep,
        "give-up": _give_up,
    }
    way = ways.get(request.form.get("do", ""))
    if way is None:
        raise Invalid(field="do", reason="missing")
    try:
        return way(link)
    except (Problem, Refusal) as error:
        if opened_links.game(link).started_at is not None:
            return _too_late(token)
        trouble = forms.form_error(error, _labels())
        return forms.answer(_page(link, trouble), trouble)


def _too_late(token: str) -> Response:
    """What a page kept from before the start can't do any more, and a way on."""
    page = render_template(
        "too_late.html",
        wanted=request.form.get("do"),
        game=url_for("web.tables.show", raw=token),
    )
    return make_response(page, HTTPStatus.CONFLICT)


def _labels() -> dict[str, str]:
    return {
        "address": _("E-mail address"),
        "name": _("Name"),
        "choice": _("What to do"),
    }


def _nothing_chosen(link: LinkRow) -> Response:
    trouble = FormErrors(422, {}, _("Nothing was chosen, so nothing has happened."))
    return forms.answer(_page(link, trouble), trouble)


def _confirm(link: LinkRow) -> Response:
    seen = opened_links.game(link)
    match request.form.get("choice"):
        case "send" if seen.status == GameStatus.DRAFT:
            seating.confirm(link, request.remote_addr)
            return arrival.seated(link)
        case "send":
            return make_response(_page(link))
        case "discard" if seen.status == GameStatus.INVITING:
            out = _("The invitations are out; it was not thrown away.")
            return make_response(
                _page(link, FormErrors(HTTPStatus.CONFLICT, {}, out)), 409
            )
        case "discard":
            return _call_off(seen, link)
        case _:
            return _nothing_chosen(link)


def _mend(link: LinkRow) -> Response:
    """Correct names and addresses of a draft, of which nobody has been mailed.

    Raises AlreadyStarted.
    """
    if opened_links.game(link).started_at is not None:
        raise AlreadyStarted
    wanted = _typed_anew(link)
    errors = mending.faults(link.game_id, wanted)
    if errors:
        trouble = forms.form_errors(errors, _mend_labels(wanted))
        return forms.answer(_page(link, trouble), trouble)
    if mending.mend(link.game_id, wanted):
        return make_response(_page(link))
    out = _("The invitations are out; correct each address at its seat.")
    trouble = FormErrors(HTTPStatus.CONFLICT, {}, out)
    return forms.answer(_page(link, trouble), trouble)


def _typed_anew(link: LinkRow) -> Mapping[int, Guest]:
    """The host's friends by seat, with what was sent; what wasn't stays."""
    sent, before = request.form, arrival.typed_by(link)
    return {
        number: Guest(
            sent.get(f"seat{number}_address", guest.address),
            sent.get(f"seat{number}_name", guest.name),
        )
        for number, guest in before.items()
    }


def _mend_labels(wanted: Iterable[int]) -> dict[str, str]:
    found = {}
    for number in wanted:
        seat = number + 1
        found[f"seats.{number - 1}.name"] = _("Name of seat %(seat)s", seat=seat)
        found[f"seats.{number - 1}.address"] = _("Address of seat %(seat)s", seat=seat)
    return found


def _reseat(link: LinkRow) -> Response:
    """Give a seat that nobody has taken to a bot, or ask somebody else."""
    seat = forms.number(request.form.get("seat", ""))
    match request.form.get("choice"):
        case SeatKind.BOT:
            bot = request.form.get("bot", "")
            seat_changes.bot(link.game_id, seat, bot if bot in BOTS else DEFAULT_BOT)
        case "guest":
            address = request.form.get("address", "")
            name = request.form.get("name", "")
            seat_changes.guest(link.game_id, seat, address, name, request.remote_addr)
        case "correct":
            address = request.form.get("corrected", "")
            seat_changes.correct(link.game_id, seat, address, request.remote_addr)
        case SeatKind.OPEN:
            seat_changes.leave_open(link.game_id, seat)
        case _:
            return _nothing_chosen(link)
    seen = opened_links.game(link)
    if seen.game.running:
        return arrival.seated(link)
    return make_response(_page(link))


def _keep(link: LinkRow) -> Response:
    """Keep a table open that nobody has joined for long."""
    if request.form.get("choice") != "yes":
        return _nothing_chosen(link)
    expiry.prolong(link.game_id)
    return make_response(_page(link))


def _give_up(link: LinkRow) -> Response:
    """Call the table off, before the start."""
    if request.form.get("choice") != "yes":
        return _nothing_chosen(link)
    return _call_off(opened_links.game(link), link)


def _call_off(seen: GameReadModel, link: LinkRow) -> Response:
    """End a table before its start; once is enough. Raises AlreadyStarted."""
    if seen.started_at is not None:
        raise AlreadyStarted
    if seen.status != GameStatus.OVER:
        cancellation.give_up(link.game_id)
    return make_response(_page(link))


def _page(link: LinkRow, trouble: FormErrors | None = None) -> str:
    seen = opened_links.game(link)
    if seen.game.seats:
        return game_page.page(seen, trouble.general if trouble else "")
    return render_template(
        "table.html",
        table=seen,
        typed=arrival.typed_by(link),
        corrections=seat_changes.CORRECTIONS,
        trouble=trouble,
        expiring=expirystore.is_warned(link.game_id),
        bounced=invitationstore.bounced(link.game_id),
        join_url=joining.url(seen),
        at=_at(seen) if trouble else None,
        default_bot=DEFAULT_BOT,
        bots=tuple((name, nouns.bot_name(name)) for name in BOTS),
        sent=request.form,
    )


def _at(seen: GameReadModel) -> str:
    """The form that a trouble belongs to, by its id; "top" when it isn't there now."""
    number = forms.number(request.form.get("seat", ""))
    open_seats = {s.number for s in seen.seats if s.state in seat_changes.WAITING}
    match request.form.get("do"), seen.status:
        case "confirm", GameStatus.DRAFT:
            return "answer"
        case "mend", GameStatus.DRAFT:
            return "mend"
        case "seat", GameStatus.INVITING if number in open_seats:
            return f"seat-{number}"
        case "keep", GameStatus.INVITING if expirystore.is_warned(seen.id):
            return "keep"
        case "give-up", GameStatus.INVITING:
            return "give-up"
        case _:
            return "top"
