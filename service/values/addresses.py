"""E-mail addresses as people type them, and as we compare them."""

import unicodedata
from email.headerregistry import Address as Recipient

import msgspec
from email_validator import EmailNotValidError, validate_email

from service.values.errors import Invalid


class Address(msgspec.Struct, frozen=True):
    """One mailbox: `typed` as its owner writes it, `key` as it is compared.

    Two keys are equal where nothing but the case of letters differs. Whatever else
    differs makes distinct addresses: plus-tags, dots, ß and ss.
    """

    typed: str
    key: str


def parse(raw: str, field: str) -> Address:
    """One validated address. Raises Invalid, naming the field."""
    try:
        found = validate_email(raw.strip(), check_deliverability=False)
    except EmailNotValidError as error:
        raise Invalid(field=field, reason="bad-address") from error
    local, typed = found.local_part, found.original.rpartition("@")[0]
    # A mail program would decode it: what is mailed must read as what was checked.
    if "=?" in local or any(_is_double(letter) for letter in typed):
        raise Invalid(field=field, reason="bad-address")
    return Address(typed=found.normalized, key=key(local, found.ascii_domain))


def key(local: str, domain: str) -> str:
    """How a mailbox is compared, from its local part and its domain in ASCII."""
    small = "".join(_small(letter) for letter in local)
    return f"{small}@{domain.lower()}"


def recipient(typed: str | None, key: str | None, name: str = "") -> Recipient:
    """Where a mailbox is mailed to; empty for somebody without an address.

    Before the @ it is spelt as its owner does, behind it is the plain domain.
    """
    local = (typed or "").rpartition("@")[0]
    return Recipient(name, username=local, domain=(key or "").rpartition("@")[2])


def _small(letter: str) -> str:
    """The small one of a letter, if they are a pair: one letter each way."""
    # So ẞ is not ß, which is SS in capitals; nor is İ an i, the Kelvin sign a k or a
    # final sigma another one.
    small = letter.lower()
    paired = len(small) == 1 and small.upper() == letter
    return small if paired else letter


def _is_double(letter: str) -> bool:
    """Whether a letter has another in its place in NFC, as the Kelvin sign has a K."""
    # That one would be mailed. Whether an accent is part of its letter or follows it
    # makes no difference to a mailbox, and has none here.
    other = unicodedata.normalize("NFC", letter)
    return len(other) == 1 and other != letter
