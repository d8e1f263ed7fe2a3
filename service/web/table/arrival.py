"""Somebody has just taken a seat: what comes next, and a mail if they wish."""

from collections.abc import Mapping

from flask import Response, make_response, render_template, request

from service.people import remembered_browsers
from service.store import tables
from service.store.links import LinkRow
from service.tables import mending
from service.tables.creation import Guest
from service.values.enums import SeatState
from service.web.http import opened_links
from service.web.play import board_model, next_step, page_model


def seated(link: LinkRow) -> Response:
    """The first decision, or the wait for others.

    A link that has a device remembered is on its way, if that was ticked.
    """
    # The link itself has none remembered: it may have been forwarded.
    # Whose seat a bot still plays has nothing yet that a device could open.
    asked = bool(request.form.get("remember")) and opened_links.is_seated(link)
    if asked:
        remembered_browsers.ask(link.game_id, link.person_id, link.seat)
    return make_response(_page(link, asked=asked))


def typed_by(link: LinkRow) -> Mapping[int, Guest]:
    """The friends as a table's host has typed them, by seat; none for anybody else."""
    # Addresses are for the host alone, whatever else a link may lead here.
    hosts = link.seat == 0 and opened_links.is_seated(link)
    return mending.typed(tables.chairs(link.game_id)) if hosts else {}


def _page(link: LinkRow, *, asked: bool) -> str:
    seen = opened_links.game(link)
    if not seen.game.seats:
        invited = [s.name for s in seen.seats if s.state == SeatState.INVITED]
        return render_template(
            "joined.html",
            table=seen,
            # Whoever has just sent the invitations wants to know where they went.
            mailed=invited if link.seat == 0 else [],
            typed=typed_by(link),
            asked=asked,
        )
    # Whoever takes a seat over sees nothing of its cards as long as a bot plays it.
    if not opened_links.is_seated(link):
        coming = page_model.build(seen, None)
        return render_template("coming.html", game=coming, asked=asked)
    game = page_model.build(seen, link.seat)
    form = next_step.fresh_form(game, link)
    return render_template(
        "begun.html",
        game=game,
        form=form,
        board=board_model.build(form, game),
        waiting=next_step.waiting(game),
        asked=asked,
    )
