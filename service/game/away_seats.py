"""Seats of people who are away: a bot keeps them, until the days are over."""

from contextlib import suppress

from engine.board import Seat
from engine.errors import CardsNotOpen, GameNotRunning
from service.game import handlers, seatings
from service.game.unit_of_work import UnitOfWork
from service.store import absences
from service.store.absences import AwaySeat
from service.store.transactions import transaction
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


def come_back(away: AwaySeat) -> None:
    """Give a seat back to a person whose days are over, once their cards are open.

    Does nothing before. Raises UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        seatings.seat_person(work, Seat(away.seat))

    # In the round in which the bot came it is tried again later.
    with suppress(handlers.NotAtTable, CardsNotOpen):
        try:
            handlers.handle(away.game_id, System(), act)
        except GameNotRunning:
            with transaction():
                absences.stay(away)
