"""TXT records of the domain name system, asked for with little patience."""

from typing import Final

import dns.exception
import dns.resolver

SECONDS: Final = 3.0
"""The longest wait for an answer."""


def look_up(name: bytes) -> bytes | None:
    """The one TXT record of a name; None where there is none, or more than one."""
    try:
        asked = name.decode("ascii")
        found = dns.resolver.resolve(asked, "TXT", lifetime=SECONDS, search=False)
        records = [b"".join(record.strings) for record in found]
    except (dns.exception.DNSException, OSError, ValueError):
        return None
    return records[0] if len(records) == 1 else None
