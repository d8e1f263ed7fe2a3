"""What is kept for a while alone, and ended or erased when the while is over."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from service.store import (
    codes,
    devices,
    expiry,
    forgetting,
    kept,
    links,
    networks,
    quotas,
    tokens,
)
from service.store.expiry import Due
from service.store.transactions import transaction
from service.tables import expiring
from worker import faults

_ERASE: Final[tuple[Callable[[], None], ...]] = (
    kept.forget_old,
    codes.forget_old,
    tokens.forget_old,
    quotas.forget_old,
    networks.forget_old,
)


_IN_BATCHES: Final[tuple[Callable[[int], int], ...]] = (
    forgetting.practice,
    forgetting.drafts,
    forgetting.mails,
    devices.forget_old,
    links.forget_old,
)

BATCH: Final = 50
"""So few that nobody waits for their erasing."""


def tidy() -> None:
    """End what nobody comes to, erase what is old; each kind fails by itself.

    Whoever was told of some remembered browsers today hears tomorrow of later ones.
    """
    with faults.contained("expiring_failed"):
        _expire_all()
    for erase_some in _IN_BATCHES:
        kind = f"{erase_some.__module__}.{erase_some.__name__}"
        with faults.contained("tidying_failed", kind=kind):
            _in_batches(erase_some)
    with faults.contained("telling_failed"):
        _in_batches(partial(devices.tell, None))
    for erase in _ERASE:
        with faults.contained("tidying_failed", kind=erase.__module__), transaction():
            erase()


def _in_batches(do_some: Callable[[int], int]) -> None:
    done = BATCH
    while done == BATCH:
        with transaction():
            done = do_some(BATCH)


def _expire_all() -> None:
    """Take the next step of every table that waits in vain; each fails by itself."""
    found: Sequence[Due] = ()
    while True:
        with transaction():
            found = expiry.due(found[-1] if found else None, BATCH)
        for table in found:
            with faults.contained("expiring_failed", game=str(table.id)):
                expiring.step(table.id)
        if len(found) < BATCH:
            return
