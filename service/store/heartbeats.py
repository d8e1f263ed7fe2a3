"""Signs of life: one row for each part that tells readiness of itself."""

from collections.abc import Mapping
from typing import Final

import msgspec
from sqlalchemy import Connection, text

from service.models import db

_BYTES: Final = 8000
_PIECES: Final = 128

# Postgres keeps what is too large for its memory in a file, as long as it reads it. The
# row itself would mostly find room on a full disk: where the one before stood.
_SMALL_MEMORY = text(
    """SELECT set_config('work_mem', '64kB', true),
        set_config('temp_tablespaces', '', true)"""
)
_ROOM = text(
    """SELECT count(*) FROM unnest(
        array_fill(repeat('x', :bytes), ARRAY[CAST(:pieces AS int)]))"""
)

_RENEW = text(
    """INSERT INTO sign_of_life (name, state) VALUES (:name, :state)
    ON CONFLICT (name) DO UPDATE SET at = clock_timestamp(), state = excluded.state"""
)

# Nothing is written, and nobody waited for, while nothing changes.
_KEEP = text(
    """INSERT INTO sign_of_life (name, state)
    SELECT :name, :state WHERE NOT EXISTS
        (SELECT FROM sign_of_life WHERE name = :name AND state = :state)
    ON CONFLICT (name) DO UPDATE SET at = clock_timestamp(), state = excluded.state"""
)

_STATE = text("SELECT state FROM sign_of_life WHERE name = :name")

_ALL = text(
    """SELECT name, state, extract(epoch FROM clock_timestamp() - at) AS age
    FROM sign_of_life"""
)


class Sign(msgspec.Struct, frozen=True):
    """The latest word of a part, and how many seconds old it is."""

    state: str
    age: float


def try_room() -> None:
    """Take a megabyte of the database's disk and give it back.

    Raises SQLAlchemy's DBAPIError where there is none. Inside the caller's transaction.
    """
    db.session.execute(_SMALL_MEMORY)
    db.session.execute(_ROOM, {"bytes": _BYTES, "pieces": _PIECES})


def renew(name: str, state: str) -> None:
    """Write a word of now."""
    db.session.execute(_RENEW, {"name": name, "state": state})


def keep(name: str, state: str) -> None:
    """Write a word, if it isn't the latest one already."""
    db.session.execute(_KEEP, {"name": name, "state": state})


def state(name: str) -> str | None:
    """The latest word of a part; None before its first."""
    found: str | None = db.session.execute(_STATE, {"name": name}).scalar()
    return found


def read(connection: Connection) -> Mapping[str, Sign]:
    """Every part's latest word by its name."""
    rows = connection.execute(_ALL)
    return {row.name: Sign(row.state, float(row.age)) for row in rows}
