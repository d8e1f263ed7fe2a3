"""Until when a mail's question waits, and how its reader goes on after that."""

import msgspec

from service.present import terms, times
from service.present.languages import ngettext
from service.present.presentation import Presentation
from service.store.games import GameReadModel


class SpareTime(msgspec.Struct, frozen=True):
    """One piece of spare time in words, and how many there are yet."""

    piece: str
    times: str


class TimeLeft(msgspec.Struct, frozen=True):
    """Moments on the reader's clock, empty where there is none.

    `until` is the deadline, `paused` the end of the pause that runs.
    """

    until: str
    paused: str
    spare: SpareTime | None


def read(
    seen: GameReadModel, game: Presentation | None, seat: int, zone: str
) -> TimeLeft:
    """The time of the open question; a `game` that hasn't begun has none."""
    pause = None if game is None else game.pause
    return TimeLeft(
        until="" if seen.deadline is None else times.in_zone(seen.deadline, zone),
        paused="" if pause is None else times.in_zone(pause.until, zone),
        spare=None if game is None else _spare(seen, seat),
    )


def _spare(seen: GameReadModel, seat: int) -> SpareTime | None:
    """What a seat has left of it, as its table sees it, too; None for nothing."""
    options = seen.game.table
    left = options.spare - seen.seats[seat].spare_used
    if left <= 0 or options.decision_time is None:
        return None
    return SpareTime(
        terms.piece(options), ngettext("once", "up to %(num)s times", left)
    )
