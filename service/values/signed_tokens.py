"""Signed tokens: secrets that show who asks, told from made-up ones at once.

The last five letters of a proof sign the others, by a keyed hash. So a request can be
counted by its proof before the database is asked, and whoever makes proofs up costs
nothing more: see "Limits" in docs/architecture.md.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from functools import lru_cache
from hmac import compare_digest
from itertools import islice
from typing import Final

from flask import current_app

from service.values import entropy, public_urls

_SIGNATURE_LETTERS: Final = 5
_RANDOM_LETTERS: Final = entropy.TOKEN_LENGTH - _SIGNATURE_LETTERS
_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyz234567"
_LETTER_OF: Final = _LETTERS * (256 // len(_LETTERS))
_PREFIX: Final = "kup_"
_FOREIGN: Final = re.compile(r"[^A-Za-z2-7]")
_IN_HEADER: Final = re.compile("kup_([a-z2-7]{26})", re.ASCII)
_PAGES: Final = "".join(sorted(set(public_urls.LINK_PAGES.values())))
_IN_PATH: Final = re.compile(
    f"(?:/[{_PAGES}]|{public_urls.API}/invitations)/([a-z2-7]{{26}})", re.I | re.A
)
_IN_QUERY: Final = re.compile("(?:^|&)ticket=([a-z2-7]{26})(?:&|$)", re.ASCII)
_STREAM: Final = re.compile(f"{public_urls.API}/(?:games/[^/]+|me)/stream", re.ASCII)
_IN_COOKIE: Final = re.compile('seat_[0-9a-f]{32}="?([a-z2-7]{26})', re.ASCII)
_MOST_COOKIES: Final = 40


class Origin(Enum):
    """To whom a proof was given: to whoever reads a mailbox, or to anybody."""

    MAILBOX = auto()
    ANYBODY = auto()


# A limit by network would shut out the seat beside an attacker, and a memory of good
# proofs wouldn't know a link that is opened for the first time; hence the signature.
# Without SECRET_KEY all 130 bits of a proof have to be guessed, with it 105.
class Signer:
    """Makes the proofs of one instance, and tells them from made-up ones."""

    def __init__(self, secret: str) -> None:
        self._key = hashlib.sha256(f"proofs {secret}".encode()).digest()

    def make(self, origin: Origin) -> str:
        """A fresh secret: 105 bits of chance, and 25 nobody knows without the key."""
        chance = entropy.token()[:_RANDOM_LETTERS]
        letters = self._letters(chance)
        mailbox = origin is Origin.MAILBOX
        return chance + (
            letters[:_SIGNATURE_LETTERS] if mailbox else letters[_SIGNATURE_LETTERS:]
        )

    def origin(self, proof: str) -> Origin | None:
        """To whom a proof was given; None for one that we haven't signed.

        That it is good still is another question.
        """
        secret = proof.removeprefix(_PREFIX)
        if len(secret) != entropy.TOKEN_LENGTH or not secret.isascii():
            return None
        chance, signature = secret[:_RANDOM_LETTERS], secret[_RANDOM_LETTERS:]
        letters = self._letters(chance)
        if compare_digest(signature, letters[:_SIGNATURE_LETTERS]):
            return Origin.MAILBOX
        if compare_digest(signature, letters[_SIGNATURE_LETTERS:]):
            return Origin.ANYBODY
        return None

    def has_mailbox(self, environ: Mapping[str, object]) -> bool:
        """Whether a request shows a proof that was given to a mailbox."""
        return self.mailbox_proof(environ) is not None

    def mailbox_proof(self, environ: Mapping[str, object]) -> str | None:
        """The first proof that a request shows and that was given to a mailbox."""
        proofs = (p for p in _proofs_in(environ) if self.origin(p) is Origin.MAILBOX)
        return next(proofs, None)

    def _letters(self, chance: str) -> str:
        """Both signatures that a secret may have, the mailbox's first."""
        hashed = hashlib.blake2b(
            chance.encode(), key=self._key, digest_size=2 * _SIGNATURE_LETTERS
        )
        return hashed.digest().translate(_LETTER_OF).decode()


def _proofs_in(environ: Mapping[str, object]) -> Iterator[str]:
    """What a WSGI request shows that may be proofs, wherever they may stand."""
    path = str(environ.get("PATH_INFO"))
    query = environ.get("QUERY_STRING")
    places = (
        (_IN_HEADER, environ.get("HTTP_AUTHORIZATION")),
        (_IN_PATH, path),
        # Anywhere else a ticket opens nothing.
        (_IN_QUERY, query if query and _STREAM.fullmatch(path) else None),
        (_IN_COOKIE, environ.get("HTTP_COOKIE")),
    )
    for pattern, said in places:
        if isinstance(said, str):
            for found in islice(pattern.finditer(said), _MOST_COOKIES):
                yield found[1].lower()


@lru_cache(maxsize=16)
def signer(secret: str) -> Signer:
    """The signer that belongs to a SECRET_KEY."""
    return Signer(secret)


def make(origin: Origin = Origin.MAILBOX) -> str:
    """A fresh secret of the current app for a link, a device or a token."""
    return signer(str(current_app.secret_key or "")).make(origin)


def normalise(raw: str) -> str:
    """The token in what came back: case and whatever was glued to its end forgiven."""
    return _FOREIGN.sub("", raw).lower()[: entropy.TOKEN_LENGTH]
