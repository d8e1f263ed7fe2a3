"""The settings, read from the environment here and nowhere else."""

import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from email.errors import MessageError
from email.headerregistry import Address
from email.utils import getaddresses
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from service.values import addresses, database_url, dkim_keys, urls
from service.values.dkim_keys import DkimKey
from service.values.errors import Invalid

if TYPE_CHECKING:
    from flask import Flask

SECRET_MIN_LENGTH = 32

_RUNNING = "running.json"
_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_LOCAL_PART_LENGTH = 64
_LAST_PORT = 65535
_SECRET_LENGTH = len("+b.") + 26
"""How long what we put behind INBOUND_ADDRESS may be."""

_NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of control characters, surrogates, and ends of lines."""

_SELECTOR: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""One part of a host's name."""

_AUTHSERV_ID: Final = re.compile(r"[A-Za-z0-9.-]{1,255}")

_COMPLETED = {
    "DATABASE_URL": "postgresql://",
    "REDIS_URL": "redis://localhost",
    "SECRET_KEY": "this stands here while the rest is checked",
    "PUBLIC_URL": "http://localhost",
}
"""What `kingup serve` brings where it isn't set, for a look at all the rest."""

_Checked = TypeVar("_Checked")


BODY_LIMIT: Final = 16 * 1024
"""The most bytes a request's body may have."""

MAIL_LIMIT: Final = 2 * 1024 * 1024
"""The most bytes a mail may have that comes in."""

USUAL_BOT_DELAY: Final = 120
"""Seconds after which bots and standing answers answer people, unless it is said."""

MOST_BOT_DELAY: Final = 1200
"""A third of the shortest decision there is, or its time would be up with theirs."""


USUAL_MAIL_SETTLE: Final = 120
"""Seconds until a mail tells what has just happened, unless it is said."""

MOST_MAIL_SETTLE: Final = 3600


class ConfigError(Exception):
    """A setting is missing or can't be used; the message names the variable."""


class Create(StrEnum):
    """Who may host a game on this instance."""

    ANYONE = "anyone"
    LISTED = "listed"


class InboundAuth(StrEnum):
    """Whether a mail that people answer with has to be proved to be theirs."""

    REQUIRE = "require"
    ACCEPT = "accept"


class Listen(msgspec.Struct, frozen=True):
    """A place to listen at."""

    host: str
    port: int


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Every setting of one instance, checked."""

    database_url: str
    redis_url: str
    secret_key: str
    public_url: str
    mail_server: urls.MailServer | None
    mail_from: Address
    inbound_address: Address | None
    inbound_auth: InboundAuth
    inbound_authserv_id: str | None
    inbound_secret: str | None
    inbound_listen: Listen | None
    dkim_key: DkimKey | None
    dkim_selector: str
    home: Path
    port: int
    mailbox: Path
    create: Create
    hosts: frozenset[str]
    invitations_a_day: int
    web_threads: int
    streams: int
    connections_a_peer: int
    log_level: str
    trusted_proxies: int
    rate_limits: int
    bot_delay: int
    mail_settle: int
    mails_a_day: int

    @property
    def broker_url(self) -> str:
        """The Redis address as Celery spells it: a socket is `redis+socket://`."""
        return urls.broker(self.redis_url)

    @property
    def mail_domain(self) -> str:
        """What our mails and our greetings of mail servers call this service."""
        return urls.mail_domain(self.public_url)


def of(app: "Flask") -> Config:
    """The settings of an app."""
    settings: Config = app.config["KINGUP"]
    return settings


class Local(msgspec.Struct, frozen=True, kw_only=True):
    """What `kingup serve` must know before it can complete the settings.

    `has_mailbox_alone` tells that mails neither leave nor come in.
    """

    home: Path
    port: int
    database_url: str | None
    redis_url: str | None
    secret_key: str | None
    public_url: str | None
    log_level: str
    has_mailbox_alone: bool

    @property
    def url(self) -> str:
        """Where the pages are on this machine."""
        return f"http://127.0.0.1:{self.port}"


def load(environ: Mapping[str, str] = os.environ) -> Config:
    """Return the settings in `environ`.

    Raises ConfigError, naming the variable, for one that is missing or wrong.
    """
    home = _home(environ)
    create = _create(environ)
    mail_server = _url(environ, "SMTP_URL", urls.smtp)
    return Config(
        database_url=_required_url(environ, "DATABASE_URL", database_url.read),
        redis_url=_required_url(environ, "REDIS_URL", urls.valkey),
        secret_key=_secret_key(_required(environ, "SECRET_KEY")),
        public_url=_required_url(environ, "PUBLIC_URL", urls.public),
        mail_server=mail_server,
        mail_from=_mail_from(environ),
        inbound_address=_inbound_address(environ),
        inbound_auth=_inbound_auth(environ),
        inbound_authserv_id=_inbound_authserv_id(environ),
        inbound_secret=_inbound_secret(environ),
        inbound_listen=_inbound_listen(environ),
        dkim_key=_dkim_key(environ),
        dkim_selector=_dkim_selector(environ),
        home=home,
        port=_number(environ, "KINGUP_PORT", 8000, least=1, most=65535),
        mailbox=_folder(environ, "KINGUP_MAILBOX", home / "mailbox"),
        create=create,
        hosts=_hosts(environ, create),
        invitations_a_day=_number(environ, "KINGUP_INVITATIONS_A_DAY", 1000),
        web_threads=_number(environ, "KINGUP_WEB_THREADS", 16, least=1, most=1000),
        streams=_number(environ, "KINGUP_STREAMS", 1000, least=1, most=100_000),
        connections_a_peer=_number(
            environ, "KINGUP_CONNECTIONS_A_PEER", 100, most=100_000
        ),
        log_level=_log_level(environ, "INFO"),
        trusted_proxies=_number(environ, "TRUSTED_PROXIES", 0, most=100),
        rate_limits=_number(environ, "KINGUP_RATE_LIMITS", 1, most=1_000_000),
        bot_delay=_number(
            environ, "KINGUP_BOT_DELAY", USUAL_BOT_DELAY, most=MOST_BOT_DELAY
        ),
        # Nobody is spared a mail that stays on this machine.
        mail_settle=_number(
            environ,
            "MAIL_SETTLE_SECONDS",
            0 if mail_server is None else USUAL_MAIL_SETTLE,
            most=MOST_MAIL_SETTLE,
        ),
        mails_a_day=_number(environ, "MAILS_A_DAY", 0),
    )


def load_local(environ: Mapping[str, str] = os.environ) -> Local:
    """Return what `kingup serve` needs to start its private servers.

    Raises ConfigError, naming the variable, for any that is wrong: before the servers
    have run, and not after.
    """
    given = {name: _text(environ, name) for name in _COMPLETED}
    settings = load(child_environ(_COMPLETED, environ) | _only_set(given))
    return Local(
        home=settings.home,
        port=settings.port,
        database_url=given["DATABASE_URL"],
        redis_url=given["REDIS_URL"],
        secret_key=given["SECRET_KEY"],
        public_url=given["PUBLIC_URL"],
        log_level=_log_level(environ, "WARNING"),
        has_mailbox_alone=settings.mail_server is None
        and settings.inbound_address is None,
    )


def _only_set(given: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in given.items() if value is not None}


def load_running(environ: Mapping[str, str] = os.environ) -> Config:
    """Return the settings of `environ`, or of the `kingup serve` on this machine.

    For commands given beside it. Raises ConfigError like `load`.
    """
    kept = _home(environ) / _RUNNING
    given = (_text(environ, "DATABASE_URL"), _text(environ, "REDIS_URL"))
    if None in given and kept.exists():
        return load(child_environ(_running(kept), environ))
    if given == (None, None):
        raise ConfigError(
            f"No Kingup runs on {kept.parent}; set KINGUP_HOME as you did for serve."
        )
    return load(environ)


def _running(kept: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(kept.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"KINGUP_HOME has a {kept} that can't be read.") from error


def keep_running(home: Path, settings: Mapping[str, str]) -> Path:
    """Write down what `load_running` finds; returns the file, to be deleted."""
    kept = home / _RUNNING
    # The secret and passwords stand in it: it is nobody else's to read, from its first
    # moment.
    kept.touch(mode=0o600)
    kept.write_bytes(msgspec.json.encode(dict(settings)))
    return kept


def child_environ(
    settings: Mapping[str, str], environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Return the environment for a child process: `environ` with `settings` on top.

    A setting replaces its `_FILE` twin. Python's cache of compiled files is left on:
    every start takes two to three times longer without it.
    """
    dropped = {f"{name}_FILE" for name in settings} | {"PYTHONDONTWRITEBYTECODE"}
    kept = {name: value for name, value in environ.items() if name not in dropped}
    return kept | dict(settings)


def _plain(environ: Mapping[str, str], name: str) -> str | None:
    """Read `name`, which is text on one line; without the blanks around it."""
    value = (environ.get(name) or "").strip()
    if any(unicodedata.category(letter) in _NO_TEXT for letter in value):
        raise ConfigError(f"{name} must be one line of text in UTF-8.")
    return value or None


def _text(environ: Mapping[str, str], name: str) -> str | None:
    """Read `name`, or the file that `name_FILE` points to."""
    value, path = environ.get(name), _plain(environ, f"{name}_FILE")
    if value and path:
        raise ConfigError(f"{name} and {name}_FILE are both set: keep one.")
    if not path:
        return value if value and not value.isspace() else None
    try:
        return Path(path).read_text(encoding="utf-8").strip() or None
    except OSError as error:
        raise ConfigError(f"{name}_FILE can't be read: {error}.") from error
    except ValueError as error:
        raise ConfigError(f"{name}_FILE doesn't lead to text in UTF-8.") from error


def _required(environ: Mapping[str, str], name: str) -> str:
    return _there(name, _text(environ, name))


def _there(name: str, value: str | None) -> str:
    if value is None:
        raise ConfigError(f"{name} is not set.")
    return value


def _url(
    environ: Mapping[str, str], name: str, check: Callable[[str], _Checked]
) -> _Checked | None:
    url = _text(environ, name)
    if url is None:
        return None
    try:
        return check(url.strip())
    except urls.WrongUrl as error:
        raise ConfigError(f"{name} {error}") from error


def _required_url(
    environ: Mapping[str, str], name: str, check: Callable[[str], str]
) -> str:
    return _there(name, _url(environ, name, check))


def _secret_key(key: str) -> str:
    """The key to the letter: another one would make digests that match no more."""
    if len(key.strip()) < SECRET_MIN_LENGTH or not _is_unicode(key):
        raise ConfigError(
            f"SECRET_KEY needs {SECRET_MIN_LENGTH} characters or more, in UTF-8;"
            " python3 -c 'import secrets; print(secrets.token_hex(32))' makes one."
        )
    return key


def _is_unicode(text: str) -> bool:
    return not any(unicodedata.category(letter) == "Cs" for letter in text)


def _mail_from(environ: Mapping[str, str]) -> Address:
    """The sender of every mail."""
    text = _plain(environ, "MAIL_FROM") or "King Up! <kingup@localhost>"
    return _address("MAIL_FROM", text, _LOCAL_PART_LENGTH)


def _inbound_address(environ: Mapping[str, str]) -> Address | None:
    """Where answers go: a secret is put behind what stands before the @."""
    text = _plain(environ, "INBOUND_ADDRESS")
    if text is None:
        return None
    taken = _address("INBOUND_ADDRESS", text, _LOCAL_PART_LENGTH - _SECRET_LENGTH)
    if "+" in taken.username:
        raise ConfigError(
            "INBOUND_ADDRESS must have no + in it: we put one in ourselves."
        )
    return Address("", taken.username.lower(), taken.domain)


def _inbound_auth(environ: Mapping[str, str]) -> InboundAuth:
    try:
        text = _plain(environ, "INBOUND_AUTH") or InboundAuth.REQUIRE
        return InboundAuth(text.lower())
    except ValueError as error:
        raise ConfigError("INBOUND_AUTH must be require or accept.") from error


def _inbound_authserv_id(environ: Mapping[str, str]) -> str | None:
    """What our mail server calls itself in its Authentication-Results."""
    name = _plain(environ, "INBOUND_AUTHSERV_ID")
    if name is not None and not _AUTHSERV_ID.fullmatch(name):
        raise ConfigError(
            "INBOUND_AUTHSERV_ID must be the first word of the header"
            " Authentication-Results that your mail server writes: mx.example.org."
        )
    return None if name is None else name.lower()


def _inbound_secret(environ: Mapping[str, str]) -> str | None:
    """What whoever brings mails over HTTP shows; without it nobody may."""
    secret = (_text(environ, "INBOUND_SECRET") or "").strip()
    printable = secret.isascii() and secret.isprintable() and " " not in secret
    if secret and (len(secret) < SECRET_MIN_LENGTH or not printable):
        raise ConfigError(
            "INBOUND_SECRET needs 32 characters or more, in ASCII and without blanks;"
            " python3 -c 'import secrets; print(secrets.token_hex(32))' makes one."
        )
    return secret or None


def _inbound_listen(environ: Mapping[str, str]) -> Listen | None:
    """Where `kingup inbox` listens for mails; nowhere if nothing is said."""
    place = _plain(environ, "INBOUND_LISTEN")
    if place is None:
        return None
    host, _, port = place.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    digits = port.isascii() and port.isdigit() and len(port) <= len("65535")
    if not host or not digits or not 0 < int(port) <= _LAST_PORT or "/" in host:
        raise ConfigError("INBOUND_LISTEN must be HOST:PORT: 0.0.0.0:25.")
    if _plain(environ, "INBOUND_ADDRESS") is None:
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
    text = _text(environ, "DKIM_KEY")
    try:
        return None if text is None else dkim_keys.read(text)
    except dkim_keys.WrongKey as error:
        raise ConfigError(f"DKIM_KEY {error}") from error


def _dkim_selector(environ: Mapping[str, str]) -> str:
    """The name of the key's DNS record, before ._domainkey."""
    selector = (_plain(environ, "DKIM_SELECTOR") or "kingup").lower()
    if not _SELECTOR.fullmatch(selector):
        raise ConfigError("DKIM_SELECTOR must be letters and digits, as in a host.")
    return selector


def _home(environ: Mapping[str, str]) -> Path:
    return _folder(environ, "KINGUP_HOME", Path("~/.kingup"))


def _folder(environ: Mapping[str, str], name: str, default: Path) -> Path:
    given = _plain(environ, name)
    try:
        return Path(given or default).expanduser().absolute()
    except RuntimeError as error:
        raise ConfigError(
            f"{name} can't be found: this user has no home. Set it to a full path."
        ) from error


def _create(environ: Mapping[str, str]) -> Create:
    try:
        return Create((_plain(environ, "KINGUP_CREATE") or Create.ANYONE).lower())
    except ValueError as error:
        raise ConfigError("KINGUP_CREATE must be anyone or listed.") from error


def _hosts(environ: Mapping[str, str], create: Create) -> frozenset[str]:
    """Return the keys of the addresses that may host: the form to compare with."""
    listed = environ.get("KINGUP_HOSTS", "").replace(",", " ").split()
    if create is Create.LISTED and not listed:
        raise ConfigError("KINGUP_HOSTS must name an address: KINGUP_CREATE is listed.")
    return frozenset(_host(address) for address in listed)


def _host(address: str) -> str:
    try:
        return addresses.parse(address, "KINGUP_HOSTS").key
    except Invalid as error:
        raise ConfigError(
            f"KINGUP_HOSTS has something that is no address: {address}."
        ) from error


def _log_level(environ: Mapping[str, str], default: str) -> str:
    level = (_plain(environ, "LOG_LEVEL") or default).upper()
    if level not in _LOG_LEVELS:
        raise ConfigError(f"LOG_LEVEL must be one of {', '.join(_LOG_LEVELS)}.")
    return level


def _number(
    environ: Mapping[str, str],
    name: str,
    default: int,
    *,
    least: int = 0,
    most: int = 1_000_000_000,
) -> int:
    text = _plain(environ, name) or str(default)
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not digits or not least <= int(text) <= most:
        raise ConfigError(f"{name} must be a whole number from {least} to {most}.")
    return int(text)
