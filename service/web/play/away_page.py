"""When somebody can't play, and which mails they want, for all games.

By a link that was mailed to them: a browser is remembered for one game alone.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from typing import Final
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

from service.game import pace
from service.people import absences, accounts
from service.people.absences import AbsenceWish
from service.people.accounts import AccountChange
from service.present import times
from service.present.languages import gettext as _
from service.store import absences as absencestore
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values import free_time
from service.values.conflicts import AbsencesOverlap, TooManyAbsences
from service.values.enums import AbsenceChoice, MailChoice
from service.values.errors import Invalid, NotFound, TooManyChanges
from service.values.free_time import QuietHours
from service.web.http import forms, opened_links
from service.web.http.forms import FormErrors
from service.web.play import own_links

bp = Blueprint("away", __name__)

_USE: Final = "away"


class ListedAbsence(msgspec.Struct, frozen=True):
    """An absence in words."""

    id: UUID
    first: date
    last: date
    days: str
    bot: bool


@bp.get("/b/<path:raw>/away")
@bp.get("/B/<path:raw>/away")
def show(raw: str) -> Response:
    """When the link's person can't play; a look changes nothing."""
    token, link = own_links.find(raw)
    if link is None:
        return own_links.redirect_to_expired(token)
    return make_response(_page(link, token, request.args.get("done", "")))


@bp.post("/b/<path:raw>/away")
@bp.post("/B/<path:raw>/away")
def change(raw: str) -> Response:
    """Announce an absence or call one off, or change free time or which mails come."""
    token, link = own_links.find_posted(raw, _USE)
    if link is None:
        return own_links.redirect_to_expired(token)
    do = request.form.get("do", "")
    act = _ACTS.get(do)
    if act is None:
        raise NotFound(what="page")
    try:
        act(link.person_id)
    except (AbsencesOverlap, Invalid, TooManyAbsences, TooManyChanges) as error:
        found = forms.form_error(error, _labels())
        return forms.answer(_page(link, token, trouble=found), found)
    # What was called off is kept no more: the address says which days it was.
    first, last = map(request.form.get, ("first", "last"))
    if do != "call-off":
        first = last = None
    here = url_for("web.away.show", raw=token, done=do, first=first, last=last)
    return make_response(redirect(here, 303))


def _announce(person_id: UUID) -> None:
    choice = request.form.get("choice", "")
    if choice not in set(AbsenceChoice):
        raise Invalid(["choice"], reason="missing")
    wish = AbsenceWish(_day("first"), _day("last"), AbsenceChoice(choice))
    absences.announce(person_id, wish)


def _day(field: str) -> date:
    typed = request.form.get(field, "")
    if not typed:
        raise Invalid([field], reason="missing")
    try:
        return date.fromisoformat(typed)
    except ValueError as error:
        raise Invalid([field], reason="no-date") from error


def _call_off(person_id: UUID) -> None:
    # Pressed twice: it is gone already.
    with suppress(NotFound, ValueError):
        absences.call_off(person_id, UUID(request.form.get("absence", "")))


def _called_off() -> str:
    """The days that an address says were called off, in words; empty without any."""
    try:
        first, last = (
            date.fromisoformat(request.args.get(name, "")) for name in ("first", "last")
        )
    except ValueError:
        return ""
    return times.days(first, last)


def _keep_hours(person_id: UUID) -> None:
    begin, end = (request.form.get(name, "") for name in ("from", "to"))
    quiet = QuietHours(begin, end) if begin or end else None
    if quiet is not None:
        for field, typed in (("from", begin), ("to", end)):
            if not pace.is_time_of_day(typed):
                raise Invalid([field], reason="no-time-of-day")
        if not free_time.may_be_quiet(quiet):
            raise Invalid(["to"], reason="quiet-hours")
    weekends = request.form.get("weekends") == "yes"
    wish = AccountChange(quiet_hours=quiet, weekends=weekends)
    accounts.change(person_id, wish, request.remote_addr)


def _choose_mails(person_id: UUID) -> None:
    chosen = request.form.get("mails", "")
    if chosen not in set(MailChoice):
        raise Invalid(["mails"], reason="missing")
    wish = AccountChange(mails=MailChoice(chosen))
    accounts.change(person_id, wish, request.remote_addr)


_ACTS: Final[Mapping[str, Callable[[UUID], None]]] = {
    "announce": _announce,
    "call-off": _call_off,
    "hours": _keep_hours,
    "mails": _choose_mails,
}


def _labels() -> dict[str, str]:
    return {
        "first": _("First day"),
        "last": _("Last day"),
        "choice": _("What happens meanwhile"),
        "from": _("From"),
        "to": _("Until"),
        "mails": _("Mails"),
    }


def _page(
    link: LinkRow, token: str, done: str = "", trouble: FormErrors | None = None
) -> str:
    with transaction():
        person = accounts.known(link.person_id)
        ahead = absencestore.of_person(link.person_id)
    return render_template(
        "away.html",
        game_id=link.game_id,
        done=done,
        called_off=_called_off(),
        sent=request.form,
        trouble=trouble,
        labels=_labels(),
        zone=person.profile.zone,
        free=person.free,
        mails=person.mails,
        absences=[
            ListedAbsence(
                each.id,
                each.first,
                each.last,
                times.days(each.first, each.last),
                each.choice is AbsenceChoice.BOT,
            )
            for each in ahead
        ],
        form_token=opened_links.form_token(token, _USE, None),
    )
