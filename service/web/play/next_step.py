"""What comes next for somebody who has just acted: their next decision, or the wait."""

from typing import Final
from uuid import UUID

import msgspec
from flask import url_for

from engine import views
from engine.board import Seat
from engine.editions.base import Edition
from engine.views import View
from service.present import sentences
from service.present.languages import gettext as _
from service.store import links as linkstore
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.web.http import form_tokens, opened_links
from service.web.play import choice_form

ANCHOR: Final = "choose"
"""Where on a page something is to be chosen, or was: a browser stands there next."""


class Sitter(msgspec.Struct, frozen=True):
    """Somebody proved to sit on a seat of a game."""

    game_id: UUID
    person_id: UUID
    seat: int


def device_form(seen: GameReadModel, view: View) -> choice_form.ChoiceForm | None:
    """The decision form of a remembered browser; None when its seat isn't asked."""
    if view.own is None or view.decision is None:
        return None
    form_token = _device_form_token(seen.id, view.own.seat, view.decision.number)
    action = url_for("web.games.show", game_id=seen.id, _anchor=ANCHOR)
    return choice_form.form(view, seen.game.law, action, form_token)


def _device_form_token(game_id: UUID, seat: int, decision: int) -> str:
    """The token of a remembered browser's form, good for one decision."""
    return form_tokens.make("seat", str(game_id), seat, decision)


def link_form(
    token: str, decision: int, view: View, law: Edition
) -> choice_form.ChoiceForm | None:
    """The decision form behind a mailed link; None when nothing is to be answered."""
    form_token = opened_links.form_token(token, "answer", decision)
    action = url_for("web.decisions.show", raw=token, _anchor=ANCHOR)
    return choice_form.form(view, law, action, form_token)


def fresh_form(seen: GameReadModel, sitter: Sitter) -> choice_form.ChoiceForm | None:
    """The form of the next decision at once, on a link made for it; or None.

    For whoever has just acted on that seat by a mailed link: they needn't wait for the
    mail. What they act on next leads no further.
    """
    view = views.view(seen.game, Seat(sitter.seat))
    if view.own is None or view.decision is None or not view.own.legal:
        return None
    number = view.decision.number
    row = LinkRow("next", sitter.game_id, sitter.person_id, sitter.seat, number)
    with transaction():
        token = linkstore.add(row)
    return link_form(token, number, view, seen.game.law)


def waiting(seen: GameReadModel) -> str:
    """Whom the game waits for, told to somebody who isn't asked now."""
    decision = seen.game.decision
    if decision is None:
        return _("The game is over.")
    if decision.seat is None:
        return _("When every card is in, they are turned over together.")
    name = sentences.isolated(seen.seats[decision.seat].name)
    return _("Now it is %(name)s's turn.", name=name)


def awaited(seen: GameReadModel) -> str:
    """What a page that looks again by itself waits for.

    In an election it names nobody: that would tell who has laid a card.
    """
    decision = seen.game.decision
    if decision is None:
        return ""
    asked = range(len(seen.seats)) if decision.seat is None else (decision.seat,)
    if all(seen.seats[seat].bot or seat == seen.seat for seat in asked):
        return _("The bots are thinking.")
    if decision.seat is None:
        return _("Waiting until every card is in.")
    name = sentences.isolated(seen.seats[decision.seat].name)
    return _("Waiting for %(name)s.", name=name)
