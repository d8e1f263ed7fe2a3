"""A mail as the bytes that are sent: its headers, text, page and picture as MIME.

They are put together here, for the library's classes would parse anew what we have just
written: that took half of the time of a mail.
"""

import base64
import binascii
import functools
import re
from collections.abc import Iterable
from email.policy import SMTP, SMTPUTF8
from typing import Final

import msgspec

_LONGEST_LINE: Final = 78
# An encoded word in what people call themselves is theirs, and none of ours.
_PLAIN: Final = re.compile(r"(?!.*=\?)[!-~]+(?: [!-~]+)*")
_END: Final = b"\r\n"
_LONGEST_TAKEN: Final = 998
"""A longer line has servers refuse its whole mail (RFC 5322, 2.1.1)."""

_CACHED: Final = 256
"""How many subjects and pictures are remembered: a table is mailed the same."""


class InlinePicture(msgspec.Struct, frozen=True):
    """A picture that the page shows by its name."""

    name: str
    png: bytes


def assemble(
    headers: Iterable[tuple[str, str]],
    text: str,
    page: str,
    picture: InlinePicture | None,
    boundary: str,
    *,
    utf8: bool,
) -> bytes:
    """A mail of two forms, text and a page in ASCII, as its bytes.

    `boundary` stands in no line of either. With `utf8` headers may be in that, else
    they are in ASCII. Raises ValueError for a header of several lines.
    """
    head = [_header(name, value, utf8) for name, value in headers]
    head.append(b"MIME-Version: 1.0\r\n")
    forms = [_words("plain", text), _words("html", page)]
    if picture is not None:
        # A boundary that began like the other one would end that.
        inner = f"--castle.{boundary}"
        forms[1] = _multipart("related", inner, [forms[1], _inline(picture)])
    return b"".join((*head, _multipart("alternative", f"--{boundary}", forms)))


def _header(name: str, value: str, utf8: bool) -> bytes:
    """A header as it is sent: what is short and plain leaves as it is."""
    line = f"{name}: {value}"
    if len(line) <= _LONGEST_LINE and _PLAIN.fullmatch(value):
        return line.encode() + _END
    # A subject is that of a whole round; others may hold addresses, and secrets.
    fold = _remembered if name == "Subject" else _folded
    return fold(name, value, utf8)


def _folded(name: str, value: str, utf8: bool) -> bytes:
    policy = SMTPUTF8 if utf8 else SMTP
    return policy.fold_binary(*policy.header_store_parse(name, value))


_remembered: Final = functools.lru_cache(maxsize=_CACHED)(_folded)


def _words(kind: str, words: str) -> bytes:
    """A part of lines of words, in 7bit where they are such as any server takes."""
    coding, coded = "7bit", words.encode()
    if not words.isascii() or max(map(len, words.split("\n"))) > _LONGEST_TAKEN:
        coding, coded = "quoted-printable", binascii.b2a_qp(coded, istext=True)
    head = (
        f'Content-Type: text/{kind}; charset="utf-8"\r\n'
        f"Content-Transfer-Encoding: {coding}\r\n\r\n"
    )
    return head.encode() + coded.replace(b"\n", _END)


def _inline(picture: InlinePicture) -> bytes:
    head = (
        "Content-Type: image/png\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        'Content-Disposition: inline; filename="castle.png"\r\n'
        f"Content-ID: <{picture.name}>\r\n\r\n"
    )
    return head.encode() + _packed(picture.png)


@functools.lru_cache(maxsize=_CACHED)
def _packed(png: bytes) -> bytes:
    """A picture in lines that any server lets pass."""
    return base64.encodebytes(png).replace(b"\n", _END)


def _multipart(kind: str, boundary: str, parts: Iterable[bytes]) -> bytes:
    """Several parts as one."""
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n'
    line = f"\r\n--{boundary}".encode()
    inside = (each for part in parts for each in (line, _END, part))
    return b"".join((head.encode(), *inside, line, b"--\r\n"))
