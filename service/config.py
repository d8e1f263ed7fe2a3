"""The settings, read from the environment here and nowhere else."""

import os
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from service.values import addresses, database_url, mail_settings, setting, urls
from service.values.errors import Invalid
from service.values.mail_settings import MailSettings
from service.values.setting import SECRET_MIN_LENGTH, ConfigError

if TYPE_CHECKING:
    from flask import Flask

_RUNNING = "running.json"
_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_COMPLETED = {
    "DATABASE_URL": "postgresql://",
    "REDIS_URL": "redis://localhost",
    "SECRET_KEY": "this stands here while the rest is checked",
    "PUBLIC_URL": "http://localhost",
}
"""What `kingup serve` brings where it isn't set, for a look at all the rest."""

BODY_LIMIT: Final = 16 * 1024
"""The most bytes a request's body may have."""

MAIL_LIMIT: Final = 2 * 1024 * 1024
"""The most bytes a mail may have that comes in."""

USUAL_BOT_DELAY: Final = 120
"""Seconds after which bots and standing answers answer people, unless it is said."""

MOST_BOT_DELAY: Final = 1200
"""A third of the shortest decision there is, or its time would be up with theirs."""


class Create(StrEnum):
    """Who may host a game on this instance."""

    ANYONE = "anyone"
    LISTED = "listed"


class Config(MailSettings, frozen=True, kw_only=True):
    """Every setting of one instance, checked."""

    database_url: str
    redis_url: str
    secret_key: str
    public_url: str
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
    return Config(
        database_url=setting.required_url(environ, "DATABASE_URL", database_url.read),
        redis_url=setting.required_url(environ, "REDIS_URL", urls.valkey),
        secret_key=_secret_key(setting.required(environ, "SECRET_KEY")),
        public_url=setting.required_url(environ, "PUBLIC_URL", urls.public),
        home=home,
        port=setting.number(environ, "KINGUP_PORT", 8000, least=1, most=65535),
        mailbox=setting.folder(environ, "KINGUP_MAILBOX", home / "mailbox"),
        create=create,
        hosts=_hosts(environ, create),
        invitations_a_day=setting.number(environ, "KINGUP_INVITATIONS_A_DAY", 1000),
        web_threads=setting.number(
            environ, "KINGUP_WEB_THREADS", 16, least=1, most=1000
        ),
        streams=setting.number(environ, "KINGUP_STREAMS", 1000, least=1, most=100_000),
        connections_a_peer=setting.number(
            environ, "KINGUP_CONNECTIONS_A_PEER", 100, most=100_000
        ),
        log_level=_log_level(environ, "INFO"),
        trusted_proxies=setting.number(environ, "TRUSTED_PROXIES", 0, most=100),
        rate_limits=setting.number(environ, "KINGUP_RATE_LIMITS", 1, most=1_000_000),
        bot_delay=setting.number(
            environ, "KINGUP_BOT_DELAY", USUAL_BOT_DELAY, most=MOST_BOT_DELAY
        ),
        **msgspec.structs.asdict(mail_settings.read(environ)),
    )


def load_local(environ: Mapping[str, str] = os.environ) -> Local:
    """Return what `kingup serve` needs to start its private servers.

    Raises ConfigError, naming the variable, for any that is wrong: before the servers
    have run, and not after.
    """
    given = {name: setting.text(environ, name) for name in _COMPLETED}
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
    given = (
        setting.text(environ, "DATABASE_URL"),
        setting.text(environ, "REDIS_URL"),
    )
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


def _home(environ: Mapping[str, str]) -> Path:
    return setting.folder(environ, "KINGUP_HOME", Path("~/.kingup"))


def _create(environ: Mapping[str, str]) -> Create:
    try:
        return Create(
            (setting.plain(environ, "KINGUP_CREATE") or Create.ANYONE).lower()
        )
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
    level = (setting.plain(environ, "LOG_LEVEL") or default).upper()
    if level not in _LOG_LEVELS:
        raise ConfigError(f"LOG_LEVEL must be one of {', '.join(_LOG_LEVELS)}.")
    return level
