"""A mail server for one address: what it takes, what it refuses, and how much."""

import asyncio
import logging
import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from email.headerregistry import Address

import pytest

from service.config import MAIL_LIMIT
from service.processes import mail_listener
from service.processes.peers import Peers
from service.values.errors import Busy

ADDRESS = Address("", "game", "play.example.org")
MAIL = b"From: rita@example.org\r\nSubject: Re\r\n\r\nyes\r\n.dot\r\n"


class Listener:
    """The server in a thread, and what it was given to keep."""

    def __init__(self) -> None:
        self.kept: list[tuple[bytes, str]] = []
        self.busy = False
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._ready.wait(10)

    def keep(self, raw: bytes, envelope: str) -> None:
        if self.busy:
            raise Busy
        self.kept.append((raw, envelope))

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        opening = mail_listener.open_at("127.0.0.1", 0, ADDRESS, self.keep)
        server = self._loop.run_until_complete(opening)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        self._loop.close()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def line(self) -> smtplib.SMTP:
        return smtplib.SMTP("127.0.0.1", self.port, timeout=10)


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.stop()


def send(
    listener: Listener, to: str, raw: bytes = MAIL, sender: str = "r@x.org"
) -> int:
    """The code a mail was answered with, or its recipient."""
    with listener.line() as line:
        line.ehlo("there")
        line.mail(sender)
        code, _ = line.rcpt(to)
        if code != 250:
            return code
        return line.data(raw)[0]


@pytest.mark.parametrize(
    "to",
    ["game@play.example.org", "game+abc@play.example.org", "GAME+ABC@Play.Example.ORG"],
)
def test_a_mail_for_us_is_kept_as_it_came(listener: Listener, to: str) -> None:
    assert send(listener, to) == 250

    ((raw, envelope),) = listener.kept
    assert envelope == to
    assert raw == b"Return-Path: <r@x.org>\r\n" + MAIL


@pytest.mark.parametrize(
    "to",
    [
        "game@elsewhere.example.org",
        "games@play.example.org",
        "postmaster@play.example.org",
        "game+abc@play.example.org@elsewhere.example.org",
    ],
)
def test_for_anybody_else_nothing_is_taken(listener: Listener, to: str) -> None:
    assert send(listener, to) in (550, 553)
    assert listener.kept == []


def test_a_bounce_brings_its_empty_sender(listener: Listener) -> None:
    assert send(listener, "game+abc@play.example.org", sender="") == 250

    assert listener.kept[0][0].startswith(b"Return-Path: <>\r\n")


def test_what_cannot_be_kept_now_is_asked_for_again(listener: Listener) -> None:
    listener.busy = True

    assert send(listener, "game+abc@play.example.org") == 451


def test_what_is_too_long_is_refused(listener: Listener) -> None:
    long = b"x" * 70 + b"\r\n"
    raw = b"Subject: long\r\n\r\n" + long * (MAIL_LIMIT // len(long) + 1)

    assert send(listener, "game+abc@play.example.org", raw) == 552
    assert listener.kept == []


def test_one_address_has_ten_connections_and_no_more(listener: Listener) -> None:
    lines = [listener.line() for _ in range(mail_listener.MOST_OF_A_PEER)]

    with socket.create_connection(("127.0.0.1", listener.port), timeout=10) as more:
        refused = more.recv(100)
    for line in lines:
        line.close()

    assert refused.startswith(b"421 ")
    assert send_when_free(listener) == 250


def send_when_free(listener: Listener) -> int:
    """A mail as soon as those who hung up are gone."""
    for _ in range(50):
        try:
            return send(listener, "game@play.example.org")
        except smtplib.SMTPException:
            threading.Event().wait(0.1)
    raise AssertionError("nobody was let in again")


def test_no_stranger_has_the_mail_library_log_anything(
    listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with listener.line() as line:
        line.docmd("SECRET", "words")
        line.docmd("X" * 2000)
        line.send(b"\xff\xff \xff\r\n")
        line.getreply()
        with suppress(smtplib.SMTPServerDisconnected):
            for _ in range(200):
                line.docmd("NOOPE")

    assert caplog.text == ""


def test_nobody_has_more_than_a_few_recipients(listener: Listener) -> None:
    with listener.line() as line:
        line.ehlo("there")
        line.mail("r@x.org")
        codes = [line.rcpt(f"game+{n}@play.example.org")[0] for n in range(7)]

    assert codes == [250] * 5 + [452] * 2


@pytest.mark.parametrize("byte", [b"\x00", b"\xff", b"\x07"])
def test_what_no_address_can_be_is_refused_for_good(
    listener: Listener, byte: bytes
) -> None:
    with listener.line() as line:
        line.ehlo("there")
        line.mail("r@x.org")
        line.send(b"RCPT TO:<game+" + byte + b"@play.example.org>\r\n")
        code, _ = line.getreply()

    assert 500 <= code < 600
    assert listener.kept == []


class Wire(asyncio.Transport):
    """A connection from an address, which reads nothing."""

    def __init__(self, peer: str) -> None:
        super().__init__({"peername": (peer, 1234, 0, 0)})
        self.ended = ""
        self.is_gone = False

    def write(self, data: object) -> None:
        """Somewhere in a buffer."""

    def is_closing(self) -> bool:
        return self.is_gone

    def close(self) -> None:
        self.ended = self.ended or "closed"

    def abort(self) -> None:
        self.ended = self.ended or "aborted"


def connected(*wires: Wire, seconds: float = 0.0) -> list[str]:
    """How each of some connections stands after a while."""

    async def meet() -> list[str]:
        mailbox = mail_listener.OurMailbox(ADDRESS, lambda raw, to: None)
        peers = Peers(mail_listener.MOST_OF_A_PEER)
        for wire in wires:
            line = mail_listener.SenderLine(mailbox, peers, "play.example.org")
            line.connection_made(wire)
        await asyncio.sleep(seconds)
        for wire in wires:
            wire.is_gone = True
        return [wire.ended for wire in wires]

    return asyncio.run(meet())


def test_one_site_counts_once_whichever_of_its_addresses_it_takes() -> None:
    most = mail_listener.MOST_OF_A_PEER
    site = [Wire(f"2001:db8::{number:x}") for number in range(1, most + 2)]
    other = Wire("2001:db8:0:1::1")

    assert connected(*site, other) == [""] * most + ["closed", ""]


def test_the_end_of_a_connection_waits_for_nobody_who_reads_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mail_listener, "_WHOLE_SECONDS", 0.01)

    assert connected(Wire("192.0.2.1"), seconds=0.1) == ["aborted"]
