"""My cards by mail, on a game's page: the form of a remembered browser."""

from typing import Final

import msgspec
from flask import request

from service.game import card_mails
from service.store import card_orders
from service.store.games import GameReadModel
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder
from service.web.http import form_tokens

ORDER: Final = "mail-my-cards"
STOP: Final = "no-cards-by-mail"


class CardOrderForm(msgspec.Struct, frozen=True):
    """The form of a seat, and whether its cards are ordered."""

    token: str
    ordered: bool


def offered(seen: GameReadModel) -> CardOrderForm | None:
    """The form of this browser's seat; None where there are no cards to mail."""
    if seen.seat is None or seen.practice or not seen.game.running:
        return None
    token = form_tokens.make(ORDER, str(seen.id), seen.seat)
    return CardOrderForm(token, card_orders.is_there(seen.id, seen.seat))


def act(seen: GameReadModel, seat: int, holder: DeviceHolder, do: str) -> None:
    """Order the seat's cards, or no more of them.

    Raises Forbidden, and what `card_mails.order` raises.
    """
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, ORDER, str(seen.id), seat):
        raise Forbidden(reason="no-form-token")
    if do == ORDER:
        card_mails.order(seen.id, holder)
    else:
        card_mails.stop(seen.id, holder)
