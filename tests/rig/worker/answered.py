"""People who answer their mails: the mail server's sink is their mailbox."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from itertools import count
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest
from flask import Flask

from engine.commands import Move
from service.people import incoming_mail
from service.present import nouns
from service.store import links
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values.enums import LinkPurpose
from tests.rig.service import mailing_in, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.mail_server import Sink, send
from worker.incoming import handling

MAILS = Path(__file__).parents[2] / "worker" / "incoming" / "mails"

_numbers = count(1)


class Asked(NamedTuple):
    """The latest mail of a seat that can be answered: where to, and what it was."""

    seat: int
    address: str
    message_id: str
    token: str


class Mailboxes:
    """The mailboxes of everybody at a table, read and answered."""

    def __init__(self, app: Flask, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sink = sink
        mailing_in.open_to(app, monkeypatch)

    def asked(self, table: Seated, seat: int, purpose: str = "reply") -> Asked:
        """The latest mail of a seat with an address of a purpose to answer to."""
        send(table.id)
        for raw in reversed(self.sink.raw):
            message = BytesHeaderParser(policy=policy.default).parsebytes(raw)
            token = mailing_in.token_in(str(message["Reply-To"]))
            link = links.find(token)
            if link and (link.game_id, link.seat, link.purpose) == (
                table.id,
                seat,
                purpose,
            ):
                address = str(message["Reply-To"])
                return Asked(seat, address, str(message["Message-ID"]), token)
        raise LookupError(seat)

    def raw_of(self, to: Asked) -> bytes:
        """The mail that an address to answer to came with."""
        wanted = to.message_id.encode()
        return next(raw for raw in reversed(self.sink.raw) if wanted in raw)

    def seat_of(self, table: Seated, message: EmailMessage) -> int:
        """Whose mail it is."""
        found = links.find(mailing_in.token_in(str(message["Reply-To"])))
        assert found is not None
        assert found.game_id == table.id
        return found.seat

    def answers(self, table: Seated, seat: int) -> list[EmailMessage]:
        """The answers to mails that a seat was sent so far, oldest first."""
        send(table.id)
        found = [parsed(raw) for raw in self.sink.raw]
        person = address_of(seated.person_on(table.id, seat))
        return [
            each
            for each in found
            if each["Auto-Submitted"] == "auto-replied"
            and person in str(each["To"]).lower()
        ]


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def text_of(message: EmailMessage) -> str:
    """The text part of a mail."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def address_of(person_id: UUID) -> str:
    """The address of somebody, as their mails have it."""
    found = run("SELECT address FROM person WHERE id = :p", {"p": person_id})
    return str(found[0][0]).lower()


def mail(table: Seated, to: Asked, text: str, **headers: str) -> bytes:
    """A mail as a seat's person would write it; `headers` are others, or others' words.

    An empty header is left out.
    """
    message = EmailMessage()
    named = {
        "From": f"Somebody <{address_of(seated.person_on(table.id, to.seat))}>",
        "To": to.address,
        "Subject": "Re: King Up!",
        "Message-ID": f"<{next(_numbers)}@mail.example.org>",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    for name, value in named.items():
        if value:
            message[name] = value
    message.set_content(text)
    return message.as_bytes(policy=policy.SMTP)


def secret_of(table: Seated, seat: int, decision: int) -> str:
    """A secret of a seat's to answer a decision by mail."""
    person = seated.person_on(table.id, seat)
    link = LinkRow(LinkPurpose.REPLY, table.id, person, seat, decision)
    with transaction():
        return links.add(link)


def bring(
    table: Seated,
    seat: int,
    secret: str,
    text: str,
    sender: str = "",
    *,
    proved: bool = True,
) -> None:
    """A mail of a seat's person, or of another sender, that is handled at once."""
    author = sender or address_of(seated.person_on(table.id, seat))
    to = f"game+{secret}@play.example.org"
    raw = f"From: {author}\r\nTo: {to}\r\n\r\n{text}\r\n"
    incoming_mail.take(raw.encode(), "", trusted=proved)
    handling.sweep()


def deliver(*mails: bytes, envelope: str = "") -> None:
    """Bring mails in, and have the worker handle them."""
    for raw in mails:
        incoming_mail.take(raw, envelope)
    handling.sweep()


def journal(table: Seated | None = None) -> list[str]:
    """The kinds in the journal, oldest first; of one table, if one is said."""
    of = "" if table is None else "WHERE game_id = :g"
    rows = run(
        f"SELECT kind FROM mail_journal {of} ORDER BY at, id",
        {} if table is None else {"g": table.id},
    )
    return [str(row[0]) for row in rows]


def seat_asked(table: Seated) -> int:
    """The seat that is asked alone."""
    return int(table.game.asked()[0])


def to_move() -> tuple[Seated, int, str]:
    """A game in its first ascent: the seat that is asked, and whom it may move."""
    table = seated.started(3, placement="random", rounds=1)
    seat = seat_asked(table)
    answer = seated.own(table.game, seat).legal[0].answer
    assert isinstance(answer, Move)
    return table, seat, nouns.name_of(answer.character)
