"""The one source of chance: ids, tokens, seeds, and the bots' dice."""

import base64
import hashlib
import secrets
from collections.abc import Callable
from random import Random
from uuid import UUID

TOKEN_BYTES = 16
TOKEN_LENGTH = 26
"""Letters and digits of a mailed token: 128 bits, five a character."""

CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH = 8

source: Callable[[int], bytes] = secrets.token_bytes
"""Where the bytes come from; trials may put a repeatable source in its place."""


def identifier() -> UUID:
    """A random UUID, version 4."""
    return UUID(bytes=source(16), version=4)


def seed() -> bytes:
    """A game's seed, 32 bytes."""
    return source(32)


def token() -> str:
    """A fresh secret for a link or a device: lower-case letters and 2 to 7."""
    # Some people type it: base32 is good in either case.
    return base64.b32encode(source(TOKEN_BYTES)).decode().rstrip("=").lower()


def dice() -> Random:
    """Chance for a bot, which has nothing to do with a game's key."""
    return Random(source(16))  # noqa: S311 - a bot's ties are no secret


def digest(secret: str) -> bytes:
    """What is kept of a token: its hash, 32 bytes."""
    return hashlib.sha256(secret.encode()).digest()


def code() -> str:
    """A code to type by hand, in two groups of four: 34 bits.

    Consonants alone spell no word, and none of them looks like another.
    """
    number = int.from_bytes(source(TOKEN_BYTES))
    letters = []
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[letter])
    typed = "".join(letters)
    return f"{typed[: CODE_LENGTH // 2]}-{typed[CODE_LENGTH // 2 :]}"
