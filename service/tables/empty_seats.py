"""Chairs that no person has been asked to: a bot's, and a free one."""

from collections.abc import Iterable

from service.store import tables
from service.values import names
from service.values.enums import SeatState

_BOT_NAMES = ("Uno", "Due", "Tre", "Quattro", "Cinque", "Sei", "Sette")


def of_bot(
    number: int, bot: str, others: Iterable[tables.SeatRecord]
) -> tables.SeatRecord:
    """A bot on a seat, by the first name that reads like nobody's else at the table.

    Bots are always in.
    """
    taken = {names.skeleton(each.name) for each in others if each.number != number}
    called = (f"Robot {word}" for word in _BOT_NAMES)
    name = next(each for each in called if names.skeleton(each) not in taken)
    return tables.SeatRecord(number, None, bot, name, SeatState.JOINED)


def free(number: int, state: SeatState = SeatState.OPEN) -> tables.SeatRecord:
    """A seat for whoever comes first, or if declined for somebody to be asked to."""
    return tables.SeatRecord(number, None, None, names.of_seat(number), state)
