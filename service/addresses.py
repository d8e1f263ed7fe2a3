"""E-mail addresses as people type them, and as we compare them."""

import msgspec
from email_validator import EmailNotValidError, validate_email

from service.errors import Invalid


class Address(msgspec.Struct, frozen=True):
    """One mailbox: `typed` as its owner writes it, `key` without regard to case.

    Plus-tags are kept: they make distinct addresses.
    """

    typed: str
    key: str


def parse(raw: str, field: str) -> Address:
    """One validated address. Raises Invalid, naming the field."""
    try:
        found = validate_email(raw.strip(), check_deliverability=False)
    except EmailNotValidError as error:
        raise Invalid(field=field, reason="bad-address") from error
    local = found.local_part
    # A mail program would decode it: what is mailed must read as what was checked.
    if "=?" in local:
        raise Invalid(field=field, reason="bad-address")
    domain = found.ascii_domain.lower()
    return Address(typed=found.normalized, key=f"{local.casefold()}@{domain}")
