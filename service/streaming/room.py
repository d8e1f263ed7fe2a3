"""Places for requests that wait: so many in a process, and a few for each client."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.errors import TooManyStreams, TooManyWaiting
from service.streaming.line import Line

MOST_EACH: Final = 20
"""How many requests of one person, or of one address without a token, may wait."""


class _Place:
    """Taken by one waiting request."""

    def __init__(self, client: str, line: Line) -> None:
        self.client = client
        self.line = line


class Places:
    """The places of one process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._taken: set[_Place] = set()
        self._each: Counter[str] = Counter()

    @contextmanager
    def taken(self, client: str, line: Line) -> Iterator[None]:
        """Have a place for as long as it lasts.

        Raises TooManyWaiting when the client has its share, and TooManyStreams when
        there is no place left. Whoever has hung up needs theirs no more, even if their
        thread hasn't noticed yet.
        """
        place = _Place(client, line)
        with self._lock:
            if self._each[client] >= MOST_EACH or len(self._taken) >= self._most:
                self._clear()
            if self._each[client] >= MOST_EACH:
                raise TooManyWaiting
            if len(self._taken) >= self._most:
                raise TooManyStreams
            self._taken.add(place)
            self._each[client] += 1
        try:
            yield
        finally:
            with self._lock:
                self._leave(place)

    def _clear(self) -> None:
        for place in [place for place in self._taken if place.line.gone]:
            self._leave(place)

    def _leave(self, place: _Place) -> None:
        if place in self._taken:
            self._taken.remove(place)
            self._each[place.client] -= 1
            if not self._each[place.client]:
                del self._each[place.client]
