"""Bounces: which mail came back, and whether for good; nothing else of them is read."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import Message
from typing import Final

from service.store import bounces
from service.values import inbound_addresses
from worker.incoming import parts

_STATUS: Final = re.compile(r"\s*([245])\.\d{1,3}\.\d{1,3}\b")

_MOST_BYTES: Final = 64 * 1024
"""The report stands before the mail that it is about."""

_MOST_PARTS: Final = 20
_MOST_LINES: Final = 5_000
"""With more, mostly empty ones, a report was made to keep its reader busy."""

_NESTING: Final = re.compile(rb"(?:multipart|message)/", re.IGNORECASE)
_MOST_NESTING: Final = 20
"""So often a report may name, wherever it does, a kind of part that holds others."""

FOR_GOOD: Final = "5"
"""The class of a status that no other attempt will change (RFC 3463)."""


def token(raw: bytes, envelope: str) -> str | None:
    """The secret of the return path that a mail went to; None for any other mail.

    `envelope` is the address it was delivered to, or "" where nobody says.
    """
    went_to = inbound_addresses.delivered_to(raw, envelope)
    found = inbound_addresses.bounce_secrets(went_to)
    return found[0] if len(found) == 1 else None


def take(token: str, raw: bytes) -> bool:
    """Keep what a bounce tells; whether the mail with this return path came back.

    Inside the caller's transaction. Only a report for programs counts (RFC 3464), and
    of that the statuses alone: a mail that is merely late comes, a notice that somebody
    is on holiday has none, and words prove nothing.
    """
    return _statuses(raw) == {FOR_GOOD} and bounces.take(token)


def _statuses(raw: bytes) -> frozenset[str]:
    """The classes of the statuses in a report; none in what isn't one."""
    raw = raw[:_MOST_BYTES]
    lines = max(raw.count(b"\n"), raw.count(b"\r"))
    if lines > _MOST_LINES or len(_NESTING.findall(raw)) > _MOST_NESTING:
        return frozenset()
    try:
        return frozenset(_told(message_from_bytes(raw, policy=policy.compat32)))
    except parts.BROKEN:
        return frozenset()


def _told(mail: Message) -> Iterator[str]:
    inside = mail.get_payload()
    if mail.get_content_type() != "multipart/report" or not isinstance(inside, list):
        return
    for part in inside[:_MOST_PARTS]:
        if not isinstance(part, Message):
            continue
        if part.get_content_type() == "message/delivery-status":
            yield from _classes(part)


def _classes(report: Message) -> Iterator[str]:
    blocks = report.get_payload()
    for block in blocks[:_MOST_PARTS] if isinstance(blocks, list) else ():
        for value in block.get_all("Status", ()) if isinstance(block, Message) else ():
            found = _STATUS.match(str(value))
            if found is not None:
                yield found[1]
