"""Heads in mails that somebody kept: found whatever a mail program did to them."""

import html
import quopri
import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.message import Message
from typing import Final

import msgspec

from engine.verify.report import Check, CheckLine, State, Wrong

# Head 0 is not one: it stands before event 1 and fixes nothing.
HEAD: Final = re.compile(
    r"(?<![0-9A-Za-z])([1-9][0-9]{0,6}):([0-9a-f]{64}|[0-9a-f]{32})(?![0-9A-Za-z])"
)
"""A head as it stands in any text: whatever looks like one is compared."""
_UUID: Final = re.compile(
    r"(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])"
)
_CODE: Final = re.compile(r"\(([0-9a-f]{4})\)|(?<=[0-9a-f]{32}/)([0-9a-f]{4})\b")
_TAG: Final = re.compile(r"<[^<>]*>")
_DIGITS: Final = 4
"""How many digits of a game's id stand behind a head that people see.

In brackets they stood in the subjects of mails once.
"""

_DEEPEST: Final = 40
"""How many parts may be packed in one another: mails have some few."""

_THREADS: Final = ("References", "In-Reply-To")


class FoundMail(msgspec.Struct, frozen=True):
    """What was found in a mail: heads by number, and signs of the game it is about."""

    heads: tuple[tuple[int, str], ...]
    games: frozenset[str]
    codes: frozenset[str]
    readable: bool = True


def read(raw: bytes) -> FoundMail:
    """The heads in a mail as it was saved, or in any text that holds some.

    `readable` is false for one that is packed deeper than mails are, or broken so that
    the standard library's parsers give up.
    """
    try:
        return _read(raw)
    except (RecursionError, TypeError, ValueError):
        # The parser of a header's parameters raises TypeError for numbers it misses.
        return FoundMail((), frozenset(), frozenset(), readable=False)


def _read(raw: bytes) -> FoundMail:
    heads, games, codes = set[tuple[int, str]](), set[str](), set[str]()
    for part, text in _texts(raw):
        heads |= {(int(number), digits) for number, digits in HEAD.findall(text)}
        codes |= {old or new for old, new in _CODE.findall(text)}
        for name in _THREADS:
            games |= set(_UUID.findall(str(part.get(name, ""))))
    return FoundMail(tuple(sorted(heads)), frozenset(games), frozenset(codes))


def _texts(raw: bytes) -> Iterator[tuple[Message, str]]:
    """Every text in a mail, undone from what it was packed in, with its part.

    Raises ValueError for what is packed too deep.
    """
    waiting = [(message_from_bytes(raw), raw, 0)]
    while waiting:
        part, source, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError(depth)
        payload = part.get_payload(decode=True)
        packed = source, quopri.decodestring(source), payload
        for data in packed:
            if isinstance(data, bytes):
                yield from ((part, text) for text in readings(data))
        waiting += [(*inner, depth + 1) for inner in _inner(part, payload)]


def _inner(part: Message, payload: object) -> Iterator[tuple[Message, bytes]]:
    """What is packed in a part, a mail attached as a file with its source."""
    if part.is_multipart():
        packed = part.get_payload()
        yield from ((inner, b"") for inner in packed if isinstance(inner, Message))
    elif isinstance(payload, bytes) and _is_mail(part):
        yield message_from_bytes(payload), payload


def _is_mail(part: Message) -> bool:
    return part.get_filename("").lower().endswith(".eml")


def readings(data: bytes) -> Iterator[str]:
    """What is read of bytes: them as a text, and what a page of them would show."""
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8", errors="replace")
    yield text
    yield _TAG.sub("", html.unescape(text))


def check(name: str, mail: FoundMail, game: str, heads: Sequence[bytes]) -> CheckLine:
    """What a mail says of a record with these heads. Raises Wrong."""
    if not mail.readable:
        raise Wrong("mail-unreadable", None, expected="a mail", found="none")
    if not mail.heads:
        raise Wrong("mail-without-head", None, expected="N:digits", found=None)
    for number, digits in mail.heads:
        known = heads[number].hex()[: len(digits)] if number < len(heads) else None
        if digits == known:
            continue
        foreign = mail.games and game not in mail.games
        # A forwarded mail has lost its threads, but may still tell its game.
        other = not mail.games and mail.codes and game[:_DIGITS] not in mail.codes
        if foreign or other:
            signs = " ".join(sorted(mail.games or mail.codes))
            raise Wrong("mail-of-another-game", None, expected=game, found=signs)
        code = "mail-ahead" if known is None else "mail-differs"
        expected = known or f"{len(heads) - 1} events"
        raise Wrong(code, number, expected=expected, found=digits)
    detail = ", ".join(str(number) for number, _ in mail.heads)
    fixed = mail.heads[-1][0]
    return CheckLine(
        Check.MAIL, State.OK, f"the same head after event {detail}", name, fixed=fixed
    )
