"""The settings of mails: how they leave, how they are signed, and how answers come."""

import re
from collections.abc import Mapping
from email.errors import MessageError
from email.headerregistry import Address
from email.utils import getaddresses
from enum import StrEnum
from typing import Final

import msgspec

from service.values import dkim_keys, inbound_addresses, setting, urls
from service.values.dkim_keys import DkimKey
from service.values.setting import SECRET_MIN_LENGTH, ConfigError

USUAL_SETTLE: Final = 120
"""Seconds until a mail tells what has just happened, unless it is said."""

_MOST_SETTLE: Final = 3600
_LOCAL_PART_LENGTH: Final = 64
_LAST_PORT: Final = 65535
_SELECTOR: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""One part of a host's name."""

_AUTHSERV_ID: Final = re.compile(r"[A-Za-z0-9.-]{1,255}")


class InboundAuth(StrEnum):
    """Whether a mail that people answer with has to be proved to be theirs."""

    REQUIRE = "require"
    ACCEPT = "accept"


class Listen(msgspec.Struct, frozen=True):
    """A place to listen at."""

    host: str
    port: int


class MailSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How mails leave, and how answers to them come in.

    They are told `mail_settle` seconds after what happened, and no more than
    `mails_a_day` leave; 0 is as many as there are.
    """

    mail_server: urls.MailServer | None
    mail_from: Address
    mail_settle: int
    mails_a_day: int
    dkim_key: DkimKey | None
    dkim_selector: str
    inbound_address: Address | None
    inbound_auth: InboundAuth
    inbound_authserv_id: str | None
    inbound_secret: str | None
    inbound_listen: Listen | None


def read(environ: Mapping[str, str]) -> MailSettings:
    """The settings of mails. Raises ConfigError."""
    server = setting.url(environ, "SMTP_URL", urls.smtp)
    # Nobody is spared a mail that stays on this machine.
    usual = 0 if server is None else USUAL_SETTLE
    return MailSettings(
        mail_server=server,
        mail_from=_mail_from(environ),
        mail_settle=setting.number(
            environ, "MAIL_SETTLE_SECONDS", usual, most=_MOST_SETTLE
        ),
        mails_a_day=setting.number(environ, "MAILS_A_DAY", 0),
        dkim_key=_dkim_key(environ),
        dkim_selector=_dkim_selector(environ),
        inbound_address=_inbound_address(environ),
        inbound_auth=_inbound_auth(environ),
        inbound_authserv_id=_inbound_authserv_id(environ),
        inbound_secret=_inbound_secret(environ),
        inbound_listen=_inbound_listen(environ),
    )


def _mail_from(environ: Mapping[str, str]) -> Address:
    """The sender of every mail."""
    text = setting.plain(environ, "MAIL_FROM") or "King Up! <kingup@localhost>"
    return _address("MAIL_FROM", text, _LOCAL_PART_LENGTH)


def _inbound_address(environ: Mapping[str, str]) -> Address | None:
    """Where answers go: a secret is put behind what stands before the @."""
    text = setting.plain(environ, "INBOUND_ADDRESS")
    if text is None:
        return None
    taken = _address(
        "INBOUND_ADDRESS", text, _LOCAL_PART_LENGTH - inbound_addresses.MOST_ADDED
    )
    if "+" in taken.username:
        raise ConfigError(
            "INBOUND_ADDRESS must have no + in it: we put one in ourselves."
        )
    return Address("", taken.username.lower(), taken.domain)


def _inbound_auth(environ: Mapping[str, str]) -> InboundAuth:
    try:
        text = setting.plain(environ, "INBOUND_AUTH") or InboundAuth.REQUIRE
        return InboundAuth(text.lower())
    except ValueError as error:
        raise ConfigError("INBOUND_AUTH must be require or accept.") from error


def _inbound_authserv_id(environ: Mapping[str, str]) -> str | None:
    """What our mail server calls itself in its Authentication-Results."""
    name = setting.plain(environ, "INBOUND_AUTHSERV_ID")
    if name is not None and not _AUTHSERV_ID.fullmatch(name):
        raise ConfigError(
            "INBOUND_AUTHSERV_ID must be the first word of the header"
            " Authentication-Results that your mail server writes: mx.example.org."
        )
    return None if name is None else name.lower()


def _inbound_secret(environ: Mapping[str, str]) -> str | None:
    """What whoever brings mails over HTTP shows; without it nobody may."""
    secret = (setting.text(environ, "INBOUND_SECRET") or "").strip()
    printable = secret.isascii() and secret.isprintable() and " " not in secret
    if secret and (len(secret) < SECRET_MIN_LENGTH or not printable):
        raise ConfigError(
            "INBOUND_SECRET needs 32 characters or more, in ASCII and without blanks;"
            " python3 -c 'import secrets; print(secrets.token_hex(32))' makes one."
        )
    return secret or None


def _inbound_listen(environ: Mapping[str, str]) -> Listen | None:
    """Where `kingup inbox` listens for mails; nowhere if nothing is said."""
    place = setting.plain(environ, "INBOUND_LISTEN")
    if place is None:
        return None
    host, _, port = place.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    digits = port.isascii() and port.isdigit() and len(port) <= len("65535")
    if not host or not digits or not 0 < int(port) <= _LAST_PORT or "/" in host:
        raise ConfigError("INBOUND_LISTEN must be HOST:PORT: 0.0.0.0:25.")
    if setting.plain(environ, "INBOUND_ADDRESS") is None:
        raise ConfigError("INBOUND_LISTEN needs INBOUND_ADDRESS: mails for whom?")
    return Listen(host, int(port))


def _address(name: str, text: str, most: int) -> Address:
    """An address as any mail server takes it, with `most` letters before the @."""
    try:
        [(called, address)] = getaddresses([text])
        found = Address(display_name=called, addr_spec=address)
        domain = urls.ascii_host(found.domain)
    except (ValueError, IndexError, MessageError) as error:
        raise ConfigError(f"{name} is not an address: Name <me@host>.") from error
    if not 0 < len(found.username) <= most:
        raise ConfigError(f"{name} is not an address: Name <me@host>.")
    if not found.username.isascii():
        raise ConfigError(
            f"{name} must have nothing but ASCII before the @:"
            " not every mail server takes anything else."
        )
    return Address(called, found.username, domain)


def _dkim_key(environ: Mapping[str, str]) -> DkimKey | None:
    text = setting.text(environ, "DKIM_KEY")
    try:
        return None if text is None else dkim_keys.read(text)
    except dkim_keys.WrongKey as error:
        raise ConfigError(f"DKIM_KEY {error}") from error


def _dkim_selector(environ: Mapping[str, str]) -> str:
    """The name of the key's DNS record, before ._domainkey."""
    selector = (setting.plain(environ, "DKIM_SELECTOR") or "kingup").lower()
    if not _SELECTOR.fullmatch(selector):
        raise ConfigError("DKIM_SELECTOR must be letters and digits, as in a host.")
    return selector
