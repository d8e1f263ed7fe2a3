"""Seats of people who are away: a bot keeps them, until the days are over.

For so many days of a game in all, as where it waits, they are awaited meanwhile.
"""

from contextlib import suppress

from engine.board import Seat
from engine.errors import GameNotRunning
from service.game import agreements, consequences, handlers, postponement, seatings
from service.game.unit_of_work import UnitOfWork
from service.store import absences, event_log
from service.store.absences import AwaySeat
from service.values.principals import System


def leave(away: AwaySeat) -> None:
    """Let a bot keep the seat of somebody who is away; again it does nothing.

    Whoever has left it themself doesn't come back by this either. Raises UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        is_played = not work.game.has_bot(Seat(away.seat))
        seatings.seat_bot(work, Seat(away.seat))
        absences.mark(away, returns=is_played)

    with suppress(handlers.NotAtTable, GameNotRunning):
        handlers.handle(away.game_id, System(), act)


def count(away: AwaySeat) -> None:
    """Count the days for which somebody is away; beyond the most they have left.

    Nobody waits for them any more, who may come back like anybody with too many misses,
    and hear so. Raises UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        if absences.count(away) > postponement.MOST_DAYS:
            _give_up(work, away)

    with suppress(handlers.NotAtTable):
        handlers.handle(away.game_id, System(), act)


def _give_up(work: UnitOfWork, away: AwaySeat) -> None:
    locked = work.locked
    if not work.game.running or not absences.end(away, comes_in=False):
        return
    lost = (Seat(away.seat),)
    told = consequences.losses(work.game, lost, locked.record, locked.people)
    event_log.notify(away.game_id, told)
    agreements.part(work, lost)


def come_back(away: AwaySeat) -> None:
    """Give a seat back to a person whose days are over; at the next deal, if not now.

    Not in the round in which the bot came, and in no game that is over. Raises
    UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        if absences.end(away, comes_in=work.game.running):
            seatings.come_in(work, Seat(away.seat))

    with suppress(handlers.NotAtTable):
        handlers.handle(away.game_id, System(), act)
