"""Mails as they came, read as a person's mail program reads them."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import NamedTuple

CARDS = ", turned over:"
"""How the heading ends above the cards of an election."""

_URL = re.compile(r"https?://[^\s<>\"']+")


class Letter(NamedTuple):
    """One mail: `urls` are all it holds, in text, HTML and headers.

    `notice` is the kind of what leads it, empty for one that brings a code.
    `ending`, by which the mails of its game end, is none of `urls`: each mail has one.
    """

    number: int
    raw: bytes
    to: str
    subject: str
    notice: str
    message_id: str
    text: str
    html: str
    urls: tuple[str, ...]
    ending: str = ""

    @property
    def url(self) -> str:
        """The link of what the mail leads with; what is told beside it has others."""
        assert self.urls, self.subject
        return self.urls[0]

    @property
    def cards(self) -> list[str]:
        """The lines behind the heading of cards that were turned over."""
        lines = self.text.splitlines()
        (heading,) = [n for n, line in enumerate(lines) if CARDS in line]
        return lines[heading + 1 :]


class _Addresses(HTMLParser):
    """Whatever an HTML part would fetch or lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src", "action") and value:
                self.found.append(value)


def read(number: int, raw: bytes) -> Letter:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    text, html = _part(message, "plain"), _part(message, "html")
    parser = _Addresses()
    parser.feed(html)
    ending = str(message["List-Unsubscribe"] or "").strip().strip("<>")
    headers = " ".join(str(value) for value in message.values())
    urls = [*_URL.findall(text), *parser.found, *_URL.findall(headers)]
    return Letter(
        number=number,
        raw=raw,
        to=_plain(message["To"].addresses[0].addr_spec),
        subject=str(message["Subject"]),
        notice=str(message["X-Kingup-Notice"] or ""),
        message_id=str(message["Message-ID"]),
        text=text,
        html=html,
        urls=tuple(
            dict.fromkeys(u for u in urls if u.startswith("http") and u != ending)
        ),
        ending=ending,
    )


def _plain(address: str) -> str:
    """An address as it was written: beyond ASCII the parser hands on its bytes."""
    return address.encode(errors="surrogateescape").decode()


def _part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None, f"no {kind} part"
    return str(body.get_content())


_known: dict[Path, list[Letter]] = {}


def letters_in(folder: Path) -> list[Letter]:
    """The mails a sink has kept in a folder, in the order they came."""
    known = _known.setdefault(folder, [])
    for raw in raw_in(folder, len(known)):
        known.append(read(len(known) + 1, raw))
    return known.copy()


def raw_in(folder: Path, after: int = 0) -> Iterator[bytes]:
    """The same mails as they came, without the first `after`."""
    for number in count(after + 1):
        file = folder / f"{number:06d}.eml"
        if not file.exists():
            return
        yield file.read_bytes()
