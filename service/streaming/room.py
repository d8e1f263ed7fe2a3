"""Room for requests that wait: so many in a process, and a few for each client."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.errors import RETRY_AFTER, TooManyStreams, TooManyWaiting
from service.streaming.line import Line

MOST_EACH: Final = 20
"""How many requests of one person, or of one address without a token, may wait."""


class _Slot:
    """Taken by one waiting request."""

    def __init__(self, client: str, line: Line) -> None:
        self.client = client
        self.line = line


class Room:
    """The room of one process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._taken: set[_Slot] = set()
        self._each: Counter[str] = Counter()

    @contextmanager
    def slot(self, client: str, line: Line) -> Iterator[None]:
        """Have a slot for as long as it lasts.

        Raises TooManyWaiting when the client has its share, and TooManyStreams when
        there is no slot left. Whoever has hung up needs theirs no more, even if their
        thread hasn't noticed yet.
        """
        mine = _Slot(client, line)
        with self._lock:
            if self._each[client] >= MOST_EACH or len(self._taken) >= self._most:
                self._clear()
            if self._each[client] >= MOST_EACH:
                raise TooManyWaiting(
                    limit="waiting",
                    whose=client.partition(" ")[0],
                    most=MOST_EACH,
                    retry_after=RETRY_AFTER,
                )
            if len(self._taken) >= self._most:
                raise TooManyStreams
            self._taken.add(mine)
            self._each[client] += 1
        try:
            yield
        finally:
            with self._lock:
                self._leave(mine)

    def _clear(self) -> None:
        for slot in [slot for slot in self._taken if slot.line.gone]:
            self._leave(slot)

    def _leave(self, slot: _Slot) -> None:
        if slot in self._taken:
            self._taken.remove(slot)
            self._each[slot.client] -= 1
            if not self._each[slot.client]:
                del self._each[slot.client]
