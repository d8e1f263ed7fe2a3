"""Conversations with mail servers: cut when they last too long, kept for the next mail.

One that went well stays open for the next mail of the same thread: to connect, greet
and encrypt takes longer than to hand over a mail.
"""

import math
import smtplib
import socket
import threading
import time
from contextlib import suppress
from typing import Any, Final

from service.values.urls import MailServer

STEP_SECONDS: Final = 10.0
"""The longest wait for one word of a mail server."""

WHOLE_SECONDS: Final = 30.0
"""The longest one mail may take, however busily the server talks."""

KEEP_SECONDS: Final = 5.0
"""How long a conversation stays open for the next mail."""

_TICK_SECONDS: Final = 0.25


class Plain(smtplib.SMTP):
    """A conversation that is cut when one mail takes too long as a whole.

    A server that drips would never exceed the patience for one word.
    """

    until = math.inf
    _line: socket.socket | None = None
    _late = False
    _kept_at = -math.inf

    def connect(
        self,
        host: str = "localhost",
        port: int = 0,
        source_address: Any = None,
    ) -> tuple[int, bytes]:
        """Connect, and let the time run."""
        self.let_run(WHOLE_SECONDS)
        try:
            return super().connect(host, port, source_address)
        except BaseException:
            self.close()
            raise

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        # smtplib's seam for encryption.
        line: socket.socket = super()._get_socket(  # type: ignore[misc]  # no stub has it
            host, port, timeout
        )
        # A handshake takes the socket away; this one stays ours to cut.
        self._line = line.dup()
        if self._late:
            self.cut()
        return line

    def let_run(self, seconds: float) -> None:
        """Have the conversation cut in `seconds`, unless it rests before."""
        self.until = time.monotonic() + seconds
        _watch.over(self)

    def rest(self) -> None:
        """Stop the time: the mail is through, and another may follow."""
        self.until = math.inf
        self._kept_at = time.monotonic()

    def goes_on(self) -> bool:
        """Whether another mail may follow; for its first word there is little time."""
        self.let_run(STEP_SECONDS)
        return self._kept_at + KEEP_SECONDS > time.monotonic()

    def close(self) -> None:
        """End the conversation."""
        _watch.leave(self)
        super().close()
        if self._line is not None:
            self._line.close()

    def cut(self) -> None:
        """End it from another thread, whatever it waits for."""
        self._late = True
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)


class _Watch:
    """One thread that cuts every conversation whose time is up."""

    def __init__(self) -> None:
        self._lines: set[Plain] = set()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def over(self, line: Plain) -> None:
        """Watch over a conversation from now on."""
        with self._guard:
            self._lines.add(line)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def leave(self, line: Plain) -> None:
        """Forget a conversation that is over."""
        with self._guard:
            self._lines.discard(line)

    def _run(self) -> None:
        while True:
            time.sleep(_TICK_SECONDS)
            now = time.monotonic()
            with self._guard:
                late = [line for line in self._lines if line.until < now]
                self._lines.difference_update(late)
            for line in late:
                line.cut()


_watch = _Watch()


class Encrypted(smtplib.SMTP_SSL, Plain):
    """The same, encrypted from the first byte."""


class _Kept(threading.local):
    """The conversation that a thread has left open, and with whom."""

    server: MailServer | None = None
    line: Plain | None = None

    def take(self, server: MailServer) -> Plain | None:
        """The open conversation with this server, if it can go on."""
        line, self.line = self.line, None
        if line is None:
            return None
        if self.server == server and line.goes_on():
            return line
        line.close()
        return None

    def keep(self, server: MailServer, line: Plain) -> None:
        """Leave a conversation open."""
        line.rest()
        self.server, self.line = server, line


kept = _Kept()
"""What this thread has left open."""
