"""What is kept for a while alone, and ended or erased when the while is over."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from service.store import (
    absences,
    codes,
    devices,
    idempotency,
    incoming_mails,
    links,
    lost_mails,
    mailed_votes,
    outages,
    proved_networks,
    quotas,
    retention,
    tokens,
)
from service.store import expiry as expirystore
from service.store.expiry import Due
from service.store.transactions import transaction
from service.tables import expiry
from worker import error_isolation

_ERASE: Final[tuple[Callable[[], None], ...]] = (
    idempotency.forget_old,
    codes.forget_old,
    tokens.forget_old,
    quotas.forget_old,
    proved_networks.forget_old,
    absences.forget_old,
    outages.forget_old,
    incoming_mails.give_up,
)


_IN_BATCHES: Final[tuple[Callable[[int], int], ...]] = (
    retention.practice,
    retention.drafts,
    retention.mails,
    devices.forget_old,
    links.forget_old,
    lost_mails.forget_old,
    incoming_mails.forget_old,
    mailed_votes.forget_old,
)

BATCH: Final = 50
"""So few that nobody waits for their erasing."""


def tidy() -> None:
    """End what nobody comes to, erase what is old; each kind fails by itself.

    Whoever was told of some remembered browsers today hears tomorrow of later ones.
    """
    with error_isolation.contained("expiring_failed"):
        _expire_all()
    for erase_some in _IN_BATCHES:
        kind = f"{erase_some.__module__}.{erase_some.__name__}"
        with error_isolation.contained("tidying_failed", kind=kind):
            _in_batches(erase_some)
    with error_isolation.contained("telling_failed"):
        _in_batches(partial(devices.tell, None))
    for erase in _ERASE:
        with (
            error_isolation.contained("tidying_failed", kind=erase.__module__),
            transaction(),
        ):
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
            found = expirystore.due(found[-1] if found else None, BATCH)
        for table in found:
            with error_isolation.contained("expiring_failed", game=str(table.id)):
                expiry.step(table.id)
        if len(found) < BATCH:
            return
