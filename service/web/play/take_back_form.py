"""Taking back on a page what was just placed or moved."""

from typing import Final

import msgspec
from flask import request

from engine import taking_back
from engine.board import Seat
from service.game import acts_taken_back
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.values import entropy
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder, LinkHolder
from service.web.http import form_tokens, forms, opened_links

TAKE_BACK: Final = "take-back"


class Undoing(msgspec.Struct, frozen=True):
    """The form by which a decision's answer is taken back."""

    decision: int
    token: str


def by_device(seen: GameReadModel) -> Undoing | None:
    """The form for the seat of a remembered browser; None where nothing can be."""
    if seen.seat is None:
        return None
    decision = taking_back.reversible(seen.game, Seat(seen.seat))
    if decision is None:
        return None
    bound_to = (TAKE_BACK, str(seen.id), seen.seat, decision)
    return Undoing(decision, form_tokens.make(*bound_to))


def by_link(seen: GameReadModel, link: LinkRow, token: str) -> Undoing | None:
    """The form behind the link of the decision that was answered last, or None."""
    decision = taking_back.reversible(seen.game, Seat(link.seat))
    if decision is None or decision != link.decision:
        return None
    if not opened_links.is_seated(link):
        return None
    return Undoing(decision, opened_links.form_token(token, TAKE_BACK, decision))


def take_back_by_device(seen: GameReadModel, seat: int, holder: DeviceHolder) -> None:
    """Take back what the form names. Raises Forbidden for a form that isn't ours.

    And what `acts_taken_back.take_back` raises.
    """
    decision = forms.number(request.form.get("decision", ""))
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, TAKE_BACK, str(seen.id), seat, decision):
        raise Forbidden(reason="no-form-token")
    acts_taken_back.take_back(seen.id, holder, decision)


def take_back_by_link(link: LinkRow, token: str) -> int:
    """Take back what the link's decision was answered with; what is asked instead.

    Raises the same.
    """
    opened_links.check_form_token(token, TAKE_BACK, link.decision)
    holder = LinkHolder(entropy.digest(token))
    return acts_taken_back.take_back(link.game_id, holder, link.decision or 0)
