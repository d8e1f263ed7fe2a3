"""One client's connection, and how far its request has come."""

import os
import socket
import struct
import time
from contextlib import suppress
from typing import Any, Final

from gunicorn.http.parser import RequestParser

from service.config import BODY_LIMIT, MAIL_LIMIT
from service.live.client_socket import ClientSocket
from service.processes.peers import peer
from service.processes.request_buffer import Awaited, Received
from service.values import inbound_secrets

SEND_SECONDS: Final = 30.0
"""How long a thread waits for room for what it sends, in all."""

TOO_LATE: Final = (
    b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)
TOO_MANY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Length: 0\r\n\r\n"
)
_READ_BYTES: Final = 16 * 1024
_WHO_ASKS: Final = {"authorization": "HTTP_AUTHORIZATION", "cookie": "HTTP_COOKIE"}
_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class Sender(socket.socket):
    """A socket that waits for room only when the kernel has none.

    Python's own, where it may not wait for ever, waits before each piece of an answer
    until much is free, even for a piece that fits.
    """

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send all of it. Raises TimeoutError if it finds no room in time."""
        left, ends = memoryview(data), time.monotonic() + SEND_SECONDS
        while left:
            try:
                left = left[self.send(left, flags) :]
            except BlockingIOError:
                if not ClientSocket(self).ready(max(0.0, ends - time.monotonic())):
                    raise TimeoutError from None


class Connection:
    """A connection, with no thread of its own until a whole request has come on it."""

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, server: Any) -> None:
        self.sock = Sender(sock.family, sock.type, sock.proto, fileno=sock.detach())
        self.sock.setblocking(False)
        self.client = client
        self.server = server
        self.peer = peer(client)
        self.received = Received()
        self.parser = RequestParser(cfg, (), client)
        self.parser.unreader = self.received
        self.request: Any = None
        self.inbound_secret: str | None = None
        self.body: Awaited | None = None
        self.deadline = 0.0
        self.awaits: object = None
        self.kept = False
        self.handed = False
        self.guest: str | None = None
        self.counted: tuple[str, ...] = ()
        self.since = 0.0
        self.stuck = False
        self.lingers = False
        self.ignored = 0

    @property
    def idle(self) -> bool:
        """Whether nothing of a request has come."""
        return self.request is None and not self.received.data

    def shows(self) -> dict[str, str]:
        """What the head that has come says of who asks, by the names that WSGI uses."""
        # Only looked at: whole and unparsed it may travel on to another process.
        head = self.received.data.partition(b"\r\n\r\n")[0].decode("latin-1")
        line, *fields = head.split("\r\n")
        target = line.partition(" ")[2].partition(" ")[0]
        path, _, query = target.partition("?")
        found = {"PATH_INFO": path, "QUERY_STRING": query}
        for field in fields:
            name, _, value = field.partition(":")
            known = _WHO_ASKS.get(name.lower())
            if known:
                found[known] = f"{found.get(known, '')};{value}"
        return found

    def read(self) -> bytes | None:
        """What has come since the last time: nothing at the end, None for not yet."""
        try:
            return os.read(self.sock.fileno(), _READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def is_whole(self) -> bool:
        """Whether a thread can go on with the request without waiting for more."""
        received = self.received
        if self.body is None:
            return received.has_head()
        return received.lack is not None or self.body.is_there(received.data)

    def begin(self) -> bool:
        """Parse the head, if that wasn't done; whether the body is there, too."""
        if self.request is None:
            self.request = next(self.parser)
            self.body = Awaited(self.request.body, self._body_limit())
        if not self.is_whole():
            # Most clients send a body right behind its head, but not with it.
            self.received.data += self.read() or b""
        if self.is_whole():
            return True
        if self.request._expected_100_continue:  # as gunicorn does
            self.request._expected_100_continue = False
            self.sock.sendall(_CONTINUE)
        return False

    def _body_limit(self) -> int:
        """How long a body may be: a mail's, from whoever may bring mails, is longer."""
        if self.request.path != inbound_secrets.PATH:
            return BODY_LIMIT
        shown = ";".join(
            v for name, v in self.request.headers if name == "AUTHORIZATION"
        )
        is_theirs = inbound_secrets.is_shown(shown, self.inbound_secret)
        return MAIL_LIMIT if is_theirs else BODY_LIMIT

    def finish(self) -> tuple[Any, bool]:
        """The request, and whether the next one can be told from its body."""
        request, body, received = self.request, self.body, self.received
        self.request = self.body = None
        seen = received.lack is None and not (body and body.is_too_long(received.data))
        return request, seen

    def close(self) -> None:
        """Hang up; with whoever is `stuck` at once, and without what they didn't read.

        The kernel would else keep that, and try to send it, for minutes.
        """
        if self.stuck:
            with suppress(OSError):
                at_once = struct.pack("ii", 1, 0)
                self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        self.sock.close()

    def says(self, answer: bytes) -> bool:
        """Send something short, if that can be done at once; whether it could."""
        try:
            return os.write(self.sock.fileno(), answer) == len(answer)
        except OSError:
            return False
