"""Somebody has just taken a seat: what comes next, and their device if they wish."""

from flask import Response, make_response, render_template, request

from service.kinds import SeatState
from service.store import links as linkstore
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.web import devices, following, links
from service.web.following import Sitter
from service.web.shown import shown


def seated(link: LinkRow) -> Response:
    """The first decision, or the wait for others; the device, if that was ticked."""
    if not request.form.get("remember"):
        return make_response(_page(link, remembered=False))
    with transaction():
        token = linkstore.remember(link.game_id, link.person_id, link.seat)
    return devices.keep(
        make_response(_page(link, remembered=True)), link.game_id, token
    )


def _page(link: LinkRow, *, remembered: bool) -> str:
    seen = links.game(link)
    if not seen.game.seats:
        invited = [s.name for s in seen.seats if s.state == SeatState.INVITED]
        return render_template(
            "joined.html",
            table=seen,
            # Whoever has just sent the invitations wants to know where they went.
            mailed=invited if link.seat == 0 else [],
            remembered=remembered,
        )
    sitter = Sitter(link.game_id, link.person_id, link.seat)
    form = following.fresh_form(seen, sitter)
    return render_template(
        "begun.html",
        game=shown(seen, link.seat),
        form=form,
        waiting=following.waiting(seen),
        remembered=remembered,
    )
