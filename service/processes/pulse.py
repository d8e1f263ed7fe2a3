"""The sign of life of the web processes: whether people could answer just now.

It is a row of the database, so it also tells that answers can be written there. Where
it was missing for a minute, whoever writes it next writes down an outage.
"""

import threading
import time
from typing import Final

import structlog
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from service.monitoring import health
from service.store import heartbeats, outages
from service.store.transactions import transaction
from service.values.errors import Busy

PAUSE_SECONDS: Final = 2.0
_HUNG_SECONDS: Final = 10.0

_log = structlog.get_logger()


class Pulse:
    """Beats for as long as the main thread takes connections and answers are taken."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._felt = time.monotonic()

    def start(self) -> None:
        """Beat in a thread of its own, until the process ends."""
        threading.Thread(target=self._run, name="pulse", daemon=True).start()

    def feel(self) -> None:
        """Note that the main thread goes on."""
        self._felt = time.monotonic()

    def _run(self) -> None:
        while True:
            self.beat()
            time.sleep(PAUSE_SECONDS)

    def beat(self) -> None:
        """Say that people can answer, unless the main thread hangs."""
        if time.monotonic() - self._felt < _HUNG_SECONDS:
            beat(self._app)


def beat(app: Flask) -> None:
    """Say that people can answer, if they can and no other process has just said so.

    A database that can't be written to is not told here: readiness does.
    """
    try:
        with app.app_context():
            age = outages.age()
            if (age is None or abs(age) >= PAUSE_SECONDS) and health.can_answer(app):
                _renew()
    except (SQLAlchemyError, Busy):
        return


def _renew() -> None:
    with transaction():
        # As much room as some answers take: else a full disk would go unnoticed.
        heartbeats.try_room()
        lasted = outages.beat()
    if lasted is not None:
        _log.warning("outage_is_over", seconds=round(lasted.total_seconds()))
