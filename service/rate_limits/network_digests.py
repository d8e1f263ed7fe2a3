"""Where requests come from, as it is kept: by keyed digests that name nobody."""

import hashlib
from typing import Final

from flask import current_app

from service import config
from service.rate_limits import limits

_SITE_DIGITS: Final = 12
"""So many hexadecimal ones say which /48 an address of IPv6 is of."""


def digest(purpose: str, origin: str | None, about: str) -> bytes:
    """What is kept of the network an IP address belongs to, in 16 bytes.

    Another purpose, and whatever else it is `about`, gives another digest, so that no
    rows show who shares a network.
    """
    return _keyed(purpose, f"{limits.network(origin or '')} {about}")


def known_network(origin: str | None, key: str) -> bytes:
    """What is kept of a network where the owner of an address proved it, by its key."""
    return digest("known networks", origin, key)


def site(purpose: str, origin: str | None) -> bytes:
    """What is kept of the network that has a share of its own of what all share.

    Wider than elsewhere: whoever rents a machine gets 65,536 networks of IPv6 with it.
    """
    first_half, of_ipv6, _ = limits.network(origin or "").partition("::/")
    network = first_half[:_SITE_DIGITS] if of_ipv6 else first_half
    return _keyed(purpose, network)


def of_address(purpose: str, key: str) -> bytes:
    """What is kept of an address, from its key, where only its counts matter."""
    return _keyed(purpose, key)


def _keyed(purpose: str, said: str) -> bytes:
    secret = config.of(current_app).secret_key
    key = hashlib.sha256(f"{purpose} {secret}".encode()).digest()
    return hashlib.blake2b(said.encode(), key=key, digest_size=16).digest()
