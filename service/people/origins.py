"""Where requests come from, as it is kept: by keyed digests that name nobody."""

import hashlib

from flask import current_app

from service import limits
from service.config import Config


def digest(purpose: str, origin: str | None, about: str) -> bytes:
    """What is kept of the network an IP address belongs to, in 16 bytes.

    Another purpose, and whatever else it is `about`, gives another digest, so that no
    rows show who shares a network.
    """
    settings: Config = current_app.config["KINGUP"]
    said = f"{limits.network(origin or '')} {about}"
    key = hashlib.sha256(f"{purpose} {settings.secret_key}".encode()).digest()
    return hashlib.blake2b(said.encode(), key=key, digest_size=16).digest()
