"""What is kept for a while alone, and erased when the while is over."""

from collections.abc import Callable
from typing import Final

from service.store import codes, forgetting, kept, tokens
from service.store.transactions import transaction
from worker import faults

_ERASE: Final[tuple[Callable[[], None], ...]] = (
    kept.forget_old,
    codes.forget_old,
    tokens.forget_old,
)


_IN_BATCHES: Final[tuple[Callable[[int], int], ...]] = (
    forgetting.practice,
    forgetting.drafts,
)

BATCH: Final = 50
"""So few games that nobody waits for their erasing."""


def tidy() -> None:
    """Erase what is old; each kind fails by itself."""
    for erase_some in _IN_BATCHES:
        with faults.contained("tidying_failed", kind=erase_some.__name__):
            _erase_all(erase_some)
    for erase in _ERASE:
        with faults.contained("tidying_failed", kind=erase.__module__), transaction():
            erase()


def _erase_all(erase_some: Callable[[int], int]) -> None:
    erased = BATCH
    while erased == BATCH:
        with transaction():
            erased = erase_some(BATCH)
