"""The people whom the open decision was put to, and when something may end for them.

All of them, whoever has laid a card by now: a moment that waited only for those who
still owe one would tell who they are.
"""

from uuid import UUID

from engine.board import Seat
from engine.state import Game
from service.store import availability
from service.store.availability import Availability


def availabilities(game: Game, practice: bool) -> tuple[Availability, ...]:
    """When what the game asks may end, for each person it asks, in seat order.

    Nobody where no decision is open, nor who practises: they let time pass themselves.
    """
    asked = game.decision
    if asked is None or practice:
        return ()
    everybody = map(Seat, range(len(game.seats)))
    seats = everybody if asked.seat is None else (asked.seat,)
    people = [seat for seat in seats if not game.has_bot(seat)]
    return availability.of_seats(UUID(game.id), people) if people else ()
