"""All that is wrong with a wish at once, for a form that shows it."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from engine.errors import Refusal
from service import plan
from service.errors import Problem, Told
from service.tables import hosting, seating
from service.tables.hosting import Guest, HostWish, TableWish


def of_wish(host: HostWish, wish: TableWish) -> tuple[Told, ...]:
    """All that keeps a wish from becoming a draft, but for the caps; writes nothing.

    A seat is named by its place among the wished ones: the first is `seats.0`.
    """
    keys: set[str] = set()
    looks: set[str] = set()
    checks: list[Callable[[], object]] = [
        partial(hosting.host_name, host, looks),
        partial(hosting.host_address, host, keys),
        partial(seating.hash_word, UUID(int=0), 0, host.word),
        partial(hosting.options_of, wish, plan.PACE),
        partial(hosting.check_visible, wish),
    ]
    for at, seat in enumerate(wish.seats):
        if isinstance(seat, Guest):
            checks += [partial(hosting.guest_name, seat, at, looks)]
            checks += [partial(hosting.guest_address, seat, at, keys)]
    found = (_fault(check) for check in checks)
    return tuple(fault for fault in found if fault is not None)


def _fault(check: Callable[[], object]) -> Told | None:
    try:
        check()
    except (Problem, Refusal) as fault:
        return fault
    return None
