"""Whoever misses a mail is sent their open questions; nobody else hears of the ask."""

from typing import Final

from service.people import lost_mails
from service.store import lost_mails as store
from service.store.transactions import transaction
from worker import error_isolation

_LEASE_SECONDS: Final = 60.0
_BATCH: Final = 20


def sweep() -> None:
    """Answer what waits; each fails by itself, and comes back later."""
    while True:
        with transaction():
            found = store.claim(_BATCH, _LEASE_SECONDS)
        for each in found:
            with error_isolation.contained("lost_mail_failed"):
                lost_mails.answer(each)
        if len(found) < _BATCH:
            return
