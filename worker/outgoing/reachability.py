"""Whether mails can leave at all, told to readiness.

What only a changed setting can mend is told: a server without STARTTLS where that is
needed, a certificate that nobody vouches for, a login that is refused. A server that is
away, busy or choosy about one mail says nothing of the kind.
"""

import time
from typing import Final

from flask import current_app

from service import config
from service.monitoring import health
from service.store import heartbeats
from service.store.transactions import transaction
from worker.outgoing import transport
from worker.outgoing.smtp import DeliveryOutcome, Fate

_PAUSE_SECONDS: Final = 60.0


def record(outcome: DeliveryOutcome) -> bool:
    """Keep what an attempt has shown; False where it has shown nothing.

    Inside the caller's transaction.
    """
    if outcome.fate is Fate.LATER and outcome.trouble is None:
        return False
    heartbeats.keep(health.MAIL, outcome.trouble or health.OK)
    return True


class Reachability:
    """Asks the mail server itself: at the start, and while there is trouble.

    So nobody has to wait for a mail to learn that none can leave, or that all can.
    """

    def __init__(self) -> None:
        self._known = False
        self._next = 0.0

    def look(self) -> None:
        """Ask, if it is time to and worth it."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE_SECONDS
        with transaction():
            state = heartbeats.state(health.MAIL)
        if self._known and state in (None, health.OK):
            return
        outcome = transport.greet(config.of(current_app))
        with transaction():
            self._known = record(outcome)
