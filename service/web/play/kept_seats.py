"""Somebody else for a kept seat, on pages: named, objected to, withdrawn."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

import msgspec
from flask import Blueprint, Response, make_response, render_template, request

from engine.board import Seat
from engine.errors import Refusal
from service.present import error_texts
from service.present.languages import gettext as _
from service.store import replacements as replacementstore
from service.store import tables
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.replacements import Replacement
from service.store.seats import awaited, person_of
from service.tables import replacements
from service.tables.replacements import Namer
from service.values.enums import LinkPurpose, ReplacementState
from service.values.errors import Forbidden, Problem
from service.web.http import form_tokens, forms, opened_links
from service.web.play import page_model

bp = Blueprint("kept_seats", __name__)

NAME: Final = "name-somebody"
END: Final = "end-replacement"
USES: Final = (NAME, END)
"""What a form of a game's page wants, by its field `do`."""


class LeftSeat(msgspec.Struct, frozen=True):
    """A seat that a bot keeps, as somebody sees it who plays another.

    `named` is what the namer called whom they named, empty without a name; `by` who
    that was. `until` is when the day or the week is over. `may_end` tells that the
    reader may object, or withdraw what is `mine`; `may_name` that nobody is named.
    """

    seat: int
    name: str
    is_open: bool
    asked: bool
    named: str
    by: str
    until: datetime | None
    mine: bool
    may_end: bool
    may_name: bool
    before: str


def others(seen: GameReadModel, reader: int | None) -> tuple[LeftSeat, ...]:
    """The seats that a bot keeps, for somebody who plays another; else none."""
    if reader is None or seen.practice or not seen.game.running:
        return ()
    kept = [number for number, since in enumerate(seen.game.kept) if since]
    if not kept:
        return ()
    named = {each.seat: each for each in replacementstore.latest(seen.id)}
    back = awaited(seen.game)
    may_name = [s not in back and seen.game.leads_to_a_deal(Seat(s)) for s in kept]
    return tuple(
        _kept(seen, seat, named.get(seat), reader, may_name=free)
        for seat, free in zip(kept, may_name, strict=True)
    )


def _kept(
    seen: GameReadModel,
    seat: int,
    named: Replacement | None,
    reader: int,
    *,
    may_name: bool,
) -> LeftSeat:
    pending = named if named is not None and named.is_open else None
    mine = pending is not None and pending.by_seat == reader
    waits = pending is not None and pending.state is ReplacementState.NAMED
    alone = pending is not None and seen.game.has_bot(Seat(pending.by_seat))
    return LeftSeat(
        seat=seat,
        name=seen.seats[seat].name,
        is_open=pending is not None,
        asked=pending is not None and not waits,
        named="" if pending is None else pending.name or "",
        by="" if pending is None else seen.seats[pending.by_seat].name,
        until=None if pending is None else pending.due_at,
        mine=mine,
        may_end=mine or waits or alone,
        may_name=may_name and pending is None,
        before="" if named is None or pending is not None else _ended(named.state),
    )


def _ended(state: ReplacementState) -> str:
    """What became of whoever was named last."""
    endings: Mapping[ReplacementState, str] = {
        ReplacementState.DECLINED: _("Whoever was named said no thanks."),
        ReplacementState.LAPSED: _("Whoever was named did not answer in time."),
        ReplacementState.OBJECTED: _("Somebody objected to whoever was named."),
    }
    return endings.get(state, "")


def token(seen: GameReadModel, reader: int | None) -> str:
    """The token of the forms of a game's page about kept seats."""
    return "" if reader is None else form_tokens.make(NAME, str(seen.id), reader)


def change(seen: GameReadModel, reader: int, do: str) -> None:
    """Name somebody, object or withdraw, as the form says that a browser has sent.

    Raises Forbidden, and what `replacements.name` and `end` raise.
    """
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, NAME, str(seen.id), reader):
        raise Forbidden(reason="no-form-token")
    person_id = person_of(tables.chairs(seen.id)[reader])
    if person_id is None:
        raise Forbidden(reason="no-seat")
    seat = forms.number(request.form.get("seat", ""))
    if do == END:
        replacements.end(seen.id, seat, person_id)
        return
    replacements.name(
        seen.id,
        seat,
        Namer(person_id, request.remote_addr),
        request.form.get("address", ""),
        request.form.get("name", "").strip(),
    )


@bp.get("/o/<path:raw>")
@bp.get("/O/<path:raw>")
def show(raw: str) -> str:
    """Who is named for which seat, for whoever was mailed that they may object."""
    secret, link = opened_links.find(raw, LinkPurpose.REPLACEMENT)
    return _page(link, secret)


@bp.post("/o/<path:raw>")
@bp.post("/O/<path:raw>")
def act(raw: str) -> Response:
    """Object, or withdraw what one has named oneself."""
    secret, link = opened_links.find_posted(raw, END, LinkPurpose.REPLACEMENT)
    try:
        seat = forms.number(request.form.get("seat", ""))
        replacements.end(link.game_id, seat, link.person_id)
    except (Problem, Refusal) as error:
        page = _page(link, secret, error_texts.detail(error))
        return make_response(page, error_texts.status(error))
    return make_response(_page(link, secret, done=True))


def _page(link: LinkRow, secret: str, problem: str = "", *, done: bool = False) -> str:
    seen = opened_links.game(link)
    reader = link.seat if opened_links.is_seated(link) else None
    return render_template(
        "objecting.html",
        game=page_model.build(seen, None),
        seated=reader is not None,
        kept_seats=[seat for seat in others(seen, reader) if seat.is_open],
        token=opened_links.form_token(secret, END, None),
        problem=problem,
        done=done,
    )
