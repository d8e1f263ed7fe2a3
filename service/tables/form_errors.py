"""All that is wrong with a wish at once, for a form that shows it."""

from collections.abc import Callable, Iterable
from functools import partial
from uuid import UUID

from engine.errors import Refusal
from service.tables import creation, seating
from service.tables.creation import Guest, HostWish, TableWish
from service.values.errors import Problem, PublicError


def of_wish(host: HostWish, wish: TableWish) -> tuple[PublicError, ...]:
    """All that keeps a wish from becoming a draft, but for the caps; writes nothing.

    A seat is named by its place among the wished ones: the first is `seats.0`.
    """
    keys: set[str] = set()
    looks: set[str] = set()
    checks: list[Callable[[], object]] = [
        partial(creation.host_name, host, looks),
        partial(creation.host_address, host, keys),
        partial(seating.hash_word, UUID(int=0), 0, host.word),
        partial(creation.options_of, wish),
        partial(creation.check_visible, wish),
    ]
    for at, seat in enumerate(wish.seats):
        if isinstance(seat, Guest):
            checks += [partial(creation.guest_name, seat, at, looks)]
            checks += [partial(creation.guest_address, seat, at, keys)]
    return of_checks(checks)


def of_checks(checks: Iterable[Callable[[], object]]) -> tuple[PublicError, ...]:
    """All that is raised by some checks, in their order."""
    found = (_fault(check) for check in checks)
    return tuple(fault for fault in found if fault is not None)


def _fault(check: Callable[[], object]) -> PublicError | None:
    try:
        check()
    except (Problem, Refusal) as fault:
        return fault
    return None
