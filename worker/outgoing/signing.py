"""Mails signed for our domain (DKIM, RFC 6376), where there is a key to do it with."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

import dkim

from service.config import Config
from service.values.dkim_keys import DkimKey

_SEALED: Final = (
    b"from",
    b"to",
    b"subject",
    b"date",
    b"message-id",
    b"reply-to",
    b"list-unsubscribe",
    b"list-unsubscribe-post",
)
"""Headers that nobody on the way may change, or add where there is none: each is signed
once more than it is there."""

_SIGNED: Final = (
    b"references",
    b"auto-submitted",
    b"mime-version",
    b"content-type",
    b"content-transfer-encoding",
)
"""Headers that are signed as they are."""

_SPACES_MAY_CHANGE: Final = (b"relaxed", b"relaxed")


class _SignedAt(dkim.DKIM):  # type: ignore[misc]
    """dkimpy's signature, with our moment: it would ask the machine for another."""

    def __init__(self, mail: bytes, moment: datetime) -> None:
        super().__init__(mail)
        self._moment = str(int(moment.timestamp())).encode()

    def gen_header(
        self, fields: list[tuple[bytes, bytes]], *args: object, **more: object
    ) -> bytes:
        """The header of the signature, from its fields."""
        dated = [(n, self._moment if n == b"t" else value) for n, value in fields]
        header: bytes = super().gen_header(dated, *args, **more)
        return header


def signed(mail: bytes, moment: datetime, settings: Config) -> bytes:
    """A mail with our signature in front, made at that moment; itself without a key.

    The domain that signs is that of MAIL_FROM, as DMARC wants it.
    """
    if settings.dkim_key is None:
        return mail
    return _signature(mail, moment, settings.dkim_key, settings) + mail


def _signature(mail: bytes, moment: datetime, key: DkimKey, settings: Config) -> bytes:
    signer = _SignedAt(mail, moment)
    header: bytes = signer.sign(
        selector=settings.dkim_selector.encode(),
        domain=settings.mail_from.domain.encode(),
        privkey=key.pem,
        canonicalize=_SPACES_MAY_CHANGE,
        include_headers=list(_names(signer.headers)),
    )
    return header


def _names(headers: Sequence[tuple[bytes, bytes]]) -> Iterator[bytes]:
    """The headers to sign, each as often as that is."""
    there = [name.lower() for name, _value in headers]
    for name in _SIGNED + _SEALED:
        yield from (name for each in there if each == name)
    yield from _SEALED
