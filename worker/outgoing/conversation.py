"""Conversations with mail servers: cut when they last too long, open for the next mail.

One that went well stays open for the next mail of the process: to connect, greet and
encrypt takes longer than to hand over a mail.
"""

import math
import smtplib
import socket
import ssl
import threading
import time
from contextlib import suppress
from typing import Any, Final

from service.values.urls import MailServer, Security

STEP_SECONDS: Final = 10.0
"""The longest wait for one word of a mail server."""

WHOLE_SECONDS: Final = 30.0
"""The longest one mail may take, however busily the server talks."""

KEEP_SECONDS: Final = 5.0
"""How long a conversation stays open for the next mail."""

_TICK_SECONDS: Final = 0.25


# aiosmtplib has a deadline for the whole, but handing a mail over through an event loop
# takes four times the processor's time: a thread that waits for its server is faster.
class Conversation(smtplib.SMTP):
    """A conversation that is cut when one mail takes too long as a whole."""

    # A server that drips would never exceed the patience for one word.

    def __init__(self, server: MailServer, our_name: str) -> None:
        self.until = math.inf
        self._encrypted = server.security is Security.TLS
        self._rested_at = -math.inf
        self._watched: socket.socket | None = None
        self._late = False
        super().__init__(server.host, server.port, our_name, STEP_SECONDS)

    def connect(
        self,
        host: str = "localhost",
        port: int = 0,
        source_address: Any = None,
    ) -> tuple[int, bytes]:
        """Connect, and let the time run: encryption counts, too."""
        self.let_run(WHOLE_SECONDS)
        usual = smtplib.SMTP_SSL_PORT if self._encrypted else smtplib.SMTP_PORT
        try:
            self.sock = socket.create_connection((host, port or usual), self.timeout)
            # A handshake takes the socket away; this one stays ours to cut.
            self._watched = self.sock.dup()
            if self._late:
                self.cut()
            if self._encrypted:
                context = ssl.create_default_context()
                self.sock = context.wrap_socket(self.sock, server_hostname=host)
            self.file = None
            return self.getreply()
        except BaseException:
            self.close()
            raise

    def let_run(self, seconds: float) -> None:
        """Have the conversation cut in `seconds`, unless it rests before."""
        self.until = time.monotonic() + seconds
        _watch.over(self)

    def rest(self) -> None:
        """Stop the time: the mail is through, and another may follow."""
        self.until = math.inf
        self._rested_at = time.monotonic()

    def goes_on(self) -> bool:
        """Whether another mail may follow; for its first word there is little time."""
        self.let_run(STEP_SECONDS)
        return self._rested_at + KEEP_SECONDS > time.monotonic()

    def close(self) -> None:
        """End the conversation."""
        _watch.leave(self)
        super().close()
        if self._watched is not None:
            self._watched.close()

    def cut(self) -> None:
        """End it from another thread, whatever it waits for."""
        self._late = True
        if self._watched is not None:
            with suppress(OSError):
                self._watched.shutdown(socket.SHUT_RDWR)


class _Watch:
    """One thread that cuts every conversation whose time is up."""

    def __init__(self) -> None:
        self._conversations: set[Conversation] = set()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def over(self, conversation: Conversation) -> None:
        """Watch over a conversation from now on."""
        with self._guard:
            self._conversations.add(conversation)
            # A forked process has this object, but not its thread.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def leave(self, conversation: Conversation) -> None:
        """Forget a conversation that is over."""
        with self._guard:
            self._conversations.discard(conversation)

    def _run(self) -> None:
        while True:
            time.sleep(_TICK_SECONDS)
            now = time.monotonic()
            with self._guard:
                late = [each for each in self._conversations if each.until < now]
                self._conversations.difference_update(late)
            for conversation in late:
                conversation.cut()


_watch = _Watch()


class _OpenConversations:
    """The conversations that were left open, and with whom; the one left last first.

    They are never more than threads that send: each takes one before it begins one.
    """

    def __init__(self) -> None:
        self._open: list[tuple[MailServer, Conversation]] = []
        self._guard = threading.Lock()

    def take(self, server: MailServer) -> Conversation | None:
        """An open conversation with this server, if one can go on."""
        while True:
            with self._guard:
                if not self._open:
                    return None
                whose, conversation = self._open.pop()
            if whose == server and conversation.goes_on():
                return conversation
            conversation.close()

    def leave(self, server: MailServer, conversation: Conversation) -> None:
        """Leave a conversation open."""
        conversation.rest()
        with self._guard:
            self._open.append((server, conversation))


left_open = _OpenConversations()
"""What this process has left open."""
