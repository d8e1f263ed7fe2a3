"""Tables to confirm: how many mails of that kind an address and all together get."""

from typing import Final

import msgspec

from service.rate_limits import budgets, network_digests
from service.rate_limits.budgets import Budget
from service.store import opt_outs, proved_networks, quotas
from service.tables import invitations
from service.values.addresses import Address

MAILS_A_DAY: Final = 3
"""The most tables an address is mailed to confirm at strangers' wish; as many more at
its owner's.
"""

_MAILED: Final = "confirmations"


class TableRequest(msgspec.Struct, frozen=True):
    """Where somebody asks for a table: an IP address, and what a browser keeps of us.

    `devices` are the hashes by which it says that it is remembered.
    """

    origin: str | None = None
    devices: tuple[bytes, ...] = ()


NOWHERE = TableRequest()


class CountedConfirmation(msgspec.Struct, frozen=True):
    """What the mail counts into by which a host is to confirm a table.

    `bucket` is the share of its address: its owner's where it was asked for from a
    network or browser of theirs, else that of all strangers. `by_browser` tells that it
    was a browser: then it counts into no budget of strangers. `is_wanted` tells whether
    the address may be mailed at all.
    """

    bucket: bytes
    by_browser: bool
    is_wanted: bool


def hold(mailbox: Address, asking: TableRequest) -> CountedConfirmation:
    """Count confirmations to an address alone until the transaction ends.

    Who asks from a network isn't told whether it is the owner's: the budget of all
    strangers counts them. First of all in the caller's transaction.
    """
    home = network_digests.known_network(asking.origin, mailbox.key)
    network, browser = proved_networks.is_theirs(mailbox.key, home, asking.devices)
    share = "confirmations of the owner" if network or browser else "confirmations"
    bucket = network_digests.of_address(share, mailbox.key)
    is_unwilling = opt_outs.has(mailbox.key)
    quotas.hold(bucket, budgets.bucket(Budget.DRAFTS, asking.origin))
    return CountedConfirmation(
        bucket, browser, invitations.may_host(mailbox) and not is_unwilling
    )


def take(found: CountedConfirmation, asking: TableRequest) -> bool:
    """Count one more confirmation; whether it is mailed, which nobody is told.

    All is looked up and written, whatever comes of it. Raises TooManyInvitations where
    the network's share or the instance's budget is used up.
    """
    if not found.by_browser:
        budgets.take(Budget.DRAFTS, asking.origin)
    has_room = quotas.used_by(_MAILED, found.bucket) < MAILS_A_DAY
    is_mailed = has_room and found.is_wanted
    quotas.add(_MAILED, found.bucket, int(is_mailed))
    return is_mailed
