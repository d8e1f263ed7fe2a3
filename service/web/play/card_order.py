"""My cards by mail: the form on a game's page, and beside cards that a link opened."""

from typing import Final

import msgspec
from flask import request

from service.game import card_mails
from service.store import card_orders
from service.store.games import GameReadModel
from service.store.links import LinkRow
from service.values import entropy
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder, LinkHolder
from service.web.http import form_tokens, opened_links

ORDER: Final = "mail-my-cards"
STOP: Final = "no-cards-by-mail"
ACTS: Final = (ORDER, STOP)


class NotMeant(Exception):
    """It isn't ticked that this is meant: programs press buttons of mailed pages."""


class CardOrderForm(msgspec.Struct, frozen=True):
    """The form of a seat, and whether its cards are ordered.

    It has to be `ticked` where a mailed link has opened its page.
    """

    token: str
    ordered: bool
    ticked: bool = False


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


def by_link(seen: GameReadModel, link: LinkRow, token: str) -> CardOrderForm | None:
    """The same for whoever has opened a seat's cards by a mailed link."""
    if seen.practice or not seen.game.running:
        return None
    mark = opened_links.form_token(token, ORDER, link.decision)
    return CardOrderForm(mark, card_orders.is_there(seen.id, link.seat), ticked=True)


def act_by_link(link: LinkRow, token: str, do: str) -> None:
    """Order the cards of a link's seat, or no more: they go to their owner alone.

    Raises Forbidden, NotMeant, and what `card_mails.order` raises.
    """
    opened_links.check_form_token(token, ORDER, link.decision)
    if request.form.get("sure") != "yes":
        raise NotMeant
    change = card_mails.order if do == ORDER else card_mails.stop
    change(link.game_id, LinkHolder(entropy.digest(token)), link.decision)
