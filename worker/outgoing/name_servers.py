"""What the domain name system says of a name or an address, asked with patience."""

from typing import Any, Final, Protocol

import dns.exception
import dns.resolver
import dns.reversename

SECONDS: Final = 10.0
"""The longest wait for an answer."""


class Unanswered(Exception):
    """The name servers of this machine don't answer: nobody knows what there is."""


class NameServers(Protocol):
    """What can be asked; a name that isn't there has nothing. Raises Unanswered."""

    def texts(self, name: str) -> tuple[str, ...]:
        """The TXT records of a name."""

    def addresses(self, host: str) -> tuple[str, ...]:
        """The addresses of a host."""

    def names(self, address: str) -> tuple[str, ...]:
        """The names that an address bears."""


class Dns:
    """The name servers that this machine knows."""

    def texts(self, name: str) -> tuple[str, ...]:
        """The TXT records of a name, each in one piece."""
        return tuple(text.decode("utf-8", "replace") for text in texts(name, SECONDS))

    def addresses(self, host: str) -> tuple[str, ...]:
        """The addresses of a host, those of IPv4 first."""
        return tuple(
            each.address for kind in ("A", "AAAA") for each in _ask(host, kind, SECONDS)
        )

    def names(self, address: str) -> tuple[str, ...]:
        """The names that an address bears, without the dot at their end."""
        reverse = dns.reversename.from_address(address).to_text()
        found = _ask(reverse, "PTR", SECONDS)
        return tuple(each.target.to_text(omit_final_dot=True).lower() for each in found)


def texts(name: str, seconds: float) -> tuple[bytes, ...]:
    """The TXT records of a name as they stand, each in one piece.

    Raises Unanswered after so many seconds.
    """
    return tuple(b"".join(each.strings) for each in _ask(name, "TXT", seconds))


def _ask(name: str, kind: str, seconds: float) -> tuple[Any, ...]:
    try:
        found = dns.resolver.resolve(name, kind, lifetime=seconds, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, ValueError):
        return ()
    except (dns.exception.DNSException, OSError) as error:
        raise Unanswered(name) from error
    return tuple(found)
