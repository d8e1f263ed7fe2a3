"""TXT records of the domain name system, asked for with little patience.

Whoever writes says which name servers are asked, and theirs may keep silent: so one
answer is waited for at a time, in the whole instance, and a domain that was silent is
asked again after a while only. However many such mails come, they hold up one process
at most, and that for three seconds in five minutes for each domain and process.
"""

import time
from typing import Final

from service.store import incoming_mails
from service.store.transactions import transaction
from worker.outgoing import name_servers
from worker.outgoing.name_servers import Unanswered

SECONDS: Final = 3.0
"""The longest wait for an answer; the transaction that keeps others from asking may be
idle for five."""

SILENT_SECONDS: Final = 300.0
"""So long a domain isn't asked that gave no answer in that time."""

_MOST_SILENT: Final = 1_000

_silent: dict[bytes, float] = {}
"""Since when each domain is silent, by this process' clock, the oldest first."""


class Occupied(Exception):
    """Name servers are being asked about another mail; it is a matter of seconds."""


def look_up(name: bytes) -> bytes | None:
    """The one TXT record of a name; None where there is none, or more than one.

    Raises Occupied.
    """
    domain = _domain(name)
    since = _silent.get(domain)
    if since is not None and time.monotonic() - since < SILENT_SECONDS:
        return None
    with transaction():
        if not incoming_mails.may_ask():
            raise Occupied
        try:
            records = name_servers.texts(name.decode("ascii"), SECONDS)
        except UnicodeDecodeError:
            return None
        except Unanswered:
            _note(domain)
            return None
    return records[0] if len(records) == 1 else None


def _domain(name: bytes) -> bytes:
    """Whose name servers answer for a key: those of what is behind its selector."""
    return name.lower().rstrip(b".").rpartition(b"._domainkey.")[2]


def _note(domain: bytes) -> None:
    _silent.pop(domain, None)
    while len(_silent) >= _MOST_SILENT:
        _silent.pop(next(iter(_silent)), None)
    _silent[domain] = time.monotonic()
