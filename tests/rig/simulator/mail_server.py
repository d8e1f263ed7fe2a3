"""A mail server that fails at random, and notes what each mail tells as it takes it."""

import random
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
import psycopg
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

_MESSAGE_ID: Final = re.compile(rb"^Message-ID:\s*(<[^>]+>)", re.MULTILINE | re.I)

# Whoever reads the rows of a mail while it is handed over sees what its sender saw: it
# is committed before the mail leaves. A notice that was superseded isn't in it.
_TOLD: Final = """SELECT n.game_id, n.key, n.kind, n.seat, n.decision,
        n.kind IN ('your_turn', 'election', 'reminder') AND (
            g.status <> 'running' OR EXISTS (SELECT FROM answer a
                WHERE a.game_id = n.game_id AND a.decision = n.decision
                    AND a.seat = n.seat))
    FROM mail m JOIN notice n ON n.person_id = m.person_id AND n.mail_id = m.id
        JOIN game g ON g.id = n.game_id
    WHERE m.message_id = %s AND n.superseded_at IS NULL ORDER BY n.key"""


_ASKING: Final = ("your_turn", "election", "reminder")
_BEFORE: Final = ("confirm", "invitation", "seated")


class Mood(msgspec.Struct, frozen=True):
    """How often, of all attempts, a mail server doesn't do what it should."""

    later: float = 0.04
    """It asks to be tried again."""
    refused: float = 0.003
    """It refuses the mail for good."""
    cut: float = 0.005
    """It takes the mail, but its sender never hears so."""


class Told(msgspec.Struct, frozen=True):
    """A notice in a mail that was taken; `stale` if what it asks was over by then."""

    game_id: UUID
    key: str
    kind: str
    seat: int
    decision: int | None
    stale: bool


class Delivery(msgspec.Struct, frozen=True):
    """A mail as a mailbox got it."""

    at: datetime
    to: str
    message_id: str
    raw: bytes
    told: tuple[Told, ...]

    @property
    def asks(self) -> bool:
        """Whether its reader has something to answer."""
        return any(each.kind in _ASKING for each in self.told)

    @property
    def is_before(self) -> bool:
        """Whether it is about a table that has yet to fill up."""
        return all(each.kind in _BEFORE for each in self.told)


class MailServer:
    """Takes mails by SMTP into one queue of deliveries."""

    def __init__(
        self,
        database: str,
        now: Callable[[], datetime],
        seed: str,
        mood: Mood,
    ) -> None:
        self.deliveries: deque[Delivery] = deque()
        self.never_refused: set[str] = set()
        self.mood = mood
        self.now = now
        self._chance = random.Random(seed)
        self._line = psycopg.connect(database, autocommit=True)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        whim = self._chance.random()
        if whim < self.mood.refused and address not in self.never_refused:
            return "550 nobody of that name"
        if whim < self.mood.refused + self.mood.later:
            return "451 later, please"
        envelope.rcpt_tos.append(address)
        return "250 go on"

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        self.take(envelope.rcpt_tos[0], envelope.original_content or b"")
        if self._chance.random() < self.mood.cut and server.transport is not None:
            server.transport.close()
        return "250 kept"

    def take(self, to: str, raw: bytes) -> None:
        """Keep a mail, with what it tells at this moment."""
        found = _MESSAGE_ID.search(raw)
        if found is None:
            raise AssertionError("a mail without a Message-ID")
        number = found[1].decode()
        told = tuple(Told(*row) for row in self._line.execute(_TOLD, (number,)))
        self.deliveries.append(Delivery(self.now(), to, number, raw, told))

    def close(self) -> None:
        """Let go of the database."""
        self._line.close()


@contextmanager
def serving(server: MailServer, port: int) -> Iterator[None]:
    """The server listens on a port as long as the block lasts."""
    controller = Controller(
        server, hostname="127.0.0.1", port=port, enable_SMTPUTF8=True
    )
    controller.start()
    try:
        yield
    finally:
        controller.stop()
        server.close()
