"""The ear: a thread that hears from the database which games have news."""

import random
import threading
import time
from collections.abc import Iterable
from typing import Final, Protocol
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection

from service.store import calls

_TICK_SECONDS: Final = 5.0
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0

_log = structlog.get_logger()


class Listener(Protocol):
    """Whom the ear passes on to what it hears."""

    @property
    def closed(self) -> bool:
        """Whether nobody will wait any more."""

    @property
    def waits_for_people(self) -> bool:
        """Whether it matters whose games have news."""

    def call_games(self, game_ids: Iterable[UUID]) -> None:
        """There is news of some games."""

    def call_people(self, person_ids: Iterable[UUID]) -> None:
        """There is news of games in which some people have seats."""

    def call_all(self) -> None:
        """There may be news of anything."""


class Ear:
    """Listens on a connection of its own, which it gets anew whenever it breaks."""

    def __init__(self, database_url: str, listener: Listener) -> None:
        self._url = database_url
        self._listener = listener
        self._thread: threading.Thread | None = None

    def listen(self) -> None:
        """Begin to, if this is the first time; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while not self._listener.closed:
            try:
                with calls.connect(self._url) as line:
                    calls.listen(line)
                    pause = _FIRST_PAUSE
                    # Whatever was told before this, nobody here has heard.
                    self._listener.call_all()
                    while not self._listener.closed:
                        self._hear(line)
            except psycopg.Error as error:
                _log.warning("stopped_listening", error=type(error).__name__)
            # Not all processes at once, when the database is back. It is no fact of a
            # game, and would spoil a repeatable source.
            time.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - no secret
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _hear(self, line: Connection) -> None:
        game_ids = calls.heard(line, _TICK_SECONDS)
        if not game_ids:
            return
        self._listener.call_games(game_ids)
        if self._listener.waits_for_people:
            self._listener.call_people(calls.people_of(line, game_ids))
