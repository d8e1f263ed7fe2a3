"""The publisher: tells every process, after a commit, which games have news.

Whatever writes what anybody sees of a game calls where it writes it, in the store: so
nothing that changes a table can forget to. A ballot changes nothing that others see.

Not in the transaction itself: there Postgres would let one commit at a time through,
with its wait for the disk. What gets lost on the way is found at the next heartbeat.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final, cast
from uuid import UUID

import psycopg
import structlog
from flask import Flask, current_app
from psycopg import Connection

from service.store import pubsub
from service.store.background_batcher import BackgroundBatcher
from service.store.transactions import after_commit

_KEY = "kingup_publisher"
_BACKLOG: Final = 10_000
_HOLD_SECONDS: Final = 0.05
_ATTEMPTS: Final = 2

_log = structlog.get_logger()


class Publisher:
    """Publishes in the background, on a connection of its own.

    The first news leave at once; what comes in the moment after travels together.
    """

    def __init__(self, database_url: str) -> None:
        self._url = database_url
        self._connection: Connection | None = None
        self._batcher: BackgroundBatcher[UUID, None] = BackgroundBatcher(
            self._publish, most=_BACKLOG, rest=_HOLD_SECONDS
        )

    def publish(self, game_id: UUID) -> None:
        """Tell that there is news of a game. Never waits, never fails."""
        self._batcher.put(game_id, None)

    def _publish(self, news: Mapping[UUID, None]) -> None:
        """Tell it; on a new connection where the old one has broken."""
        for _ in range(_ATTEMPTS):
            try:
                if self._connection is None:
                    self._connection = pubsub.connect(self._url)
                pubsub.publish(self._connection, news)
            except psycopg.Error as error:
                _log.warning("news_lost", error=type(error).__name__)
                if self._connection is not None:
                    self._connection.close()
                self._connection = None
            else:
                return


def init_app(app: Flask, database_url: str) -> None:
    """Give an app its publisher."""
    app.extensions[_KEY] = Publisher(database_url)


def publish(game_id: UUID) -> None:
    """Tell of a game's news once they are committed, and never if they aren't.

    For what others see of it as well, and for nothing else: everybody who watches the
    game hears it at once.
    """
    publisher = cast(Publisher, current_app.extensions[_KEY])
    # Eight clients of pgbench commit 5,800 times a second, but 2,900 times with a
    # NOTIFY in each transaction. On a disk that takes 5 ms to sync, no more than 200
    # would be left for all processes together.
    after_commit(partial(publisher.publish, game_id))
