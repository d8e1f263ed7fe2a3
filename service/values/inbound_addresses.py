"""Our address for mails that come in, with a secret in it: for answers or for bounces.

An answer goes to game+SECRET@…, what comes back of a mail to game+b.SECRET@….
"""

import re
from email.headerregistry import Address
from typing import Final

from service.values import entropy

_BOUNCE: Final = "b."
MOST_ADDED: Final = len(f"+{_BOUNCE}") + entropy.TOKEN_LENGTH
"""How many letters are put behind what the address has before the @."""

_HEAD_BYTES: Final = 64 * 1024
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_SECRET: Final = re.compile(
    rf"\+({re.escape(_BOUNCE)})?([a-z2-7]{{{entropy.TOKEN_LENGTH}}})@",
    re.IGNORECASE | re.ASCII,
)


def for_answers(ours: Address, secret: str) -> Address:
    """Where a mail is answered to, as a mail program shows it."""
    return Address("King Up!", f"{ours.username}+{secret}", ours.domain)


def for_bounces(ours: Address, secret: str) -> Address:
    """Where a mail comes back to."""
    return Address("", f"{ours.username}+{_BOUNCE}{secret}", ours.domain)


def delivered_to(raw: bytes, envelope: str) -> str:
    """Where a mail went: the address it was delivered to, or else its headers.

    `envelope` is that address, "" where nobody says.
    """
    if envelope:
        return envelope
    end = _HEAD_END.search(raw, 0, _HEAD_BYTES)
    return raw[: end.start() if end else _HEAD_BYTES].decode("ascii", "replace")


def answer_secrets(text: str) -> tuple[str, ...]:
    """The secrets in addresses for answers, each once, in small letters, in order."""
    return _in(text, bounces=False)


def bounce_secrets(text: str) -> tuple[str, ...]:
    """Those in addresses for bounces."""
    return _in(text, bounces=True)


def _in(text: str, *, bounces: bool) -> tuple[str, ...]:
    found = (each for each in _SECRET.finditer(text) if bool(each[1]) is bounces)
    return tuple(dict.fromkeys(each[2].lower() for each in found))
