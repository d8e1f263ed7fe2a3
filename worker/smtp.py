"""One mail handed to a mail server, with a word for what became of it."""

import smtplib
import socket
import ssl
import threading
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final
from urllib.parse import SplitResult, unquote

import msgspec

STEP_SECONDS: Final = 10.0
"""The longest wait for one word of a mail server."""

WHOLE_SECONDS: Final = 30.0
"""The longest one mail may take, however busily the server talks."""

_ACCEPTED: Final = (250, 251)
_FOR_GOOD: Final = 500


class Fate(StrEnum):
    """What became of an attempt."""

    SENT = "sent"
    REFUSED = "refused"
    LATER = "later"


class Outcome(msgspec.Struct, frozen=True):
    """What became of an attempt, and why: a code or an error's name, never an address.

    `maybe` tells that the server may have accepted a mail that is to be tried again.
    """

    fate: Fate
    reason: str | None = None
    maybe: bool = False


class Envelope(msgspec.Struct, frozen=True):
    """Where a mail goes, and through whom."""

    server: SplitResult
    our_name: str
    sender: str
    recipient: str


class _Plain(smtplib.SMTP):
    """A conversation that is cut when it takes too long as a whole.

    A server that drips would never exceed the patience for one word.
    """

    _timer: threading.Timer | None = None
    _line: socket.socket | None = None
    _late = False

    def connect(
        self,
        host: str = "localhost",
        port: int = 0,
        source_address: Any = None,
    ) -> tuple[int, bytes]:
        """Connect, and let the time run."""
        self._timer = threading.Timer(WHOLE_SECONDS, self._cut)
        self._timer.daemon = True
        self._timer.start()
        try:
            return super().connect(host, port, source_address)
        except BaseException:
            self.close()
            raise

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        # smtplib's seam for encryption; its stubs don't know it.
        line: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]
        # A handshake takes the socket away; this one stays ours to cut.
        self._line = line.dup()
        if self._late:
            self._cut()
        return line

    def close(self) -> None:
        """End the conversation."""
        if self._timer is not None:
            self._timer.cancel()
        super().close()
        if self._line is not None:
            self._line.close()

    def _cut(self) -> None:
        self._late = True
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)


class _Encrypted(smtplib.SMTP_SSL, _Plain):
    """The same, encrypted from the first byte."""


class Attempt:
    """One attempt to send one mail."""

    def __init__(self, envelope: Envelope) -> None:
        self._to = envelope
        self._step = "connection"
        self._maybe = False

    def run(self, body: bytes) -> Outcome:
        """Send, and tell what became of it; no error of the server's gets out."""
        try:
            server = self._connected()
            try:
                outcome = self._converse(server, body)
                with suppress(smtplib.SMTPException, OSError):
                    server.quit()
                return outcome
            finally:
                server.close()
        except smtplib.SMTPResponseException as error:
            return self._failed(error.smtp_code)
        except (smtplib.SMTPException, OSError) as error:
            reason = f"{type(error).__name__} at {self._step}"
            return Outcome(Fate.LATER, reason, self._maybe)

    def _failed(self, code: int) -> Outcome:
        """What a code means: only a word about this very mail can be the last one."""
        reason = f"{code} at {self._step}"
        final = code >= _FOR_GOOD and self._step in ("recipient", "data")
        return Outcome(Fate.REFUSED if final else Fate.LATER, reason)

    def _connected(self) -> smtplib.SMTP:
        server = self._to.server
        host, port, name = server.hostname or "", server.port or 0, self._to.our_name
        if server.scheme != "smtps":
            return _Plain(host, port, name, timeout=STEP_SECONDS)
        context = ssl.create_default_context()
        return _Encrypted(host, port, name, timeout=STEP_SECONDS, context=context)

    def _converse(self, server: smtplib.SMTP, body: bytes) -> Outcome:
        self._introduce(server)
        self._step = "sender"
        options = () if self._to.recipient.isascii() else ("SMTPUTF8",)
        code, _words = server.mail(self._to.sender, options)
        if code not in _ACCEPTED:
            return self._failed(code)
        self._step = "recipient"
        code, _words = server.rcpt(self._to.recipient)
        if code not in _ACCEPTED:
            return self._failed(code)
        self._step = "data"
        # If the line breaks from here on, nobody knows whether the mail was taken.
        self._maybe = True
        code, _words = server.data(body)
        return Outcome(Fate.SENT) if code in _ACCEPTED else self._failed(code)

    def _introduce(self, server: smtplib.SMTP) -> None:
        self._step = "greeting"
        server.ehlo_or_helo_if_needed()
        if self._to.server.query == "starttls":
            server.starttls(context=ssl.create_default_context())
            server.ehlo()
        user, password = self._to.server.username, self._to.server.password
        if user:
            self._step = "login"
            server.login(unquote(user), unquote(password or ""))
