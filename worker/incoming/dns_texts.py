"""TXT records of the domain name system, asked for with little patience."""

from typing import Final

from worker.outgoing import name_servers
from worker.outgoing.name_servers import Unanswered

SECONDS: Final = 3.0
"""The longest wait for an answer."""


def look_up(name: bytes) -> bytes | None:
    """The one TXT record of a name; None where there is none, or more than one."""
    try:
        records = name_servers.texts(name.decode("ascii"), SECONDS)
    except (Unanswered, UnicodeDecodeError):
        return None
    return records[0] if len(records) == 1 else None
