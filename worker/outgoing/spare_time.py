"""How long a mail's reader goes on once the time for an answer is up."""

import msgspec

from service.present import terms
from service.present.languages import ngettext
from service.store.games import GameReadModel


class SpareTime(msgspec.Struct, frozen=True):
    """One piece of spare time in words, and how many there are yet."""

    piece: str
    times: str


def of(seen: GameReadModel, seat: int) -> SpareTime | None:
    """What a seat has left of it, as its table sees it, too; None for nothing."""
    options = seen.game.table
    left = options.spare - seen.seats[seat].spare_used
    if left <= 0 or options.decision_time is None:
        return None
    times = ngettext("once", "up to %(num)s times", left)
    return SpareTime(terms.piece(options), times)
