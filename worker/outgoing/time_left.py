"""Until when a mail's question waits, and how its reader goes on after that."""

import msgspec

from engine.state import Kind
from service.present import terms, times
from service.present.languages import ngettext
from service.present.presentation import Presentation
from service.store.games import GameReadModel
from service.store.outbox import ClaimedMail


class SpareTime(msgspec.Struct, frozen=True):
    """One piece of spare time in words, and how many there are yet."""

    piece: str
    times: str


class TimeLeft(msgspec.Struct, frozen=True):
    """Moments on the reader's clock, empty where there is none.

    `until` is the deadline, `paused` the end of the pause that runs; `bot` says after
    how many answers of the clock a bot comes.
    """

    until: str
    paused: str
    spare: SpareTime | None
    bot: str


def read(
    seen: GameReadModel, game: Presentation | None, seat: int, mail: ClaimedMail
) -> TimeLeft:
    """The time of the open question; a `game` that hasn't begun has none."""
    zone = mail.reader.profile.zone
    pause = None if game is None else game.pause
    return TimeLeft(
        until=""
        if seen.deadline is None
        else times.spoken(seen.deadline, zone, mail.now),
        paused="" if pause is None else times.spoken(pause.until, zone, mail.now),
        spare=None if game is None else _spare(seen, seat),
        bot="" if game is None or game.question is None else _bot(seen, seat),
    )


def _bot(seen: GameReadModel, seat: int) -> str:
    """After what a bot keeps a seat; in an election the same for everybody."""
    most, asked = seen.game.table.misses, seen.game.decision
    if asked is None or asked.kind is Kind.ELECTION:
        # How many ballots in a row the clock has laid is as secret as they are.
        return ngettext(
            "A bot keeps the seat of whoever has left an answer to the clock when the"
            " round is over, until they are back.",
            "A bot keeps the seat of whoever has left %(num)s answers in a row to the"
            " clock when the round is over, until they are back.",
            most,
        )
    return ngettext(
        "If the clock answers for you this time, a bot keeps your seat until you are"
        " back.",
        "If the clock answers for you %(num)s times in a row, a bot keeps your seat"
        " until you are back.",
        max(1, most - seen.game.missed[seat]),
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
