"""Addresses as a host typed them, kept so that the database alone doesn't tell them."""

import hmac
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from flask import current_app

from service import config
from service.values import entropy

_NONCE: Final = 12


def seal(typed: str) -> bytes:
    """What is kept of an address: whoever has the instance's secret reads it again.

    The host reads what they wrote whatever its owner does, and is told nothing of them
    by it. So it outlives an account, and may not be read from a database or a backup.
    """
    nonce = entropy.source(_NONCE)
    return nonce + _cipher().encrypt(nonce, typed.encode(), None)


def read(kept: bytes) -> str | None:
    """The address that was sealed; None if that was by another secret."""
    try:
        return _cipher().decrypt(kept[:_NONCE], kept[_NONCE:], None).decode()
    except InvalidTag:
        return None


def _cipher() -> ChaCha20Poly1305:
    secret = config.of(current_app).secret_key.encode()
    return ChaCha20Poly1305(hmac.digest(secret, b"typed address", "sha256"))
