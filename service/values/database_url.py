"""The address of the database, as libpq reads it and nobody else."""

from collections.abc import Mapping
from ipaddress import IPv6Address
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

import psycopg
from psycopg import conninfo, pq

from service.values import urls

_SCHEMES = ("postgres", "postgresql", "postgresql+psycopg")
_NUMBERS = (
    "connect_timeout",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "tcp_user_timeout",
)


def read(url: str) -> str:
    """The address of a Postgres, as libpq takes it. Raises WrongUrl.

    libpq itself is asked: nobody else reads the address.
    """
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.lower() not in _SCHEMES:
        raise urls.WrongUrl("must start with postgresql://.")
    plain = f"postgresql://{rest}"
    try:
        parameters = conninfo.conninfo_to_dict(plain)
        conninfo.make_conninfo(plain).encode("ascii")
        accepted = _is_known_to_libpq(plain)
    except (psycopg.Error, UnicodeEncodeError):
        accepted = False
    else:
        _check_hosts(plain, parameters)
        ports = str(parameters.get("port") or "").split(",")
        numbers = [str(parameters.get(name, 0)) for name in _NUMBERS]
        accepted = accepted and all(map(urls.is_port, filter(None, ports)))
        accepted = accepted and all(map(urls.is_number, numbers))
    if not accepted:
        raise urls.WrongUrl(
            "is not understood by Postgres: it must be"
            f" postgresql://USER:PASSWORD@HOST/NAME in ASCII, and {urls.ESCAPED}."
        )
    return plain


def _check_hosts(url: str, parameters: Mapping[str, object]) -> None:
    """Raise WrongUrl for hosts that libpq would misread, or only refuse much later.

    Of an option that is given twice it takes the last, and a port behind a host in an
    option for a part of its name.
    """
    names = [name for name, _ in parse_qsl(url.partition("?")[2], True)]
    several = {
        name: str(parameters[name]).split(",")
        for name in ("host", "hostaddr", "port")
        if parameters.get(name)
    }
    ports = several.pop("port", [""])
    counts = {len(each) for each in several.values()} or {1}
    fits = len(counts) == 1 and len(ports) in {1, *counts}
    misread = len(set(names)) < len(names) or any(
        map(_has_port, several.get("host", ()))
    )
    if misread or not fits:
        raise urls.WrongUrl(
            "must name several hosts, each with its port, as in postgresql://"
            "USER:PASSWORD@HOST:5432,HOST:5432/NAME?target_session_attrs=read-write."
        )


def _has_port(host: str) -> bool:
    """Whether a host is none, but a host and a port."""
    if ":" not in host or host.startswith("/"):
        return False
    try:
        IPv6Address(host)
    except ValueError:
        return True
    return False


def _is_known_to_libpq(url: str) -> bool:
    """Whether libpq knows every option's value: it would begin to connect."""
    nowhere = conninfo.make_conninfo(url, host="/", hostaddr="", port="5432")
    line = pq.PGconn.connect_start(nowhere.encode())
    try:
        return line.error_message.startswith(b"connection to server")
    finally:
        line.finish()


def of_socket(folder: Path, *, user: str, port: str, name: str) -> str:
    """The address of a database whose server listens in a folder."""
    # A folder may be called anything, with #, % and ? in it.
    place = urlencode({"host": str(folder), "port": port}, quote_via=quote, safe="")
    return f"postgresql://{quote(user, safe='')}@/{quote(name, safe='')}?{place}"
