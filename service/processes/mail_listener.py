"""A mail server for one address: takes mails for it, and hands on nothing to anybody.

Mails for other addresses are refused, so it relays none. Each connection, and what may
come on it, has an end.
"""

import asyncio
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.headerregistry import Address
from typing import Any, Final

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from service.config import MAIL_LIMIT
from service.processes import peers
from service.processes.peers import Peers
from service.values.errors import Busy

MOST_CONNECTIONS: Final = 100
MOST_OF_A_PEER: Final = 10
"""How many connections one network may have, or this machine's own relay."""

SILENT_SECONDS: Final = 60.0
"""How long somebody may say nothing."""

_WHOLE_SECONDS: Final = 600.0
"""How long a connection may last at all."""

_MOST_COMMANDS: Final = 100
_MOST_RECIPIENTS: Final = 5
_THREADS: Final = 4
_NOT_HERE: Final = "550 5.1.1 No such mailbox here"
_NO_ADDRESS: Final = "553 5.1.3 That is no address"
_LATER: Final = "451 4.3.0 Not now, please try again later"

_log = structlog.get_logger()


class OurMailbox:
    """What is said to a mail server: which recipients there are, and what is kept.

    `keep` is called with a mail's raw bytes and the address it came for, in a thread.
    """

    def __init__(self, address: Address, keep: Callable[[bytes, str], None]) -> None:
        self._address = address
        self._keep = keep
        self._threads = ThreadPoolExecutor(_THREADS)

    def is_ours(self, address: str) -> bool:
        """Whether mails for an address belong here: ours, with anything behind a +."""
        local, _, domain = address.rpartition("@")
        name = local.partition("+")[0]
        ours = self._address
        return (name.lower(), domain.lower()) == (ours.username, ours.domain)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Take our own address alone."""
        del server, session, options
        if not address.isprintable():
            return _NO_ADDRESS
        if not self.is_ours(address):
            return _NOT_HERE
        if len(envelope.rcpt_tos) >= _MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Go on"

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Keep it for each recipient; taken means that it is in the database."""
        del session
        raw = b"Return-Path: <%b>\r\n%b" % (
            # The library keeps the brackets of an empty one.
            (envelope.mail_from or "").strip("<>").encode("utf-8", "replace"),
            envelope.original_content or b"",
        )
        try:
            for address in envelope.rcpt_tos:
                await server.loop.run_in_executor(
                    self._threads, self._keep, raw, address
                )
        except Busy:
            return _LATER
        except Exception as error:
            _log.error("mail_not_kept", exc_info=error)
            return _LATER
        return "250 2.0.0 Kept"


class SenderLine(SMTP):
    """One connection, for a while."""

    def __init__(self, mailbox: OurMailbox, peers: Peers, hostname: str) -> None:
        super().__init__(
            mailbox,
            data_size_limit=MAIL_LIMIT,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="Kingup",
            timeout=SILENT_SECONDS,
            command_call_limit=_MOST_COMMANDS,
        )
        self._peers = peers
        self._peer: str | None = None
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin, if there is room."""
        peer = peers.peer(transport.get_extra_info("peername")) or "local"
        if not self._peers.come(peer):
            transport.write(b"421 4.7.0 Too many connections, try again later\r\n")
            transport.close()
            return
        self._peer = peer
        # Whoever reads nothing would have it wait for what is still to be said.
        self._end = self.loop.call_later(_WHOLE_SECONDS, transport.abort)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """End, and leave room for somebody else."""
        if self._peer is None:
            return
        self._peers.go(self._peer)
        self._peer = None
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(error)


async def open_at(
    host: str, port: int, address: Address, keep: Callable[[bytes, str], None]
) -> asyncio.Server:
    """A server that listens for mails to an address. Raises OSError."""
    # It would tell every address and secret that it hears, and warn of any stranger's
    # words as often as they like.
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    mailbox = OurMailbox(address, keep)
    peers = Peers(MOST_OF_A_PEER, altogether=MOST_CONNECTIONS)
    return await asyncio.get_running_loop().create_server(
        lambda: SenderLine(mailbox, peers, address.domain), host, port
    )


def run(
    host: str, port: int, address: Address, keep: Callable[[bytes, str], None]
) -> None:
    """Listen until SIGTERM or SIGINT. Raises OSError where nobody can listen."""
    asyncio.run(_serve(host, port, address, keep))


async def _serve(
    host: str, port: int, address: Address, keep: Callable[[bytes, str], None]
) -> None:
    server = await open_at(host, port, address, keep)
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with server:
        await ended.wait()
