"""Signs of life: one row for each part that tells readiness of itself."""

from collections.abc import Mapping
from typing import Final

import msgspec

from service.store import sql

_BYTES: Final = 8000
_PIECES: Final = 128

# Postgres keeps what is too large for its memory in a file, as long as it reads it. The
# row itself would mostly find room on a full disk: where the one before stood.
_SMALL_MEMORY = """SELECT set_config('work_mem', '64kB', true),
        set_config('temp_tablespaces', '', true)"""
_ROOM = """SELECT count(*) FROM unnest(
        array_fill(repeat('x', %(bytes)s), ARRAY[CAST(%(pieces)s AS int)]))"""

_RENEW = """INSERT INTO sign_of_life (name, state) VALUES (%(name)s, %(state)s)
    ON CONFLICT (name) DO UPDATE SET at = clock_timestamp(), state = excluded.state"""

# Nothing is written, and nobody waited for, while nothing changes.
_KEEP = """INSERT INTO sign_of_life (name, state)
    SELECT %(name)s, %(state)s WHERE NOT EXISTS
        (SELECT FROM sign_of_life WHERE name = %(name)s AND state = %(state)s)
    ON CONFLICT (name) DO UPDATE SET at = clock_timestamp(), state = excluded.state"""

_STATE = "SELECT state FROM sign_of_life WHERE name = %(name)s"

_ALL = """SELECT name, state, extract(epoch FROM clock_timestamp() - at) AS age
    FROM sign_of_life"""


class Sign(msgspec.Struct, frozen=True):
    """The latest word of a part, and how many seconds old it is."""

    state: str
    age: float


def try_room() -> None:
    """Take a megabyte of the database's disk and give it back.

    Raises SQLAlchemy's DBAPIError where there is none. Inside the caller's transaction.
    """
    sql.execute(_SMALL_MEMORY)
    sql.execute(_ROOM, bytes=_BYTES, pieces=_PIECES)


def renew(name: str, state: str) -> None:
    """Write a word of now."""
    sql.execute(_RENEW, name=name, state=state)


def keep(name: str, state: str) -> None:
    """Write a word, if it isn't the latest one already."""
    sql.execute(_KEEP, name=name, state=state)


def state(name: str) -> str | None:
    """The latest word of a part; None before its first."""
    word: str | None = sql.value(_STATE, name=name)
    return word


def read() -> Mapping[str, Sign]:
    """Every part's latest word by its name."""
    return {row.name: Sign(row.state, float(row.age)) for row in sql.rows(_ALL)}
