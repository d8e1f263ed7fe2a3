"""Chairs that no person has been asked to: a bot's, and a free one."""

from collections.abc import Iterable

from service import names
from service.kinds import SeatState
from service.store import tables

_BOT_NAMES = ("Uno", "Due", "Tre", "Quattro", "Cinque", "Sei", "Sette")


def of_bot(number: int, bot: str, others: Iterable[tables.Chair]) -> tables.Chair:
    """A bot on a seat, by the first name that reads like nobody's else at the table.

    Bots are always in.
    """
    taken = {names.skeleton(each.name) for each in others if each.number != number}
    called = (f"Robot {word}" for word in _BOT_NAMES)
    name = next(each for each in called if names.skeleton(each) not in taken)
    return tables.Chair(number, None, bot, name, SeatState.JOINED)


def free(number: int, state: SeatState = SeatState.OPEN) -> tables.Chair:
    """A seat for whoever comes first, or if declined for somebody to be asked to."""
    return tables.Chair(number, None, None, names.of_seat(number), state)
