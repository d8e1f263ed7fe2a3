"""Absences begin and end: seats go to bots that keep them, and back to their people."""

from collections.abc import Callable
from typing import Final

from service.game import away_seats
from service.store import absences
from service.store.absences import AwaySeat
from service.store.transactions import transaction
from worker import error_isolation

_BATCH: Final = 50


def sweep() -> None:
    """Hand over the seats of all whose days have begun, or are over, and count days."""
    # In this order: whoever is away again at once stays away.
    _each(absences.left, away_seats.leave)
    _each(absences.uncounted, away_seats.count)
    _each(absences.returning, away_seats.come_back)


def _each(
    find: Callable[[AwaySeat | None, int], tuple[AwaySeat, ...]],
    hand_over: Callable[[AwaySeat], None],
) -> None:
    """Hand over the seats that are found; each fails by itself."""
    found: tuple[AwaySeat, ...] = ()
    while True:
        with transaction():
            found = find(found[-1] if found else None, _BATCH)
        for away in found:
            with error_isolation.contained("absence_failed", game=str(away.game_id)):
                hand_over(away)
        if len(found) < _BATCH:
            return
