"""Addresses of servers: as they may stand in the settings, and as we build them.

What is wrong is told without a word of the address: it may hold a password.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

import idna
import msgspec

from service.values import entropy

LINK_PATH = "/d/"
# Mail programs break longer lines.
LINK_MAX_LENGTH = 72
SOCKET_PATH_LIMIT = 107
"""The most bytes of a socket's path that Linux takes."""

_HOST_LENGTH = 253
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_DEFAULT_PORTS = {"http": 80, "https": 443}

ESCAPED = "special letters of a password must be written as %XX"

_VALKEY_OPTIONS = {"unix": ("db",), "rediss": ("ssl_ca_certs", "ssl_cert_reqs")}
_VALKEY_CHECKS = ("required", "optional", "none")


class WrongUrl(ValueError):
    """An address can't be used; the message says why, after a setting's name."""


class Security(StrEnum):
    """How a conversation with a mail server is kept from others."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


class MailServer(msgspec.Struct, frozen=True, kw_only=True):
    """Whom mails are handed to, and how; port 0 is the usual one."""

    host: str
    port: int
    security: Security
    user: str | None
    password: str


def valkey(url: str) -> str:
    """The address of a Valkey or Redis, as redis-py takes it. Raises WrongUrl."""
    parts = _split(url)
    if parts.scheme == "unix" and not _host_and_port(parts):
        path = unquote(parts.path)
        if not path.startswith("/") or not Path(path).name:
            raise WrongUrl("must be unix:///SOCKET.")
        if len(path.encode()) > SOCKET_PATH_LIMIT:
            raise WrongUrl(f"has a path of more than {SOCKET_PATH_LIMIT} bytes.")
    elif parts.scheme in ("redis", "rediss") and parts.hostname:
        if not re.fullmatch(r"/?|/\d{1,5}", parts.path, re.ASCII):
            raise WrongUrl("must have nothing but the number of a database as path.")
        parts = parts._replace(netloc=_netloc(parts))
    else:
        raise WrongUrl("must be redis://HOST, rediss://HOST or unix:///SOCKET.")
    if parts.fragment:
        raise WrongUrl(f"is not a URL; {ESCAPED}.")
    for name, value in _options(parts, _VALKEY_OPTIONS.get(parts.scheme, ())):
        _check_valkey_option(name, value)
    query = parts.query and f"?{parts.query}"
    # Celery takes a bare semicolon for the end of one address of several.
    plain = f"{parts.scheme}://{parts.netloc}{parts.path}{query}"
    return plain.replace(";", "%3B")


def _check_valkey_option(name: str, value: str) -> None:
    if name == "db" and not (is_number(value) and len(value) < 6):
        raise WrongUrl("must have a number as db.")
    if name == "ssl_cert_reqs" and value not in _VALKEY_CHECKS:
        raise WrongUrl(f"must have one of {', '.join(_VALKEY_CHECKS)} as {name}.")
    if name == "ssl_ca_certs" and not Path(value).is_file():
        raise WrongUrl("names a file of certificates that isn't there.")


def valkey_socket(socket: Path) -> str:
    """The address of a Valkey that listens on a socket."""
    return f"unix://{quote(str(socket))}"


def broker(valkey_url: str) -> str:
    """The same address as Celery spells it: a socket is `redis+socket://`."""
    if not valkey_url.startswith("unix:"):
        return valkey_url
    address, _, number = valkey_url.removeprefix("unix").partition("?db=")
    return f"redis+socket{address}{number and f'?virtual_host={number}'}"


def public(url: str) -> str:
    """The origin that every link begins with, as browsers spell it.

    Raises WrongUrl, also for one so long that mail programs would break the links.
    """
    parts = _split(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise WrongUrl("must be http://HOST or https://HOST.")
    path = parts.path.strip("/")
    if "@" in parts.netloc or path or parts.query or parts.fragment:
        raise WrongUrl("must have no user, path, query or fragment.")
    if parts.port == _DEFAULT_PORTS[parts.scheme]:
        parts = parts._replace(netloc=parts.netloc.rpartition(":")[0])
    origin = f"{parts.scheme}://{_netloc(parts)}"
    longest = LINK_MAX_LENGTH - len(LINK_PATH) - entropy.TOKEN_LENGTH
    if len(origin) > longest:
        raise WrongUrl(
            f"is longer than {longest} characters: mail programs would break the links."
        )
    return origin


def mail_domain(public_url: str) -> str:
    """An origin's host as mails and mail servers spell it: IP addresses in brackets."""
    host = urlsplit(public_url).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return f"[{'IPv6:' * (address.version == 6)}{host}]"


def smtp(url: str) -> MailServer:
    """A mail server. Raises WrongUrl.

    Without encryption a login goes to this machine and no other.
    """
    parts = _split(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise WrongUrl("must be smtp://HOST or smtps://HOST.")
    if parts.path.strip("/") or parts.fragment:
        raise WrongUrl(f"must have no path; {ESCAPED}.")
    known = ("starttls",) if parts.scheme == "smtp" else ()
    options = tuple(_options(parts, known))
    if any(value for _, value in options):
        raise WrongUrl("has a value for starttls, which takes none.")
    host, login = ascii_host(parts.hostname), _login(parts)
    security = Security.NONE
    if parts.scheme == "smtps":
        security = Security.TLS
    elif options or (login[0] is not None and not is_loopback(host)):
        security = Security.STARTTLS
    return MailServer(
        host=host,
        port=parts.port or 0,
        security=security,
        user=login[0],
        password=login[1],
    )


def _login(parts: SplitResult) -> tuple[str | None, str]:
    """Who logs in and with what; the user is None where nobody does."""
    if "@" not in parts.netloc:
        return None, ""
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not (user and password):
        raise WrongUrl("must have both a user and a password, or neither.")
    # What Python's smtplib can say to a server.
    if not (user + password).isascii() or not (user + password).isprintable():
        raise WrongUrl("must have a user and a password of ASCII letters and signs.")
    return user, password


def is_loopback(host: str) -> bool:
    """Whether a host is this very machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def ascii_host(host: str) -> str:
    """A host as every protocol takes it: small letters, IDNA. Raises WrongUrl."""
    try:
        if ":" in host:
            if "%" in host:
                raise WrongUrl("has a host with a zone.")
            return IPv6Address(host).compressed
        if not host.isascii():
            host = idna.encode(host, uts46=True).decode()
        host = host.lower().removesuffix(".")
        if host.rpartition(".")[2].isdigit():
            return str(IPv4Address(host))
    except (idna.IDNAError, AddressValueError) as error:
        raise WrongUrl("has a host that is no name and no address.") from error
    if len(host) > _HOST_LENGTH or not all(map(_LABEL.fullmatch, host.split("."))):
        raise WrongUrl("has a host that is no name and no address.")
    return host


def _netloc(parts: SplitResult) -> str:
    """User, host and port of an address, the host in ASCII."""
    host = ascii_host(parts.hostname or "")
    user, at, _ = parts.netloc.rpartition("@")
    bare = f"[{host}]" if ":" in host else host
    port = "" if parts.port is None else f":{parts.port}"
    return f"{user}{at}{bare}{port}"


def _host_and_port(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _options(parts: SplitResult, known: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Name and value of each option. Raises WrongUrl, naming one that isn't known."""
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name not in known:
            raise WrongUrl(f"has an option that isn't known: {name}.")
        yield name, value


def _split(url: str) -> SplitResult:
    """The parts of an address whose parts can be told apart. Raises WrongUrl."""
    if any(letter.isspace() or not letter.isprintable() for letter in url):
        raise WrongUrl("must have no spaces.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise WrongUrl(f"is not a URL; {ESCAPED}.") from error
    if "@" in parts.path + parts.query + parts.fragment:
        raise WrongUrl(f"is not a URL; {ESCAPED}.")
    if port == 0 or _host_and_port(parts).endswith(":"):
        raise WrongUrl("must have a port from 1 to 65535, or none.")
    return parts


def is_port(text: str) -> bool:
    """Whether a text is a port that somebody can listen on."""
    return is_number(text) and len(text) < 6 and 1 <= int(text) <= 65535


def is_number(text: str) -> bool:
    """Whether a text is a whole number, and nothing beside it."""
    return text.isascii() and text.isdigit()
