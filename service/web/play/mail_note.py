"""A line for the reader of a game's page: what became of the latest mail to them."""

from typing import assert_never

from service.present.languages import gettext as _
from service.store import last_mails
from service.store.games import GameReadModel
from service.store.transactions import transaction
from service.values.enums import DeliveryState
from service.web.http import readers


def line(seen: GameReadModel) -> str:
    """What became of it, in words; empty for whoever has no seat, or had no mail."""
    seat = seen.beside if seen.seat is None else seen.seat
    if seat is None or seen.practice:
        return ""
    with transaction():
        found = last_mails.of_seat(seen.id, seat)
    if found is None:
        return ""
    moment = readers.clock_time(found.at)
    match found.state:
        case DeliveryState.DELIVERED:
            return _("Last mail to you: delivered %(moment)s.", moment=moment)
        case DeliveryState.RETURNED:
            return _("Last mail to you: it came back %(moment)s.", moment=moment)
        case DeliveryState.REFUSED:
            return _("Last mail to you: no server took it, %(moment)s.", moment=moment)
        case _:
            assert_never(found.state)
