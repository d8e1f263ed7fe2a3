"""What is kept for a while alone, and erased when the while is over."""

from collections.abc import Callable
from typing import Final

from service.store import codes, kept, tokens
from service.store.transactions import transaction
from worker import faults

_ERASE: Final[tuple[Callable[[], None], ...]] = (
    kept.forget_old,
    codes.forget_old,
    tokens.forget_old,
)


def tidy() -> None:
    """Erase what is old; each kind fails by itself."""
    for erase in _ERASE:
        with faults.contained("tidying_failed", kind=erase.__module__), transaction():
            erase()
