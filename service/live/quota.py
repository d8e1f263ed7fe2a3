"""The quota of requests that wait: so many in a process, and a few for each client."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from service.live.client_socket import ClientSocket
from service.values.errors import RETRY_AFTER, Problem, TooManyStreams, TooManyWaiting

MOST_EACH: Final = 20
"""How many requests of one person, or of one network of strangers, may wait."""


class Client(msgspec.Struct, frozen=True):
    """Who waits: a person who has proved a mailbox, or a network of strangers."""

    key: str
    known: bool


class _Slot:
    """Taken by one waiting request."""

    def __init__(self, client: Client, client_socket: ClientSocket) -> None:
        self.client = client
        self.client_socket = client_socket


class ConnectionQuota:
    """The slots of one process. Strangers have at most half of them.

    The last quarter of these goes one each to networks that have none.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._most_strangers = most - most // 2
        self._lock = threading.Lock()
        self._taken: set[_Slot] = set()
        self._each: Counter[Client] = Counter()
        self._strangers = 0

    @contextmanager
    def slot(self, client: Client, client_socket: ClientSocket) -> Iterator[None]:
        """Have a slot for as long as it lasts.

        Raises TooManyWaiting when the client has its share, and TooManyStreams when
        there is no slot left for it. Whoever has hung up needs theirs no more, even if
        their thread hasn't noticed yet.
        """
        mine = _Slot(client, client_socket)
        with self._lock:
            if self._refusal(client) is not None:
                # Each look at a socket is a call of the system's: only whoever would be
                # refused has them all looked at.
                self._clear()
            refusal = self._refusal(client)
            if refusal is not None:
                raise refusal
            self._enter(mine)
        try:
            yield
        finally:
            with self._lock:
                self._leave(mine)

    def _refusal(self, client: Client) -> Problem | None:
        """Why a client can't have one more slot; None if it can."""
        if self._each[client] >= MOST_EACH:
            return TooManyWaiting(
                limit="waiting",
                whose="person" if client.known else "network",
                most=MOST_EACH,
                retry_after=RETRY_AFTER,
            )
        if len(self._taken) >= self._most:
            return TooManyStreams()
        if not client.known and self._strangers >= self._open_to(client):
            return TooManyStreams()
        return None

    def _open_to(self, client: Client) -> int:
        """How many strangers may wait, as far as one of them is concerned."""
        most = self._most_strangers
        return most - most // 4 if self._each[client] else most

    def _clear(self) -> None:
        for slot in [slot for slot in self._taken if slot.client_socket.gone]:
            self._leave(slot)

    def _enter(self, slot: _Slot) -> None:
        self._taken.add(slot)
        self._each[slot.client] += 1
        self._strangers += not slot.client.known

    def _leave(self, slot: _Slot) -> None:
        if slot in self._taken:
            self._taken.remove(slot)
            self._strangers -= not slot.client.known
            self._each[slot.client] -= 1
            if not self._each[slot.client]:
                del self._each[slot.client]
