"""Heads in mails that somebody kept: found whatever a mail program did to them."""

import html
import quopri
import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.message import Message
from typing import Final

import msgspec

from engine.verify.finding import Check, Line, State, Wrong

_HEAD: Final = re.compile(
    r"(?<![0-9A-Za-z])([0-9]{1,7}):([0-9a-f]{64}|[0-9a-f]{32})(?![0-9A-Za-z])"
)
_UUID: Final = re.compile(
    r"(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])"
)
_CODE: Final = re.compile(r"\(([0-9a-f]{4})\)")
_TAG: Final = re.compile(r"<[^<>]*>")
_DIGITS: Final = 4
"""How many digits of a game's id stand in the subject of its mails."""

_THREADS: Final = ("References", "In-Reply-To")


class Mail(msgspec.Struct, frozen=True):
    """What was found in a mail: heads by number, and signs of the game it is about."""

    heads: tuple[tuple[int, str], ...]
    games: frozenset[str]
    codes: frozenset[str]


def read(raw: bytes) -> Mail:
    """The heads in a mail as it was saved, or in any text that holds some."""
    message = message_from_bytes(raw)
    texts = tuple(_texts(raw, message))
    found = {
        (int(number), digits)
        for text in texts
        for number, digits in _HEAD.findall(text)
    }
    threads = " ".join(
        str(part.get(name, "")) for part in message.walk() for name in _THREADS
    )
    codes = {code for text in texts for code in _CODE.findall(text)}
    return Mail(
        tuple(sorted(found)), frozenset(_UUID.findall(threads)), frozenset(codes)
    )


def _texts(raw: bytes, message: Message) -> Iterator[str]:
    """Every text in a mail, undone from what it was packed in."""
    yield from _plain(raw)
    yield from _plain(quopri.decodestring(raw))
    for part in message.walk():
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield from _plain(payload)
            if part.get_filename("").lower().endswith(".eml"):
                yield from _texts(payload, message_from_bytes(payload))


def _plain(data: bytes) -> Iterator[str]:
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8", errors="replace")
    yield text
    yield _TAG.sub("", html.unescape(text))


def check(name: str, mail: Mail, game: str, heads: Sequence[bytes]) -> Line:
    """What a mail says of a record with these heads. Raises Wrong."""
    if not mail.heads:
        raise Wrong("mail-without-head", None, expected="N:digits", found=None)
    for number, digits in mail.heads:
        known = heads[number].hex()[: len(digits)] if number < len(heads) else None
        if digits == known:
            continue
        foreign = mail.games and game not in mail.games
        # A forwarded mail has lost its threads, but its subject may still be told.
        other = not mail.games and mail.codes and game[:_DIGITS] not in mail.codes
        if foreign or other:
            signs = " ".join(sorted(mail.games or mail.codes))
            raise Wrong("mail-of-another-game", None, expected=game, found=signs)
        code = "mail-ahead" if known is None else "mail-differs"
        expected = known or f"{len(heads) - 1} events"
        raise Wrong(code, number, expected=expected, found=digits)
    told = ", ".join(str(number) for number, _ in mail.heads)
    return Line(Check.MAIL, State.OK, f"the same head after event {told}", name)
