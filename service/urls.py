"""Addresses of servers, as they may stand in the settings."""

from urllib.parse import SplitResult, urlsplit

from service import entropy

LINK_PATH = "/d/"
LINK_MAX_LENGTH = 72

_POSTGRES_SCHEMES = ("postgres", "postgresql", "postgresql+psycopg")


class WrongUrl(ValueError):
    """An address can't be used; the message says why, after a setting's name."""


def database(url: str) -> str:
    """The address of a Postgres, as SQLAlchemy spells it. Raises WrongUrl."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in _POSTGRES_SCHEMES:
        raise WrongUrl("must start with postgresql://.")
    return f"postgresql+psycopg://{rest}"


def libpq(database_url: str) -> str:
    """The same address as Postgres itself spells it."""
    return database_url.replace("postgresql+psycopg:", "postgresql:", 1)


def valkey(url: str) -> str:
    """The address of a Valkey or Redis, as it was given. Raises WrongUrl."""
    parts = _split(url)
    if parts.scheme == "unix" and parts.path.startswith("/"):
        return url
    if parts.scheme not in ("redis", "rediss") or not parts.hostname:
        raise WrongUrl("must be redis://HOST, rediss://HOST or unix:///SOCKET.")
    return url


def broker(valkey_url: str) -> str:
    """The same address as Celery spells it: a socket is `redis+socket://`."""
    if valkey_url.startswith("unix:"):
        return f"redis+socket{valkey_url.removeprefix('unix')}"
    return valkey_url


def public(url: str) -> str:
    """The origin that every link begins with, without a slash behind.

    Raises WrongUrl, also for one so long that mail programs would break the links.
    """
    parts = _split(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise WrongUrl("must be http://HOST or https://HOST.")
    if parts.username or parts.path.strip("/") or parts.query or parts.fragment:
        raise WrongUrl("must have no user, path, query or fragment.")
    origin = f"{parts.scheme}://{parts.netloc}"
    longest = LINK_MAX_LENGTH - len(LINK_PATH) - entropy.TOKEN_LENGTH
    if len(origin) > longest:
        raise WrongUrl(
            f"is longer than {longest} characters: mail programs would break the links."
        )
    return origin


def smtp(url: str) -> str:
    """The address of a mail server, as it was given. Raises WrongUrl."""
    parts = _split(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise WrongUrl("must be smtp://HOST or smtps://HOST.")
    return url


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError as error:
        raise WrongUrl(f"is not a URL: {error}.") from error
    return parts
