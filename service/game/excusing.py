"""Whose miss it isn't: the clock answers, and nothing is held against them.

It is kept beside the record, which says no more than that the clock answered.
"""

from collections.abc import Sequence
from uuid import UUID

from engine.board import Seat
from engine.state import Kind
from service.game import pace
from service.store import excuses
from service.store.games import Locked


def excuse(locked: Locked) -> None:
    """Hold what the clock answers now against nobody who couldn't help it.

    That is everybody where the worker comes late, else whoever gets no mail: in a row
    of misses as many of theirs as the game allows, so that a bot comes after twice as
    many.
    """
    asked, deadline = locked.game.decision, locked.deadline
    if asked is None or deadline is None:
        return
    owing = [seat for seat in locked.game.asked() if not locked.game.has_bot(seat)]
    late = pace.is_late(deadline, locked.now)
    seats = owing if late else _unreachable(locked, owing)
    if seats:
        excuses.add(
            UUID(locked.game.id),
            asked.number,
            seats,
            ballot=asked.kind is Kind.ELECTION,
            bounced=not late,
        )


def _unreachable(locked: Locked, owing: Sequence[Seat]) -> list[Seat]:
    """Those of some seats whose mails come back."""
    people = [locked.people[seat] for seat in owing]
    bouncing = excuses.bouncing([person for person in people if person is not None])
    return [seat for seat in owing if locked.people[seat] in bouncing]
