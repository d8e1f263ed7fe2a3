"""The listener: a thread that hears from the database which games have news."""

import random
import threading
import time
from collections.abc import Collection, Mapping
from typing import Final
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection

from service.live.subscriptions import Subscriptions
from service.store import pubsub

_TICK_SECONDS: Final = 5.0
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0

_log = structlog.get_logger()


class Listener:
    """Listens on a connection of its own, which it gets anew whenever it breaks."""

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self._thread: threading.Thread | None = None

    def listen(self, subscriptions: Subscriptions) -> None:
        """Begin to, for those who wait, if this is the first time; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, args=(subscriptions,), daemon=True
            )
            self._thread.start()

    def _run(self, subscriptions: Subscriptions) -> None:
        pause = _FIRST_PAUSE
        while not subscriptions.closed:
            try:
                with pubsub.connect(self._url) as connection:
                    pubsub.listen(connection)
                    pause = _FIRST_PAUSE
                    # Whatever was published before this, nobody here has heard.
                    subscriptions.wake_all()
                    while not subscriptions.closed:
                        _receive(connection, subscriptions)
            except psycopg.Error as error:
                _log.warning("listener_disconnected", error=type(error).__name__)
            # Not all processes at once, when the database is back. It is no fact of a
            # game, and would spoil a repeatable source.
            time.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - no secret
            pause = min(pause * 2, _LONGEST_PAUSE)


def _receive(connection: Connection, subscriptions: Subscriptions) -> None:
    """Notify those who wait of what is published in the next seconds."""
    games: Mapping[UUID, Collection[UUID]]
    games = dict.fromkeys(pubsub.receive(connection, _TICK_SECONDS), ())
    if games and subscriptions.waits_for_people:
        games = pubsub.people_of(connection, games)
    subscriptions.notify(games)
