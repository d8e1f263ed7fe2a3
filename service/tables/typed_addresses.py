"""Addresses as a host typed them, kept so that the database alone doesn't tell them."""

import hmac
from typing import Final

from flask import current_app

from service import config
from service.values import entropy

_NONCE: Final = 16
_TAG: Final = 32
_BLOCK: Final = 32


def seal(typed: str) -> bytes:
    """What is kept of an address: whoever has the instance's secret reads it again.

    The host reads what they wrote whatever its owner does, and is told nothing of them
    by it. So it outlives an account, and may not be read from a database or a backup:
    HMAC-SHA-256 in counter mode, with a tag over the result.
    """
    nonce = entropy.source(_NONCE)
    hidden = _veiled(typed.encode(), nonce)
    return nonce + _digest(b"tag", nonce + hidden) + hidden


def read(kept: bytes) -> str | None:
    """The address that was sealed; None if that was by another secret."""
    nonce, tag, hidden = (
        kept[:_NONCE],
        kept[_NONCE : _NONCE + _TAG],
        kept[_NONCE + _TAG :],
    )
    if not hmac.compare_digest(tag, _digest(b"tag", nonce + hidden)):
        return None
    return _veiled(hidden, nonce).decode()


def _veiled(text: bytes, nonce: bytes) -> bytes:
    """The text under a stream of bytes that the secret and the nonce make."""
    blocks = range(-(-len(text) // _BLOCK))
    stream = b"".join(_digest(b"veil", nonce + bytes([block])) for block in blocks)
    return bytes(a ^ b for a, b in zip(text, stream, strict=False))


def _digest(use: bytes, data: bytes) -> bytes:
    secret = config.of(current_app).secret_key
    key = hmac.digest(secret.encode(), b"typed address " + use, "sha256")
    return hmac.digest(key, data, "sha256")
