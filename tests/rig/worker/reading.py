"""Mails to read without a database, and the words of all languages to do it with."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from email.message import MIMEPart
from email.policy import SMTP
from functools import cache
from pathlib import Path

from flask import Flask

from engine.board import Card
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions.classic import Classic
from engine.editions.jester import Jester
from service import config
from service.config import Config
from service.present.languages import Languages
from tests.rig.service.environs import COMPLETE
from worker.incoming import authentication, commands, headers, letter
from worker.incoming.letter import Letter

MAILS = Path(__file__).parents[2] / "worker" / "incoming" / "mails"
"""Mails after the shapes of real ones, of invented people."""

CARDS = tuple(map(Ballot, Card))
YES, NO = Ballot(Card.YES), Ballot(Card.NO)
STOMACHACHE = Ballot(Card.STOMACHACHE)

MOVES = tuple(map(Move, Jester.characters))
DESTINATIONS = {"O": "5", "A": "throne", "D": "4", "J": "wc3", "M": "3"}
"""Where some of them lead: M leaves a WC."""

PLACEMENTS = tuple(
    Placement(character, floor) for character in "ABMO" for floor in ("1", "2", "3")
)
"""Floor 4 is full."""

PLACES = Jester.places
CLASSIC_PLACES = Classic.places


REQUIRE = config.load(COMPLETE)
"""Settings under which an answer has to be proved."""


@cache
def _app() -> Flask:
    app = Flask(__name__)
    Languages(app)
    return app


@contextmanager
def speaking() -> Iterator[None]:
    """A block in which the service's words are there, and nothing else of it."""
    with _app().app_context():
        yield


def understood(*lines: str, offers: Sequence[Answer]) -> Answer | commands.Unread:
    """What lines come to, when `offers` can be answered."""
    found = commands.read(lines, offers, PLACES, DESTINATIONS)
    return found.answer if isinstance(found, commands.Command) else found


def plain(text: str, *headers: str) -> bytes:
    """A mail of plain text as a person's program sends it."""
    kind = "Content-Type: text/plain; charset=utf-8"
    return mail(text.encode(), kind, *headers)


def page(markup: str) -> bytes:
    """A mail that is a page alone."""
    return mail(markup.encode(), "Content-Type: text/html; charset=utf-8")


def mail(body: bytes, *headers: str) -> bytes:
    """A mail of Ann's, with these headers among hers."""
    head = "\r\n".join(("From: Ann <ann@example.org>", "MIME-Version: 1.0", *headers))
    return head.encode() + b"\r\n\r\n" + body


def parted(kind: str, *parts: bytes) -> bytes:
    """A part of several; each of them begins with its headers."""
    body = b"".join(b"--edge\r\n" + part + b"\r\n" for part in parts)
    head = f"Content-Type: multipart/{kind}; boundary=edge"
    return head.encode() + b"\r\n\r\n" + body + b"--edge--\r\n"


def part(text: str, subtype: str = "plain") -> bytes:
    """One part of text, its headers before it."""
    made = MIMEPart(policy=SMTP)
    made.set_content(text, subtype=subtype)
    return made.as_bytes()


def from_ann(entity: bytes) -> bytes:
    """A mail of Ann's that has its own headers of content."""
    return b"From: Ann <ann@example.org>\r\nMIME-Version: 1.0\r\n" + entity


def letter_of(raw: bytes, envelope: str = "") -> Letter:
    """A mail as it is read from its bytes alone."""
    return letter.read(raw, headers.of(raw), envelope)


def lines(raw: bytes) -> tuple[str, ...]:
    """What the writer of a mail wrote in it."""
    return letter_of(raw).lines


def is_proved(
    raw: bytes, sender: str, settings: Config, look_up: Callable[[bytes], bytes | None]
) -> bool:
    """Whether a mail is believed to be from `sender`."""
    return authentication.is_proved(raw, headers.of(raw), sender, settings, look_up)
