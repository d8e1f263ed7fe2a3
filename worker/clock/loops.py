"""Threads that sweep without beat and broker, so that neither can stop a game.

A worker whose broker is gone still resolves elections, keeps deadlines and sends mails;
a mail server that hangs holds up mails alone, and many bots hold up bots alone.
"""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from flask import Flask

from worker import error_isolation
from worker.clock import outages, sweeper
from worker.incoming import handling
from worker.outgoing import delivery, reachability

PAUSE_SECONDS: Final = 4.0


_SWEEPS: Final[tuple[tuple[str, Callable[[], None]], ...]] = (
    ("deadlines", partial(sweeper.sweep, bots=False)),
    ("bots", sweeper.sweep),
    ("outages", outages.give_back),
    ("mails", delivery.sweep),
    ("inbox", handling.sweep),
    ("outlet", reachability.Reachability().look),
)


def start(app: Flask) -> None:
    """Watch for as long as the process lives."""
    for name, sweep in _SWEEPS:
        thread = threading.Thread(
            target=_watch, args=(app, sweep), name=f"watch-{name}", daemon=True
        )
        thread.start()


def _watch(app: Flask, sweep: Callable[[], None]) -> None:
    while True:
        time.sleep(PAUSE_SECONDS)
        with app.app_context(), error_isolation.contained("watch"):
            sweep()
