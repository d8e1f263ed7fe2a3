"""The secret that whoever brings us mails over HTTP shows, as a password or a token."""

import base64
import binascii
from hmac import compare_digest
from typing import Final

PATH: Final = "/inbound"


def is_shown(authorization: str, secret: str | None) -> bool:
    """Whether an Authorization header shows the secret; never where there is none.

    As a bearer token, or as the password of anybody: services that hand mails on know
    one of the two.
    """
    if not secret:
        return False
    scheme, _, given = authorization.strip().partition(" ")
    shown = given.strip()
    if scheme.lower() == "basic":
        shown = _password(shown)
    elif scheme.lower() != "bearer":
        return False
    return compare_digest(shown.encode(), secret.encode())


def _password(encoded: str) -> str:
    try:
        pair = base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return pair.partition(":")[2]
