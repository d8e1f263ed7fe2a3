"""A login, and a mail that is to be encrypted, leave as they should or not at all."""

import ssl
from asyncio import WriteTransport
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from flask import Flask

from service.monitoring import health
from service.store import heartbeats
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import point_to, send
from worker.outgoing import reachability

TLS = Path(__file__).with_name("tls")
LOGIN = "me:secret@"


class Guarded:
    """Takes mails of whoever logs in; remembers who did, and over what."""

    def __init__(self) -> None:
        self.logins: list[bool] = []
        self.mails: list[bool] = []

    def authenticate(
        self,
        server: SMTP,
        _session: Session,
        _envelope: Envelope,
        _mechanism: str,
        data: object,
    ) -> AuthResult:
        self.logins.append(is_encrypted(server))
        return AuthResult(success=True, auth_data=data)

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, _session: Session, _envelope: Envelope
    ) -> str:
        self.mails.append(is_encrypted(server))
        return "250 kept"


def is_encrypted(server: SMTP) -> bool:
    line = server.transport
    return line is not None and line.get_extra_info("ssl_object") is not None


class Ending(Controller):
    """A mail server that can end every conversation it has."""

    def __init__(self, keeper: Guarded, **options: Any) -> None:
        self._conversations: list[SMTP] = []
        super().__init__(keeper, **options)

    def factory(self) -> SMTP:
        server: SMTP = super().factory()
        self._conversations.append(server)
        return server

    def hang_up(self) -> None:
        for server in self._conversations:
            if isinstance(server.transport, WriteTransport):
                self.loop.call_soon_threadsafe(server.transport.abort)


class Guards:
    """Mail servers with one certificate or another, or none."""

    def __init__(self, stack: ExitStack, port: int) -> None:
        self.port = port
        self._stack = stack

    def start(
        self, certificate: str | None, *, wrapped: bool = False, login: bool = True
    ) -> Guarded:
        keeper = Guarded()
        context = None
        if certificate is not None:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(TLS / certificate)
        controller = Ending(
            keeper,
            hostname="127.0.0.1",
            port=self.port,
            ssl_context=context if wrapped else None,
            tls_context=None if wrapped else context,
            authenticator=keeper.authenticate if login else None,
            # What a careless server would allow is not allowed here, by us.
            auth_require_tls=False,
        )
        controller.start()
        self._stack.callback(controller.stop)
        self._stack.callback(controller.hang_up)
        return keeper


@pytest.fixture
def guards(inside: Flask, free_port: int) -> Iterator[Guards]:
    with ExitStack() as stack:
        yield Guards(stack, free_port)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine believes the certificates of these tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "ours.pem"))


def waiting() -> list[str]:
    return [str(row[0]) for row in run("SELECT error FROM mail WHERE error <> ''")]


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("login", [LOGIN, ""])
@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_an_encrypted_way_to_a_known_server_takes_login_and_mail(
    guards: Guards,
    inside: Flask,
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
    login: str,
) -> None:
    server = guards.start("ours.pem", wrapped=scheme == "smtps")
    option = "?starttls" if scheme == "smtp" else ""
    url = f"{scheme}://{login}127.0.0.1:{guards.port}{option}"
    point_to(inside, monkeypatch, url)
    game_id = seated.draft(3)

    send(game_id)

    assert rows.states(game_id) == {"sent": 1}
    assert server.mails == [True]
    assert server.logins == ([True] if login else [])


@pytest.mark.parametrize("login", [LOGIN, ""])
def test_without_starttls_neither_login_nor_mail_leaves(
    guards: Guards, inside: Flask, monkeypatch: pytest.MonkeyPatch, login: str
) -> None:
    server = guards.start(None)
    point_to(inside, monkeypatch, f"smtp://{login}127.0.0.1:{guards.port}?starttls")
    game_id = seated.draft(3)

    send(game_id)

    assert rows.states(game_id) == {"retry": 1}
    assert waiting() == ["no STARTTLS at encryption"]
    assert heartbeats.state(health.MAIL) == "no STARTTLS"
    assert (server.logins, server.mails) == ([], [])


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
@pytest.mark.parametrize("certificate", ["ours.pem", "other.pem"])
def test_a_server_that_nobody_vouches_for_gets_neither_login_nor_mail(
    guards: Guards,
    inside: Flask,
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
    certificate: str,
) -> None:
    if certificate == "other.pem":
        # Known, but by another name.
        monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "other.pem"))
    server = guards.start(certificate, wrapped=scheme == "smtps")
    option = "?starttls" if scheme == "smtp" else ""
    url = f"{scheme}://{LOGIN}127.0.0.1:{guards.port}{option}"
    point_to(inside, monkeypatch, url)
    game_id = seated.draft(3)

    send(game_id)

    assert rows.states(game_id) == {"retry": 1}
    assert (server.logins, server.mails) == ([], [])
    assert waiting()[0].startswith("bad certificate at ")
    assert heartbeats.state(health.MAIL) == "bad certificate"


def test_to_this_very_machine_a_login_may_be_plain(
    guards: Guards, inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = guards.start(None)
    point_to(inside, monkeypatch, f"smtp://{LOGIN}127.0.0.1:{guards.port}")
    game_id = seated.draft(3)

    send(game_id)

    assert rows.states(game_id) == {"sent": 1}
    assert (server.logins, server.mails) == ([False], [False])


def test_a_server_that_takes_no_login_keeps_the_mail_waiting(
    guards: Guards, inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = guards.start(None, login=False)
    point_to(inside, monkeypatch, f"smtp://{LOGIN}127.0.0.1:{guards.port}")
    game_id = seated.draft(3)

    send(game_id)

    assert rows.states(game_id) == {"retry": 1}
    assert waiting()[0].endswith(" at login")
    assert heartbeats.state(health.MAIL) == "login refused"
    assert server.mails == []


def test_trouble_is_known_without_a_mail_and_over_when_it_is(
    guards: Guards, inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"smtp://{LOGIN}127.0.0.1:{guards.port}?starttls"
    point_to(inside, monkeypatch, url)
    monkeypatch.setattr(reachability, "_PAUSE_SECONDS", 0.0)
    asking = reachability.Reachability()

    asking.look()
    assert heartbeats.state(health.MAIL) is None

    guards.start(None)
    asking.look()
    assert heartbeats.state(health.MAIL) == "no STARTTLS"

    point_to(inside, monkeypatch, url.removesuffix("?starttls"))
    asking.look()
    assert heartbeats.state(health.MAIL) == "ok"


def test_a_server_is_asked_no_more_once_all_is_well(
    guards: Guards, inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = guards.start(None)
    point_to(inside, monkeypatch, f"smtp://{LOGIN}127.0.0.1:{guards.port}")
    monkeypatch.setattr(reachability, "_PAUSE_SECONDS", 0.0)
    asking = reachability.Reachability()

    for _ in range(3):
        asking.look()

    assert len(server.logins) == 1
