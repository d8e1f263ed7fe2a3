"""The socket of a client, as far as the server lets us see it."""

import select
import socket
from contextlib import suppress
from typing import Final

from flask import Request

_BROKEN: Final = select.POLLRDHUP | select.POLLHUP | select.POLLERR | select.POLLNVAL


class ClientSocket:
    """The socket behind a request; without one, nothing is ever wrong with it."""

    def __init__(self, sock: socket.socket | None) -> None:
        self._socket = sock

    @property
    def gone(self) -> bool:
        """Whether the client has hung up."""
        return bool(self._poll(select.POLLRDHUP, 0) & _BROKEN)

    def ready(self, seconds: float) -> bool:
        """Whether the client can take more, at least within so many seconds.

        One that reads too slowly, or not at all, would keep its thread for ever.
        """
        return self._socket is None or bool(self._poll(select.POLLOUT, seconds))

    def hang_up(self) -> None:
        """Let nothing more through."""
        if self._socket is not None:
            with suppress(OSError):
                # It is the server's to close: closed here, its number could be another
                # client's by the time the server does so.
                self._socket.shutdown(socket.SHUT_RDWR)

    def _poll(self, event: int, seconds: float) -> int:
        if self._socket is None:
            return 0
        number = self._socket.fileno()
        if number < 0:
            return select.POLLNVAL
        # Not select(): it fails for files numbered 1024 and above, and a process has
        # thousands of connections.
        poll = select.poll()
        poll.register(number, event)
        found = poll.poll(seconds * 1000)
        return found[0][1] if found else 0


def socket_of(request: Request) -> ClientSocket:
    """The socket on which a request came."""
    sock = request.environ.get("gunicorn.socket")
    return ClientSocket(sock if isinstance(sock, socket.socket) else None)
