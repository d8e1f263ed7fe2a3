"""Budgets of a day that many share, and how none of them is used up against others.

A network has a share. When three quarters of a budget are used, what is left goes one
each to networks that had none of it. What counts where: `docs/architecture.md`.
"""

from enum import StrEnum
from typing import Final

import msgspec
from flask import current_app

from service.config import Config
from service.rate_limits import network_digests
from service.store import quotas
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


RETRY_AFTER: Final = 3600
"""In how many seconds to ask again for what depends on others."""


class BudgetState(msgspec.Struct, frozen=True):
    """Whose share is used up, the network's or the instance's; None: there is room.

    That share is `most`, and there may be more in `retry_after` seconds. Where there is
    room, `cost` counts of what is asked for.
    """

    whose: str | None
    most: int
    cost: int = 0
    retry_after: int = RETRY_AFTER


def room(budget: Budget, origin: str | None, amount: int = 1) -> BudgetState:
    """Whether so many more mails fit into a budget.

    Of the last quarter a network gets one mail, or one table however many it invites.
    """
    settings: Config = current_app.config["KINGUP"]
    most = settings.invitations_a_day
    used = quotas.used(budget, bucket(budget, origin))
    share = max(most // _NETWORKS[budget], _LEAST_SHARE)
    if used.here >= share:
        return BudgetState("network", share, retry_after=used.seconds)
    if 4 * used.all < 3 * most and used.all + amount <= most:
        return BudgetState(None, most, amount)
    # So 200 networks leave something of a budget of 1,000 for another one.
    if used.here == 0 and used.all < most:
        return BudgetState(None, most, 1)
    return BudgetState("instance", most)


def take(budget: Budget, origin: str | None, amount: int = 1) -> None:
    """Count so many more mails. Raises TooManyInvitations where there is no room."""
    found = room(budget, origin, amount)
    if found.whose is not None:
        limit = "confirmations" if budget is Budget.DRAFTS else "invitations"
        raise TooManyInvitations(
            limit=limit,
            whose=found.whose,
            most=found.most,
            retry_after=found.retry_after,
        )
    count(budget, origin, found.cost)


def count(budget: Budget, origin: str | None, amount: int) -> None:
    """Count what was made, in the transaction that found room for it.

    Requests of the same moment may not see each other: a budget is exceeded by as many.
    """
    quotas.add(budget, bucket(budget, origin), amount)


def bucket(budget: Budget, origin: str | None) -> bytes:
    """What is kept of a network that has a share of a budget."""
    return network_digests.site(f"budget {budget}", origin)
