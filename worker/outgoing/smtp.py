"""One mail handed to a mail server, with a word for what became of it."""

import smtplib
import ssl
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Final

import msgspec

from service.values.urls import MailServer, Security
from worker.outgoing import conversation
from worker.outgoing.conversation import Conversation

_ACCEPTED: Final = (250, 251)
_FOR_GOOD: Final = 500


class Fate(StrEnum):
    """What became of an attempt."""

    SENT = "sent"
    REFUSED = "refused"
    LATER = "later"


class MailServerProblem(StrEnum):
    """What keeps every mail from leaving until somebody changes a setting."""

    NO_STARTTLS = "no STARTTLS"
    BAD_CERTIFICATE = "bad certificate"
    LOGIN_REFUSED = "login refused"


class DeliveryOutcome(msgspec.Struct, frozen=True):
    """What became of an attempt, and why: a code or an error's name, never an address.

    `maybe` tells that the server may have accepted a mail that is to be tried again.
    """

    fate: Fate
    reason: str | None = None
    maybe: bool = False
    trouble: MailServerProblem | None = None


class Envelope(msgspec.Struct, frozen=True):
    """Where a mail goes, and through whom."""

    server: MailServer
    our_name: str
    sender: str
    recipient: str


class Attempt:
    """One attempt to send one mail."""

    def __init__(self, envelope: Envelope) -> None:
        self._to = envelope
        self._step = "connection"
        self._maybe = False

    def run(self, body: bytes) -> DeliveryOutcome:
        """Send, and tell what became of it; no error of the server's gets out."""
        return self._outcome(lambda: self._sent(body))

    def greet(self) -> DeliveryOutcome:
        """Come as far as the first mail would, and leave; SENT where one could be."""
        return self._outcome(self._greeted)

    def _sent(self, body: bytes) -> DeliveryOutcome:
        server = self._opened()
        try:
            outcome = self._hand_over(server, body)
            self._part(server, outcome)
        except BaseException:
            server.close()
            raise
        return outcome

    def _greeted(self) -> DeliveryOutcome:
        server = self._connected()
        try:
            self._introduce(server)
            server.quit()
        finally:
            server.close()
        return DeliveryOutcome(Fate.SENT)

    def _outcome(self, talk: Callable[[], DeliveryOutcome]) -> DeliveryOutcome:
        try:
            return talk()
        except smtplib.SMTPResponseException as error:
            return self._failed(error.smtp_code)
        except (smtplib.SMTPException, OSError) as error:
            trouble = self._trouble(error)
            reason = f"{trouble or type(error).__name__} at {self._step}"
            return DeliveryOutcome(Fate.LATER, reason, self._maybe, trouble)

    def _trouble(self, error: Exception) -> MailServerProblem | None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return MailServerProblem.BAD_CERTIFICATE
        if not isinstance(error, smtplib.SMTPNotSupportedError):
            return None
        lacking = {
            "encryption": MailServerProblem.NO_STARTTLS,
            "login": MailServerProblem.LOGIN_REFUSED,
        }
        return lacking.get(self._step)

    def _failed(self, code: int) -> DeliveryOutcome:
        """What a code means: only a word about this very mail can be the last one."""
        reason = f"{code} at {self._step}"
        if code < _FOR_GOOD:
            return DeliveryOutcome(Fate.LATER, reason)
        if self._step == "login":
            return DeliveryOutcome(
                Fate.LATER, reason, trouble=MailServerProblem.LOGIN_REFUSED
            )
        final = self._step in ("recipient", "data")
        return DeliveryOutcome(Fate.REFUSED if final else Fate.LATER, reason)

    def _opened(self) -> Conversation:
        """A conversation that has come as far as the sender's name.

        The one left open by the mail before, unless the server has had enough of it.
        """
        left = conversation.left_open.take(self._to.server)
        if left is not None:
            try:
                self._begin(left)
                left.let_run(conversation.WHOLE_SECONDS)
            except (smtplib.SMTPException, OSError):
                # No recipient was named yet: a new conversation mails nothing twice.
                left.close()
            else:
                return left
        fresh = self._connected()
        try:
            self._introduce(fresh)
            self._begin(fresh)
        except BaseException:
            fresh.close()
            raise
        return fresh

    def _begin(self, server: smtplib.SMTP) -> None:
        self._step = "sender"
        options = [] if self._to.recipient.isascii() else ["SMTPUTF8"]
        if options and not server.has_extn("smtputf8"):
            # To a server that only knows HELO, smtplib would try it all the same.
            raise smtplib.SMTPNotSupportedError
        if server.has_extn("dsn"):
            # What comes back passes other people's servers: without cards, and without
            # links but those of the head, by which mails end and are answered.
            options.append("RET=HDRS")
        code, words = server.mail(self._to.sender, options)
        if code not in _ACCEPTED:
            raise smtplib.SMTPResponseException(code, words)

    def _part(self, server: Conversation, outcome: DeliveryOutcome) -> None:
        """Leave a conversation that went well open for the next mail; end any other."""
        if outcome.fate is Fate.SENT:
            conversation.left_open.leave(self._to.server, server)
            return
        with suppress(smtplib.SMTPException, OSError):
            server.quit()
        server.close()

    def _connected(self) -> Conversation:
        return Conversation(self._to.server, self._to.our_name)

    def _hand_over(self, server: smtplib.SMTP, body: bytes) -> DeliveryOutcome:
        self._step = "recipient"
        code, _words = server.rcpt(self._to.recipient)
        if code not in _ACCEPTED:
            return self._failed(code)
        self._step = "data"
        # If the line breaks from here on, nobody knows whether the mail was taken.
        self._maybe = True
        code, _words = server.data(body)
        return DeliveryOutcome(Fate.SENT) if code in _ACCEPTED else self._failed(code)

    def _introduce(self, server: smtplib.SMTP) -> None:
        self._step = "greeting"
        server.ehlo_or_helo_if_needed()
        to = self._to.server
        if to.security is Security.STARTTLS:
            self._step = "encryption"
            # A server that offers none gets neither the login nor the mail.
            server.starttls(context=ssl.create_default_context())
            server.ehlo()
        if to.user is not None:
            self._step = "login"
            server.login(to.user, to.password)
