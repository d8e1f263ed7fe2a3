"""Addresses that want no invitations, kept as digests: none of them can be read.

A digest outlives its owner's account, so that whoever was erased isn't asked again.
Addresses were compared more coarsely once. Nobody can tell from a digest of that time
whose it is, so it holds for every address that it may have been.
"""

import hmac

from flask import current_app

from service import config
from service.store import sql

_ADD = "INSERT INTO opt_out (digest) VALUES (%(digest)s) ON CONFLICT DO NOTHING"
_FIND = "SELECT 1 FROM opt_out WHERE digest = ANY(%(digests)s) LIMIT 1"


def digests(key: str) -> list[bytes]:
    """What may be kept of an address, from its key: of now, and of coarser keys.

    Nobody makes them without the secret. They never meet: what ss says now is not said
    for ß.
    """
    return [_digest(f"never again {key}"), _digest(f"opt-out {key.casefold()}")]


def _digest(said: str) -> bytes:
    secret = config.of(current_app).secret_key
    return hmac.digest(secret.encode(), said.encode(), "sha256")


def add(key: str) -> None:
    """Keep that an address wants no invitation ever again."""
    now, _ = digests(key)
    sql.execute(_ADD, digest=now)


def has(key: str | None) -> bool:
    """Whether an address wants no invitations; False for nobody's."""
    return key is not None and bool(sql.execute(_FIND, digests=digests(key)))
