"""A mail server in this process, and mails on their way to it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import msgspec
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from flask import Flask

from service.store import outbox
from service.values import urls
from tests.rig import letters
from tests.rig.letters import Letter
from worker.outgoing import delivery


class Sink:
    """Keeps mails; answers recipients and data as it is told.

    `recipients` are answers by address, `data` answers for the next mails; `cut` breaks
    the line before the next answer to a mail that is kept. While it `drips`, the first
    recipient gets word after word and never an answer.
    """

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.return_paths: list[str] = []
        self.recipients: dict[str, str] = {}
        self.data: list[str] = []
        self.senders: list[str] = []
        self.cut = False
        self.drips = False
        self.dripping_to: set[str] = set()
        self.callers: list[asyncio.Transport] = []
        self.loop: asyncio.AbstractEventLoop | None = None

    def hang_up(self) -> None:
        """End every conversation, as a server does with one that rests too long."""
        for caller in self.callers:
            if self.loop is not None:
                self.loop.call_soon_threadsafe(caller.close)

    @property
    def letters(self) -> list[Letter]:
        return [letters.read(number, raw) for number, raw in enumerate(self.raw)]

    def kinds(self, to: str = "") -> list[str]:
        """What led the mails so far."""
        return [each.notice for each in self.letters if each.to.startswith(to)]

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        self.loop = asyncio.get_running_loop()
        caller = server.transport
        if isinstance(caller, asyncio.Transport) and caller not in self.callers:
            self.callers.append(caller)
        if self.senders:
            return self.senders.pop(0)
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 go on"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        if self.drips and not self.dripping_to:
            self.dripping_to.add(address)
            while self.drips:
                await server.push("250-one moment")
                await asyncio.sleep(0.05)
        answer = self.recipients.get(address, "250 go on")
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self.data:
            return self.data.pop(0)
        self.raw.append(envelope.original_content or b"")
        self.return_paths.append(envelope.mail_from or "")
        if self.cut and server.transport is not None:
            self.cut = False
            server.transport.close()
        return "250 kept"


@contextmanager
def listening(port: int) -> Iterator[Sink]:
    """A mail server for as long as a block lasts."""
    keeper = Sink()
    controller = Controller(
        keeper, hostname="127.0.0.1", port=port, enable_SMTPUTF8=True
    )
    controller.start()
    try:
        yield keeper
    finally:
        controller.stop()


def point_to(app: Flask, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Have mails sent by this server."""
    settings = msgspec.structs.replace(app.config["KINGUP"], mail_server=urls.smtp(url))
    monkeypatch.setitem(app.config, "KINGUP", settings)


def send(game_id: UUID) -> None:
    """Compose what a game has to tell, and deliver every mail that is due."""
    delivery.post(game_id)
    deliver_due()


def deliver_due() -> None:
    for mail_id in outbox.missed(0, 100).mails:
        delivery.deliver(mail_id)
