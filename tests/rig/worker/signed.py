"""Mails that their senders' domains have signed, well or badly, and their DNS."""

import base64
from collections.abc import Callable, Mapping, Sequence

import dkim
from dkim import crypto

from service.values.dkim_keys import DkimKey
from tests.rig import signing_keys

SELECTOR = b"winter"


def _key(pem: str) -> DkimKey:
    """A key as it is, however short."""
    lines = [line for line in pem.splitlines() if "-" not in line]
    parts = crypto.parse_private_key(base64.b64decode("".join(lines)))
    return DkimKey(pem.encode(), parts["modulus"], parts["publicExponent"])


GOOD = _key(signing_keys.GOOD)
SHORT = _key(signing_keys.SHORT)


class _Signer(dkim.DKIM):  # type: ignore[misc]
    """dkimpy's signature, with fields of a test's own, or headers left out of it."""

    def __init__(
        self, mail: bytes, more: Mapping[bytes, bytes], without: Sequence[bytes]
    ) -> None:
        super().__init__(mail)
        self._more, self._without = more, without

    def gen_header(
        self,
        fields: list[tuple[bytes, bytes]],
        include_headers: Sequence[bytes],
        *args: object,
        **more: object,
    ) -> bytes:
        kept = [each for each in include_headers if each not in self._without]
        own = {b"h": b" : ".join(kept), **self._more}
        known = [(name, own.pop(name, value)) for name, value in fields]
        header: bytes = super().gen_header([*own.items(), *known], kept, *args, **more)
        return header


def sign(
    mail: bytes,
    domain: str = "example.org",
    *,
    key: DkimKey = GOOD,
    more: Mapping[bytes, bytes] | None = None,
    without: Sequence[bytes] = (),
    length: bool = False,
    algorithm: bytes = b"rsa-sha256",
) -> bytes:
    """A mail with the signature of a domain in front; `more` are fields of it."""
    signer = _Signer(mail, more or {}, without)
    signature: bytes = signer.sign(
        SELECTOR,
        domain.encode(),
        key.pem,
        signature_algorithm=algorithm,
        canonicalize=(b"relaxed", b"relaxed"),
        length=length,
    )
    return signature + mail


def record(key: DkimKey = GOOD, flags: str = "") -> bytes:
    """A key's TXT record."""
    return f"v=DKIM1; k=rsa; {flags}p={key.public}".encode()


def published(
    domain: str = "example.org", text: bytes | None = None
) -> Callable[[bytes], bytes | None]:
    """A world's DNS: the key of one domain, and nothing else."""
    names = {b".".join((SELECTOR, b"_domainkey", domain.encode(), b"")): text}
    return lambda name: (text or record()) if name in names else None
