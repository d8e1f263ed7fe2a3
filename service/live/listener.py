"""The listener: a thread that hears from the database which games have news."""

import random
import threading
import time
from typing import Final

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

    def listen(self, hub: Subscriptions) -> None:
        """Begin to, for a hub, if this is the first time; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, args=(hub,), daemon=True)
            self._thread.start()

    def _run(self, hub: Subscriptions) -> None:
        pause = _FIRST_PAUSE
        while not hub.closed:
            try:
                with pubsub.connect(self._url) as line:
                    pubsub.listen(line)
                    pause = _FIRST_PAUSE
                    # Whatever was told before this, nobody here has heard.
                    hub.call_all()
                    while not hub.closed:
                        self._hear(line, hub)
            except psycopg.Error as error:
                _log.warning("stopped_listening", error=type(error).__name__)
            # Not all processes at once, when the database is back. It is no fact of a
            # game, and would spoil a repeatable source.
            time.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - no secret
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _hear(self, line: Connection, hub: Subscriptions) -> None:
        game_ids = pubsub.receive(line, _TICK_SECONDS)
        if not game_ids:
            return
        hub.call_games(game_ids)
        if hub.waits_for_people:
            hub.call_people(pubsub.people_of(line, game_ids))
