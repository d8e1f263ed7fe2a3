"""How whoever is refused may prove who asks, as RFC 6750 has it told."""

from collections.abc import Mapping
from typing import Final

from service.values.errors import Forbidden, PublicError, Unauthorized

_SCHEME: Final = "Bearer"
_REALM: Final = 'realm="kingup"'

# For programs, and in a header: English, without quotes.
_UNBELIEVED: Final[Mapping[str, str]] = {
    "bad-token": "The token is unknown",
    "expired-token": "The token has expired",
    "revoked-token": "The token was revoked",
}
"""What is wrong with a token, by the reason."""


def of(error: PublicError) -> str | None:
    """The challenge that goes with an error; None for most.

    Whoever has sent no token is told how to, and nothing of what would be wrong.
    """
    reason = str(error.facts.get("reason"))
    if isinstance(error, Unauthorized):
        said = _UNBELIEVED.get(reason)
        return f"{_SCHEME} {_REALM}" if said is None else _with("invalid_token", said)
    if isinstance(error, Forbidden) and reason == "scope":
        narrow = _with("insufficient_scope", "The token is not good for this")
        return f'{narrow}, scope="{error.facts["scope"]}"'
    return None


def _with(code: str, said: str) -> str:
    return f'{_SCHEME} {_REALM}, error="{code}", error_description="{said}"'
