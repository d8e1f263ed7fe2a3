"""The headers of a mail, as they stand in its bytes: who says they sent it.

The library's own reading of addresses forgives what must not be forgiven here: a From
of which two programs make two senders is nobody's.
"""

import re
from collections.abc import Mapping, Sequence
from email.errors import HeaderParseError
from email.header import decode_header
from typing import Final, TypeAlias

import msgspec

Headers: TypeAlias = Mapping[str, Sequence[str]]
"""What each header says, top to bottom, by its name in small letters."""

_MOST_BYTES: Final = 128 * 1024
"""So far a mail's headers are read; those of people's programs are a tenth of it."""

_END: Final = re.compile(rb"\r?\n\r?\n")
_LINE_END: Final = re.compile(rb"\r?\n")
_LINE: Final = re.compile(rb"(?:[!-9;-~]++:|[ \t])[^\r\0]*+")
"""A header, or more of the one above. Programs differ over a carriage return alone."""

ONCE: Final = frozenset(
    ("from", "to", "cc", "date", "subject", "message-id", "mime-version")
    + ("content-type", "content-transfer-encoding")
)
"""What of a mail's headers says who wrote what to whom: each stands there once."""

_FOLDED: Final = re.compile(r"\r?\n[ \t]+")
_NAME: Final = re.compile(r"[!-9;-~]+")

_ATOM: Final = r"[^\s<>@,;:\"()\[\]\\]"
_FROM: Final = re.compile(
    r"(?:(?P<name>(?:\"(?:[^\"\\]|\\.)*+\"|[^\"<>@,;:()\[\]\\])*+)"
    rf"<\s*+(?P<held>{_ATOM}++@{_ATOM}++)\s*+>|(?P<bare>{_ATOM}++@{_ATOM}++))"
)
"""One mailbox, in brackets or bare: no list, no group, no comment, no second one."""

_LONGEST: Final = 1_000


class Author(msgspec.Struct, frozen=True):
    """Whom a mail says it is from: one address, and a name that anybody can choose.

    Both are "" where there is no sender, or more than one can be read from it.
    """

    address: str
    name: str


def of(raw: bytes) -> Headers:
    """All headers of a mail; what is no header is passed over."""
    end = _END.search(raw, 0, _MOST_BYTES)
    head = raw[: end.start() if end else _MOST_BYTES].decode("utf-8", "replace")
    found: dict[str, list[str]] = {}
    for line in _FOLDED.sub(" ", head).split("\n"):
        name, colon, value = line.partition(":")
        if colon and _NAME.fullmatch(name):
            found.setdefault(name.lower(), []).append(value.strip())
    return found


def are_plain(raw: bytes, found: Headers) -> bool:
    """Whether every program reads the same headers as we, and the same of each.

    What one takes for a header and another for none, or of two of a name each takes
    another, would be shown to whoever proves it and not be what is proved.
    """
    end = _END.search(raw, 0, _MOST_BYTES)
    if end is None or raw.startswith((b" ", b"\t")):
        return False
    if not all(map(_LINE.fullmatch, _LINE_END.split(raw[: end.start()]))):
        return False
    return all(len(each) == 1 for name, each in found.items() if name in ONCE)


def one(found: Headers, name: str) -> str:
    """A header that may be there once; "" if it isn't."""
    values = found.get(name, ())
    return values[0] if len(values) == 1 else ""


def sender(found: Headers) -> Author:
    """Whom the one From of a mail names, if it names one mailbox alone."""
    said = one(found, "from")
    parsed = _FROM.fullmatch(said) if len(said) <= _LONGEST else None
    if parsed is None:
        return Author("", "")
    name = (parsed["name"] or "").strip().strip('"')
    return Author(parsed["held"] or parsed["bare"], _decoded(name))


def _decoded(name: str) -> str:
    """A name in letters, which mail programs write as encoded words."""
    try:
        return "".join(
            part
            if isinstance(part, str)
            else part.decode(charset or "ascii", "replace")
            for part, charset in decode_header(name)
        )
    except (HeaderParseError, LookupError, ValueError):
        return ""
