"""What people lost of their time by an outage is given back, in every game there is."""

from typing import Final
from uuid import UUID

from service.game import handlers, time_up
from service.store import outages
from service.store.outages import Outage
from service.store.transactions import transaction
from worker import error_isolation

BATCH: Final = 100

_FIRST: Final = UUID(int=0)


def give_back() -> None:
    """Move the deadlines that an outage has yet to move; each game fails by itself.

    Any number of workers may do so at once, and any of them may die.
    """
    with transaction():
        pending = outages.pending()
    for outage in pending:
        _give_back(outage)
        # A game that failed gets it back all the same, before its deadline counts.
        with transaction():
            outages.settle(outage)


def _give_back(outage: Outage) -> None:
    after = _FIRST
    while True:
        with transaction():
            games = outages.affected(outage, after, BATCH)
        for game_id in games:
            with error_isolation.contained("giving_back_failed", game=str(game_id)):
                _move(game_id)
        if len(games) < BATCH:
            return
        after = games[-1]


def _move(game_id: UUID) -> None:
    try:
        time_up.give_back(game_id)
    except handlers.NotAtTable:
        # It was erased meanwhile.
        return
