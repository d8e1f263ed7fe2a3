"""Budgets of a day that many share, and how none of them is used up against others.

A network has a share. When three quarters of a budget are used, what is left goes one
each to networks that had none of it. What counts where: `docs/architecture.md`.
"""

from enum import StrEnum
from functools import partial
from typing import Final

import msgspec
from flask import current_app

from service import config
from service.rate_limits import network_digests
from service.store import quotas
from service.store.transactions import before_commit
from service.values.errors import TooManyInvitations


class Budget(StrEnum):
    """What is counted apart, each up to `KINGUP_INVITATIONS_A_DAY`.

    HOSTS: invitations by whoever proved their mailbox a day ago or earlier. NEWCOMERS:
    by whoever proved it since. DRAFTS: tables for a host to confirm, asked for by
    strangers. CODES: for signing in. MOVES: codes for changes of address.
    """

    # A host known since the day before doesn't even meet those who have just proved a
    # mailbox.
    HOSTS = "hosts"
    NEWCOMERS = "newcomers"
    DRAFTS = "drafts"
    CODES = "codes"
    MOVES = "moves"


_NETWORKS: Final = {
    Budget.HOSTS: 10,
    Budget.NEWCOMERS: 10,
    Budget.DRAFTS: 50,
    Budget.CODES: 20,
    Budget.MOVES: 20,
}
"""How many networks use a budget up together, unless it is small."""

_LEAST_SHARE: Final = 10


_UNDER_WAY: Final = 100
"""How much of a budget may be about to be counted by others at any moment."""

RETRY_AFTER: Final = 3600
"""In how many seconds to ask again for what depends on others."""


class BudgetState(msgspec.Struct, frozen=True):
    """Whose share is used up, the network's or the instance's; None: there is room.

    That share is `most`, and there may be more in `retry_after` seconds. Where there is
    room, `cost` counts of what is asked for; `is_tight` tells that what others are
    about to count could make a difference.
    """

    whose: str | None
    most: int
    cost: int = 0
    retry_after: int = RETRY_AFTER
    is_tight: bool = False


def _room(
    budget: Budget, origin: str | None, amount: int = 1, before: int = 0
) -> BudgetState:
    """Whether so many more mails fit into a budget, beside so many `before`.

    Of the last quarter a network gets one mail, or one table however many it invites.
    """
    most = config.of(current_app).invitations_a_day
    used = quotas.used(budget, bucket(budget, origin))
    here, of_all = used.here + before, used.all + before
    share = max(most // _NETWORKS[budget], _LEAST_SHARE)
    tight = 4 * (of_all + _UNDER_WAY) >= 3 * most
    if here >= share:
        return BudgetState("network", share, retry_after=used.seconds)
    if 4 * of_all < 3 * most and of_all + amount <= most:
        return BudgetState(None, most, amount, is_tight=tight)
    # So 200 networks leave something of a budget of 1,000 for another one.
    if here == 0 and of_all < most:
        return BudgetState(None, most, 1, is_tight=tight)
    return BudgetState("instance", most)


def has_room(budget: Budget, origin: str | None, before: int = 0) -> bool:
    """Whether one more mail fits, beside so many that this transaction counts.

    Where little is left, whoever comes at the same moment waits for its end.
    """
    found = _room(budget, origin, before=before)
    if found.is_tight:
        quotas.hold_total(budget)
        found = _room(budget, origin, before=before)
    return found.whose is None


def take(budget: Budget, origin: str | None, amount: int = 1) -> None:
    """Count so many more mails, when the transaction is about to end.

    Raises TooManyInvitations where there is no room: at once, or if others have used
    up the last of it meanwhile, at the end.
    """
    found = _fitting(budget, origin, amount)
    before_commit(partial(_count, budget, origin, amount, found))


def _count(budget: Budget, origin: str | None, amount: int, found: BudgetState) -> None:
    # While much is left nobody waits: all that others are about to count fits, too.
    if found.is_tight:
        quotas.hold_total(budget)
        found = _fitting(budget, origin, amount)
    quotas.add_shared(budget, bucket(budget, origin), found.cost)


def _fitting(budget: Budget, origin: str | None, amount: int) -> BudgetState:
    found = _room(budget, origin, amount)
    if found.whose is not None:
        limit = "confirmations" if budget is Budget.DRAFTS else "invitations"
        raise TooManyInvitations(
            limit=limit,
            whose=found.whose,
            most=found.most,
            retry_after=found.retry_after,
        )
    return found


def count(budget: Budget, origin: str | None, amount: int) -> None:
    """Count what was made, whether or not there was room, at the transaction's end."""
    kept = bucket(budget, origin)
    before_commit(partial(quotas.add_shared, budget, kept, amount))


def bucket(budget: Budget, origin: str | None) -> bytes:
    """What is kept of a network that has a share of a budget."""
    return network_digests.site(f"budget {budget}", origin)
