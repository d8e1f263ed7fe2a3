"""Signatures of mails that come in (DKIM, RFC 6376), checked by their senders' keys.

Stricter than the RFC lets one be: what a signature doesn't cover may be anybody's.
"""

import logging
import re
from collections.abc import Callable
from typing import Final

import dkim

from worker.incoming import alignment, headers

MOST_SIGNATURES: Final = 10
"""So many of a mail's are looked at, from the top."""

MOST_KEYS: Final = 3
"""So many are asked for: a sender's own name server may take its time."""

_SMALLEST_KEY: Final = 1024
_LONGEST_RECORD: Final = 1_000
"""Longer is no key that people use: to calculate with it would take minutes."""

_MOST_HEAD: Final = 64 * 1024
_MOST_BLANKS: Final = 200
"""So many blanks in a row; the library takes their square to look at them."""

_END: Final = re.compile(rb"\r?\n\r?\n")
_SPACES: Final = re.compile(rb"\s++")
_BLANKS: Final = re.compile(rb"[ \t]++")
_FLAGS: Final = re.compile(rb"(?:^|;)\s*t\s*=([^;]*)")
_PARTED: Final = re.compile(rb"\s*multipart/[a-z]+;\s*boundary=(\"?)([\w=.+-]+)\1\s*")
_SIGNATURE: Final = b"dkim-signature"
_SAFE: Final = (b"rsa-sha256", b"ed25519-sha256")

# It would log whose mail it was.
_SILENT: Final = logging.Logger("signatures", level=logging.CRITICAL + 1)

_BROKEN: Final = (
    dkim.DKIMException,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What the library stumbles with over a signature, or a key, that is none."""


def is_signed(
    raw: bytes, domain: str, look_up: Callable[[bytes], bytes | None]
) -> bool:
    """Whether a domain, or one above it, has signed a mail as a whole.

    Covered have to be its body up to the end, and of its headers all that say who wrote
    what to whom: who got a mail could send it on to us. The key has 1024 bits or more,
    is no trial's, and the signature is not over.
    """
    if not _is_bearable(raw):
        return False

    asked: list[bytes] = []

    def key(name: bytes, timeout: float = 0) -> bytes | None:
        asked.append(name)
        record = look_up(name) if len(asked) <= MOST_KEYS else None
        return None if record is None or _is_unfit(record) else record

    try:
        mail = dkim.DKIM(raw, logger=_SILENT, minkey=_SMALLEST_KEY)
    except _BROKEN:
        return False
    signatures = [name for name, _ in mail.headers if name.lower() == _SIGNATURE]
    found = range(len(signatures[:MOST_SIGNATURES]))
    return any(_holds(mail, at, domain, key) for at in found)


def _is_bearable(raw: bytes) -> bool:
    """Whether a mail can be checked in a time that grows as its length does."""
    end = _END.search(raw, 0, _MOST_HEAD)
    if end is None:
        return False
    spaces = _SPACES.findall(raw, 0, end.start())
    blanks = _BLANKS.findall(raw, end.start())
    return all(len(each) <= _MOST_BLANKS for each in (*spaces, *blanks))


def _is_unfit(record: bytes) -> bool:
    """Whether a key is on trial only, or made to keep us busy."""
    if len(record) > _LONGEST_RECORD:
        return True
    flags = _FLAGS.search(record)
    return flags is not None and b"y" in flags[1].replace(b" ", b"").split(b":")


def _holds(
    mail: dkim.DKIM, at: int, domain: str, key: Callable[[bytes, float], bytes | None]
) -> bool:
    """Whether one of a mail's signatures is good, the topmost being number 0."""
    try:
        # Looked at before anybody is asked for the key: only the sender's domain is.
        if not mail.verify_headerprep(at) or not _covers(mail, domain):
            return False
        return bool(mail.verify(at, dnsfunc=key))
    except _BROKEN:
        return False


def _covers(signature: dkim.DKIM, domain: str) -> bool:
    """Whether a signature speaks for the domain, and of the whole mail."""
    fields = signature.signature_fields
    return (
        alignment.is_aligned(fields[b"d"].decode("ascii"), domain)
        and b"from" in signature.include_headers
        and not _left_out(signature)
        and b"l" not in fields
        and fields[b"a"] in _SAFE
    )


def _left_out(signature: dkim.DKIM) -> bool:
    """Whether a header that matters could be anybody's.

    A Content-Type that isn't signed, as Google's servers leave it, can be no other if
    the body, which is, begins with the boundary that it names.
    """
    signed = set(signature.include_headers)
    said = {name.lower(): value for name, value in signature.headers}
    out = {name for name in said if name.decode() in headers.ONCE} - signed
    parted = _PARTED.fullmatch(said.get(b"content-type", b""))
    if parted and signature.body.startswith(b"--%b\r\n" % parted[2]):
        out.discard(b"content-type")
    return bool(out)
