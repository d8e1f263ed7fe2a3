"""Settings as text, read from an environment that is handed in.

All of it raises ConfigError, naming the variable, for what is missing or wrong.
"""

import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeVar

from service.values import urls

SECRET_MIN_LENGTH: Final = 32
"""So many characters a secret of an instance has at least."""

_NO_TEXT: Final = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of control characters, surrogates, and ends of lines."""

_Checked = TypeVar("_Checked")


class ConfigError(Exception):
    """A setting is missing or can't be used; the message names the variable."""


def plain(environ: Mapping[str, str], name: str) -> str | None:
    """Read `name`, which is text on one line; without the blanks around it."""
    value = (environ.get(name) or "").strip()
    if any(unicodedata.category(letter) in _NO_TEXT for letter in value):
        raise ConfigError(f"{name} must be one line of text in UTF-8.")
    return value or None


def text(environ: Mapping[str, str], name: str) -> str | None:
    """Read `name`, or the file that `name_FILE` points to."""
    value, path = environ.get(name), plain(environ, f"{name}_FILE")
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


def required(environ: Mapping[str, str], name: str) -> str:
    """Read `name`, or the file that `name_FILE` points to. Raises if neither is set."""
    return _or_missing(name, text(environ, name))


def _or_missing(name: str, value: str | None) -> str:
    if value is None:
        raise ConfigError(f"{name} is not set.")
    return value


def url(
    environ: Mapping[str, str], name: str, check: Callable[[str], _Checked]
) -> _Checked | None:
    """Read an address that `check` takes; None where it isn't set."""
    given = text(environ, name)
    if given is None:
        return None
    try:
        return check(given.strip())
    except urls.WrongUrl as error:
        raise ConfigError(f"{name} {error}") from error


def required_url(
    environ: Mapping[str, str], name: str, check: Callable[[str], str]
) -> str:
    """Read an address that `check` takes. Raises where it isn't set."""
    return _or_missing(name, url(environ, name, check))


def folder(environ: Mapping[str, str], name: str, default: Path) -> Path:
    """Read a folder, as a full path."""
    given = plain(environ, name)
    try:
        return Path(given or default).expanduser().absolute()
    except RuntimeError as error:
        raise ConfigError(
            f"{name} can't be found: this user has no home. Set it to a full path."
        ) from error


def number(
    environ: Mapping[str, str],
    name: str,
    default: int,
    *,
    least: int = 0,
    most: int = 1_000_000_000,
) -> int:
    """Read a whole number."""
    given = plain(environ, name) or str(default)
    digits = given.isascii() and given.isdigit() and len(given) <= len(str(most))
    if not digits or not least <= int(given) <= most:
        raise ConfigError(f"{name} must be a whole number from {least} to {most}.")
    return int(given)
