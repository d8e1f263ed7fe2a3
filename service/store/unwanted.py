"""Addresses that want no invitations, kept as digests: none of them can be read.

A digest outlives its owner's account, so that whoever was erased isn't asked again.
"""

import hmac

from flask import current_app
from sqlalchemy import text

from service.config import Config
from service.models import db

_ADD = text("INSERT INTO opt_out (digest) VALUES (:digest) ON CONFLICT DO NOTHING")
_FIND = text("SELECT 1 FROM opt_out WHERE digest = :digest")


def digest(key: str) -> bytes:
    """What is kept of an address, from its key: nobody makes it without the secret."""
    settings: Config = current_app.config["KINGUP"]
    said = f"opt-out {key}".encode()
    return hmac.digest(settings.secret_key.encode(), said, "sha256")


def add(key: str) -> None:
    """Keep that an address wants no invitation ever again."""
    db.session.execute(_ADD, {"digest": digest(key)})


def has(key: str | None) -> bool:
    """Whether an address wants no invitations; False for nobody's."""
    if key is None:
        return False
    return db.session.execute(_FIND, {"digest": digest(key)}).one_or_none() is not None
