"""Waiting no longer, on the page of a game without a clock."""

from typing import Final

import msgspec
from flask import request

from engine.state import Kind
from service.game import pace, patience
from service.store import clock
from service.store.games import GameReadModel
from service.store.transactions import transaction
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder
from service.web.http import form_tokens, forms

END_WAIT: Final = "end-wait"


class Overdue(msgspec.Struct, frozen=True):
    """A wait that the reader may end: the form's token, and what that comes to."""

    token: str
    decision: int
    election: bool


def read(seen: GameReadModel) -> Overdue | None:
    """The wait that this browser's seat may end now, if there is one.

    Not that for the seat itself, which may rather answer; in an election it is offered
    to all alike, whoever has laid a card.
    """
    asked, game = seen.game.decision, seen.game
    if seen.seat is None or seen.practice or asked is None or seen.opened_at is None:
        return None
    if game.table.decision_time is not None or asked.seat == seen.seat:
        return None
    with transaction():
        if clock.now() < pace.silent_from(seen.opened_at):
            return None
    token = form_tokens.make(END_WAIT, str(seen.id), seen.seat, asked.number)
    return Overdue(token, asked.number, asked.kind is Kind.ELECTION)


def end_wait(seen: GameReadModel, holder: DeviceHolder) -> None:
    """End the wait that the form was for.

    Raises Forbidden, and what `patience.end_wait` raises.
    """
    decision = forms.number(request.form.get("decision", ""))
    sent, seat = request.form.get(form_tokens.FIELD, ""), seen.seat
    if seat is None or not form_tokens.is_good(
        sent, END_WAIT, str(seen.id), seat, decision
    ):
        raise Forbidden(reason="no-form-token")
    patience.end_wait(seen.id, holder, decision)
