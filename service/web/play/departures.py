"""Leaving a game on its page, and coming back to it."""

from typing import Final

import msgspec
from flask import request

from engine.board import Seat
from service.game import table_acts
from service.store import replacements
from service.store.games import GameReadModel
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder
from service.web.http import form_tokens

LEAVE: Final = "leave"
COME_BACK: Final = "come-back"


class KeptSeat(msgspec.Struct, frozen=True):
    """A seat that a bot keeps for the reader.

    `token` is that of the form to come back by; empty while the cards aren't open.
    `named` tells that somebody else is named for it, who isn't in yet.
    """

    token: str
    named: bool


def leave_token(seen: GameReadModel) -> str:
    """The token of the form by which this browser's seat is left.

    Empty where there is nothing to leave; from practice one just goes away.
    """
    if seen.seat is None or seen.practice or not seen.game.running:
        return ""
    return form_tokens.make(LEAVE, str(seen.id), seen.seat)


def belongs(seen: GameReadModel) -> bool:
    """Whether the reader plays a seat, or may come back to one."""
    return seen.seat is not None or seen.beside is not None


def kept_seat(seen: GameReadModel) -> KeptSeat | None:
    """What this browser's person has left and may come back to, if anything."""
    if seen.beside is None or not seen.game.running:
        return None
    named = is_named(seen, seen.beside)
    if not may_come_back(seen, seen.beside):
        return KeptSeat("", named)
    return KeptSeat(form_tokens.make(COME_BACK, str(seen.id), seen.beside), named)


def may_come_back(seen: GameReadModel, seat: int) -> bool:
    """Whether the cards are open that somebody left behind on a seat."""
    return seen.game.running and seen.game.may_return(Seat(seat))


def is_named(seen: GameReadModel, seat: int) -> bool:
    """Whether somebody else is named for a kept seat: that, and not who."""
    return replacements.open_at(seen.id, seat) is not None


def leave(seen: GameReadModel, holder: DeviceHolder) -> bool:
    """Leave the seat of a browser; False where it isn't said that this is meant.

    Raises Forbidden, and what `table_acts.depart` raises.
    """
    seat = _proved(seen, LEAVE, seen.seat)
    if request.form.get("sure") != "yes":
        return False
    table_acts.depart(seen.id, holder, seat)
    return True


def come_back(seen: GameReadModel, holder: DeviceHolder) -> None:
    """Play the seat of a browser again. Raises what `table_acts.come_back` raises."""
    seat = _proved(seen, COME_BACK, seen.beside)
    table_acts.come_back(seen.id, holder, seat)


def _proved(seen: GameReadModel, use: str, seat: int | None) -> int:
    """The seat, if the form that was sent is ours and for it. Raises Forbidden."""
    sent = request.form.get(form_tokens.FIELD, "")
    if seat is None or not form_tokens.is_good(sent, use, str(seen.id), seat):
        raise Forbidden(reason="no-form-token")
    return seat
