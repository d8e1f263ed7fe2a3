"""Who is connected to this process, so that no single one takes all connections."""

import time
from collections import Counter
from ipaddress import IPv6Address, ip_address
from typing import Final

import structlog

from service.rate_limits import limits

_QUIET_SECONDS: Final = 60.0

_log = structlog.get_logger()


class Peers:
    """Counts connections by the network they come from, as limits count requests.

    With `most` 0 nobody is counted. Where it is said how many there may be `altogether`
    they have an end, too.
    """

    def __init__(self, most: int, *, altogether: int | None = None) -> None:
        self.most = most
        self._altogether = altogether
        self._connections: Counter[str] = Counter()
        self._quiet_until = 0.0

    def come(self, peer: str | None) -> bool:
        """Whether one more may stay, which is then counted.

        Once in a while the log tells that one may not.
        """
        if peer is None or not self.most:
            return True
        cap = self._reached(peer)
        if cap is not None:
            self._tell(cap)
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

    def _reached(self, peer: str) -> int | None:
        """The cap that would be passed by one more, if any."""
        if self._connections[peer] >= self.most:
            return self.most
        most = self._altogether
        return most if most and self._connections.total() >= most else None

    def _tell(self, cap: int) -> None:
        if time.monotonic() >= self._quiet_until:
            self._quiet_until = time.monotonic() + _QUIET_SECONDS
            _log.warning("connections_refused", most=cap)


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
