"""The key that mails are signed with (DKIM), and what of it everybody may know."""

import base64
import binascii
import re
from typing import Final

import msgspec
from dkim import crypto

SHORTEST: Final = 1024
"""The fewest bits of a key: verifiers take no shorter one (RFC 8301, 3.2)."""

_FRAME: Final = re.compile(r"-----(BEGIN|END) (RSA )?PRIVATE KEY-----")

# SubjectPublicKeyInfo of RFC 5280, 4.1: whose key it is, by the number of RSA.
_SEQUENCE, _INTEGER, _BITS = 0x30, 0x02, 0x03
_RSA: Final = bytes.fromhex("300d06092a864886f70d0101010500")


class WrongKey(ValueError):
    """A key can't be used; the message says why, after a setting's name."""


class DkimKey(msgspec.Struct, frozen=True):
    """An RSA key: `pem` is its secret, as dkimpy takes it."""

    pem: bytes
    modulus: int
    exponent: int

    @property
    def public(self) -> str:
        """What stands behind `p=` in its DNS record."""
        numbers = _integer(self.modulus) + _integer(self.exponent)
        bits = b"\0" + _part(_SEQUENCE, numbers)
        return base64.b64encode(_part(_SEQUENCE, _RSA + _part(_BITS, bits))).decode()


def read(text: str) -> DkimKey:
    """The key in a PEM file, of PKCS #1 or #8, or in its Base64 alone.

    Raises WrongKey for anything else, without a word of it.
    """
    try:
        der = base64.b64decode("".join(_FRAME.sub("", text).split()), validate=True)
        parts = crypto.parse_private_key(der)
    except (binascii.Error, ValueError, crypto.UnparsableKeyError) as error:
        raise WrongKey("holds no RSA key in PEM without a password.") from error
    modulus: int = parts["modulus"]
    if modulus != parts["prime1"] * parts["prime2"]:
        raise WrongKey("holds an RSA key that is broken.")
    if modulus.bit_length() < SHORTEST:
        raise WrongKey(f"holds a key of less than {SHORTEST} bits: nobody trusts it.")
    # Put together anew: dkimpy misreads some ends of lines.
    body = base64.b64encode(der).decode()
    pem = f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
    return DkimKey(pem.encode(), modulus, parts["publicExponent"])


def _integer(number: int) -> bytes:
    # One bit more than it has: the first bit is the sign.
    return _part(_INTEGER, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _part(tag: int, content: bytes) -> bytes:
    """A piece of DER: its kind, its length, and itself."""
    size = len(content)
    if size < 0x80:
        return bytes((tag, size)) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(length))) + length + content
