"""Who is connected to this process, so that no single one takes all connections."""

from collections import Counter
from ipaddress import IPv6Address, ip_address

from service import limits


class Peers:
    """Counts connections by the network they come from, as limits count requests.

    With `most` 0 nobody is counted.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._connections: Counter[str] = Counter()

    def come(self, peer: str | None) -> bool:
        """Whether one more may stay, which is then counted."""
        if peer is None or not self.most:
            return True
        if self._connections[peer] >= self.most:
            return False
        self._connections[peer] += 1
        return True

    def go(self, peer: str | None) -> None:
        """One that stayed is over."""
        if peer is None or not self.most:
            return
        self._connections[peer] -= 1
        if not self._connections[peer]:
            del self._connections[peer]


def peer(address: object) -> str | None:
    """For whom a connection counts; None for this machine itself.

    `address` is what the listening socket tells: of a Unix socket it is no pair.
    """
    if not isinstance(address, tuple):
        return None
    found = ip_address(address[0].partition("%")[0])
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    return None if found.is_loopback else limits.network(str(found))
