"""Whoever is named for a kept seat is asked once nobody has objected, or it lapses."""

from typing import Final

from service.store import replacements as store
from service.store.transactions import transaction
from service.tables import replacements
from worker import error_isolation

_BATCH: Final = 50


def sweep() -> None:
    """Mail whoever was named for a kept seat, or let it lapse; each fails by itself."""
    failed = 0
    while True:
        with transaction():
            found = store.due(_BATCH, failed)
        for each in found:
            done = False
            with error_isolation.contained("replacing_failed", game=str(each.game_id)):
                replacements.step(each.game_id, each.seat)
                done = True
            failed += not done
        if len(found) < _BATCH:
            return
