"""Joining a table by a mailed invitation: in, no thanks, or never again."""

from collections.abc import Mapping

from flask import Blueprint, Response, make_response, render_template, request

from engine.errors import Refusal
from service.present.languages import LANGUAGES
from service.present.languages import gettext as _
from service.store import opt_outs, people, tables
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.people import Profile
from service.tables import refusals, seating, succession
from service.values.enums import GameStatus, LinkPurpose, SeatState
from service.values.errors import NotFound, Problem
from service.web.http import forms, opened_links, readers
from service.web.http.forms import FormErrors
from service.web.play import departures
from service.web.table import arrival, time_zones

bp = Blueprint("joining", __name__)


@bp.get("/i/<path:raw>")
@bp.get("/I/<path:raw>")
def show(raw: str) -> str:
    """The table one is invited to, and three answers, none chosen."""
    link = opened_links.find(raw, LinkPurpose.INVITATION)[1]
    seen = opened_links.game(link)
    if not _is_open(seen, link):
        return _stale(seen, link)
    return _page(seen, link, None)


@bp.post("/i/<path:raw>")
@bp.post("/I/<path:raw>")
def respond(raw: str) -> Response:
    """Take the answer to an invitation; the last one in starts the game."""
    token, link = opened_links.find(raw, LinkPurpose.INVITATION)
    seen = opened_links.game(link)
    sent = request.form.get("choice")
    # Who wants no invitations at all is heard also where no seat is offered any more.
    if sent != refusals.InvitationAnswer.NEVER and not _is_open(seen, link):
        return make_response(_stale(seen, link), 409)
    if sent not in set(refusals.InvitationAnswer):
        nothing = FormErrors(422, {"choice": _("Choose one of the three.")})
        return _again(link, nothing)
    choice, kept = refusals.InvitationAnswer(sent), succession.is_about(link)
    try:
        word = request.form.get("word", "")
        if kept:
            succession.respond(link, choice, _profile(), token)
        else:
            seating.respond(link, choice, _profile(), word, token)
    except NotFound:
        return make_response(_stale(opened_links.game(link), link), 409)
    except (Problem, Refusal) as error:
        return _again(link, forms.form_error(error, _labels()))
    if choice is not refusals.InvitationAnswer.IN:
        never = choice is refusals.InvitationAnswer.NEVER
        return make_response(render_template("declined.html", never=never, kept=kept))
    return arrival.seated(link)


def _profile() -> Profile:
    language = request.form.get("language", "")
    return Profile(
        name=request.form.get("name", ""),
        language=language if language in LANGUAGES else readers.guessed_language(),
        zone=readers.known_zone(request.form.get("zone", "")),
    )


def _labels() -> Mapping[str, str]:
    return {"name": _("Your name"), "word": _("A word for the shuffle")}


def _is_open(seen: GameReadModel, link: LinkRow) -> bool:
    """Whether the invitation still waits for its answer."""
    if succession.asked(link) is not None:
        return True
    invited = seen.seats[link.seat].state == SeatState.INVITED
    return (
        seen.status == GameStatus.INVITING and invited and opened_links.is_seated(link)
    )


def _may_refuse(link: LinkRow) -> bool:
    """Whether there is somebody who hasn't asked yet for no invitations at all."""
    person = people.by_id(link.person_id)
    chair = tables.chairs(link.game_id)[link.seat]
    if person is None or person.address_key is None or refusals.has_taken(link, chair):
        return False
    return not opt_outs.has(person.address_key)


def _again(link: LinkRow, trouble: FormErrors) -> Response:
    seen = opened_links.game(link)
    if not _is_open(seen, link):
        return make_response(_stale(seen, link), 409)
    return forms.answer(_page(seen, link, trouble), trouble)


def _page(seen: GameReadModel, link: LinkRow, trouble: FormErrors | None) -> str:
    person = people.by_id(link.person_id)
    known = person is not None and person.verified
    asked = succession.asked(link)
    called = seen.seats[link.seat].name if asked is None else asked.name
    return render_template(
        "joining.html",
        table=seen,
        seat=link.seat,
        host=seen.seats[0 if asked is None else asked.by_seat].name,
        kept=asked is not None,
        remembers=asked is None or departures.may_come_back(seen, link.seat),
        name=person.profile.name if person and known else called,
        zone=person.profile.zone if person else readers.ZONES[0],
        zones=time_zones.options,
        language=readers.guessed_language(),
        languages=LANGUAGES,
        trouble=trouble,
        sent=request.form,
    )


def _stale(seen: GameReadModel, link: LinkRow) -> str:
    """Why an invitation can't be answered any more."""
    may_refuse = _may_refuse(link)
    if succession.is_about(link):
        mine = opened_links.is_theirs(link)
        return render_template(
            "seat_over.html", table=seen, mine=mine, may_refuse=may_refuse
        )
    seated = opened_links.is_seated(link)
    state = seen.seats[link.seat].state if seated else "withdrawn"
    return render_template(
        "invitation_over.html", table=seen, state=state, may_refuse=may_refuse
    )
