"""The parts of a mail: its text as one, and the kinds of all that is in it.

Of alternatives the first that says anything is read, so plain text before a page. A
mail that is attached to another is somebody else's.
"""

import codecs
import re
from collections.abc import Iterator
from email import errors
from email._policybase import Compat32
from email.message import Message
from email.parser import BytesParser
from typing import Final

import msgspec

from worker.incoming import html_text
from worker.incoming.wordlists import words

DEEPEST: Final = 10
"""So many parts inside each other are looked into at most."""

_MOST_BYTES: Final = 320 * 1024
_MOST_TEXT: Final = 256 * 1024
_MOST_PARTS: Final = 20
"""With more than so many parts a mail was made to keep its reader busy."""

_LONGEST_HEADER: Final = 1_000

_MOST_FLOWING: Final = 2_000
"""A line is joined up to here: adding to long ones costs more each time."""

_MOST_EDGES: Final = 5_000
"""Likewise with more lines at which a part may end: empty ones, or two dashes."""

# The library takes a carriage return alone for the end of a line, too.
_PART: Final = re.compile(
    rb"(?:\A|[\r\n])content-type:\s*+(?:multipart|message)/", re.IGNORECASE
)
_EDGE: Final = re.compile(rb"(?>\r\n|\r|\n)(?=[\r\n]|--)")

_CHARSETS: Final = words(
    "utf-8 utf-8-sig utf-16 utf-16-le utf-16-be gb2312 gbk gb18030 big5 shift_jis cp932"
    " euc_jp iso2022_jp euc_kr cp949 koi8-r koi8-u mac-roman tis-620"
)
"""In what else than Latin letters' sets people write; not in what hides letters."""

_LATIN: Final = re.compile(r"iso8859-\d{1,2}|cp125\d|cp85\d|cp437")

BROKEN: Final = (
    errors.MessageError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the library stumbles with over bytes that are no mail."""


class _Short(Compat32):
    """How headers are read: no further than any program of a person's writes them."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return str(super().header_fetch_parse(name, value[:_LONGEST_HEADER]))


_SHORT: Final = _Short()


class Body(msgspec.Struct, frozen=True):
    """What is in a mail: its text, and the kinds of its parts ("text/plain")."""

    text: str
    kinds: frozenset[str]


def of(raw: bytes, *, first_alone: bool) -> Body:
    """A mail's text, with `first_alone` its first alone; "" if it can't be read."""
    raw = raw[:_MOST_BYTES]
    if len(_PART.findall(raw)) > _MOST_PARTS or len(_EDGE.findall(raw)) > _MOST_EDGES:
        return Body("", frozenset())
    try:
        # In the library's older form, which reads a header when it is asked for: the
        # newer one stumbles over some that nobody asks for.
        message = BytesParser(policy=_SHORT).parsebytes(raw)
        kinds = frozenset(_kinds(message))
        texts = [text for text in _texts(message) if text.strip()]
    except BROKEN:
        return Body("", frozenset())
    return Body("\n".join(texts[:1] if first_alone else texts), kinds)


def _inside(part: Message) -> list[Message]:
    """The parts in a part; none in a mail that is attached."""
    payload = part.get_payload()
    if not isinstance(payload, list) or part.get_content_maintype() != "multipart":
        return []
    return [each for each in payload if isinstance(each, Message)]


def _kinds(part: Message, depth: int = 0) -> Iterator[str]:
    """The kinds of a part and of those in it, but for what people attach."""
    if part.get_content_disposition() == "attachment":
        return
    yield part.get_content_type()
    for each in _inside(part) if depth < DEEPEST else ():
        yield from _kinds(each, depth + 1)


def _texts(part: Message, depth: int = 0) -> list[str]:
    """The texts of a part, in their order; one of those that say the same."""
    if part.get_content_disposition() == "attachment" or part.get_filename():
        return []
    inside = _inside(part)
    if not inside:
        return [_text(part)]
    if depth == DEEPEST:
        return []
    each = (_texts(one, depth + 1) for one in inside[:_MOST_PARTS])
    if part.get_content_subtype() == "alternative":
        return next((said for said in each if any(map(str.strip, said))), [])
    return [text for texts in each for text in texts]


def _text(part: Message) -> str:
    kind = part.get_content_type()
    if kind == "text/html":
        return html_text.of(_decoded(part))
    if kind != "text/plain":
        return ""
    flows = str(part.get_param("format", "")).lower() == "flowed"
    text = _decoded(part)
    return _joined(text) if flows else text


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    return payload[:_MOST_TEXT].decode(_charset(part), "replace")


def _charset(part: Message) -> str:
    """What a part's letters are written in; UTF-8 for what nobody writes in."""
    try:
        name = codecs.lookup(part.get_content_charset("utf-8")).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if name in _CHARSETS or _LATIN.fullmatch(name) else "utf-8"


def _joined(text: str) -> str:
    """Text of which a line that ends with a space goes on in the next (RFC 3676)."""
    lines: list[str] = []
    flowing = False
    for line in text.replace("\r\n", "\n").split("\n"):
        if flowing and line and not line.startswith(">"):
            lines[-1] += line
        else:
            lines.append(line)
        own = line.endswith(" ") and line != "-- " and not lines[-1].startswith(">")
        flowing = own and len(lines[-1]) < _MOST_FLOWING
    return "\n".join(lines)
