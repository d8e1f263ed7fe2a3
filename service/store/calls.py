"""Calls between processes, through the database: which games have news."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from uuid import UUID

import psycopg
from psycopg import Connection

_CHANNEL = "kingup"

# A call changes no row: there is nothing that a crash could lose.
_OPTIONS = "-c synchronous_commit=off -c statement_timeout=5000"

_LISTEN = f"LISTEN {_CHANNEL}"

_CALL = f"SELECT pg_notify('{_CHANNEL}', news) FROM unnest(%s::text[]) news"

_PEOPLE = """SELECT DISTINCT person_id FROM seat
    WHERE game_id = ANY(%s) AND person_id IS NOT NULL"""


def connect(database_url: str) -> Connection:
    """A connection for calls alone, which notices when the other side is gone.

    Raises psycopg.Error, like every function here.
    """
    return psycopg.connect(
        database_url,
        autocommit=True,
        connect_timeout=5,
        options=_OPTIONS,
        keepalives_idle=15,
        keepalives_interval=5,
        keepalives_count=3,
    )


def listen(line: Connection) -> None:
    """Hear from now on what is called."""
    line.execute(_LISTEN)


def call(line: Connection, news: Mapping[UUID, int]) -> None:
    """Tell every listener of games and how long their records are now."""
    line.execute(_CALL, ([f"{game}:{record}" for game, record in news.items()],))


def heard(line: Connection, seconds: float) -> frozenset[UUID]:
    """The games that were called; empty when none was within so many seconds."""
    first = list(line.notifies(timeout=seconds, stop_after=1))
    more = list(line.notifies(timeout=0)) if first else []
    return frozenset(_games(news.payload for news in first + more))


def _games(payloads: Iterable[str]) -> Iterator[UUID]:
    for payload in payloads:
        # Anybody with an account on the database may call anything.
        with suppress(ValueError):
            yield UUID(payload.partition(":")[0])


def people_of(line: Connection, game_ids: Collection[UUID]) -> frozenset[UUID]:
    """Everybody who has a seat in any of some games."""
    rows = line.execute(_PEOPLE, (list(game_ids),)).fetchall()
    return frozenset(person for (person,) in rows)
