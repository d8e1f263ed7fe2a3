"""A proposal's page, which a mailed link opens: one button agrees, another refuses."""

from flask import Blueprint, Response, make_response, render_template, request

from engine.errors import Refusal
from service.game import agreements, handlers, table_acts
from service.present import error_texts
from service.store import proposals
from service.store.links import LinkRow
from service.values import entropy
from service.values.enums import LinkPurpose
from service.values.errors import Conflict, Forbidden
from service.values.principals import ProposalHolder
from service.web.http import forms, opened_links, seat_cookies
from service.web.play import proposal_forms

bp = Blueprint("proposals", __name__)

_VOTE = "vote"


@bp.get("/p/<path:raw>")
@bp.get("/P/<path:raw>")
def show(raw: str) -> str:
    """What is proposed, and who agrees so far; a look changes nothing."""
    token, link = opened_links.find(raw, LinkPurpose.PROPOSAL)
    return _page(link, token)


@bp.post("/p/<path:raw>")
@bp.post("/P/<path:raw>")
def vote(raw: str) -> Response:
    """Agree to what is proposed, or don't."""
    seat_cookies.check_origin()
    token, link = opened_links.find(raw, LinkPurpose.PROPOSAL)
    number = forms.number(request.form.get("proposal", ""))
    agrees = request.form.get("do") == proposal_forms.AGREE
    opened_links.check_form_token(token, _VOTE, number)
    holder = ProposalHolder(entropy.digest(token))
    try:
        table_acts.vote(link.game_id, holder, number, agrees=agrees)
    except (Refusal, Conflict) as error:
        why = error_texts.detail(error)
        return make_response(_page(link, token, why), error_texts.status(error))
    except handlers.NotAtTable as error:
        raise Forbidden(reason="no-seat") from error
    return make_response(_page(link, token, refused=not agrees))


def _page(
    link: LinkRow, token: str, problem: str = "", *, refused: bool = False
) -> str:
    seen, asked = opened_links.game(link), None
    if opened_links.is_theirs(link) and link.seat in agreements.asked(seen.game):
        latest = proposals.latest(link.game_id)
        asked = proposal_forms.asked(seen, link.seat, latest)
    return render_template(
        "proposal.html",
        table=seen,
        asked=asked,
        problem=problem,
        refused=refused,
        form_token="" if asked is None else _form_token(token, asked.number),
    )


def _form_token(token: str, number: int) -> str:
    return opened_links.form_token(token, _VOTE, number)
