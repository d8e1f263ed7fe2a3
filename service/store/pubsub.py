"""`LISTEN` and `NOTIFY` between processes: which games have news."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final
from uuid import UUID, uuid4

from psycopg import Connection

from service.store import connections

_CHANNEL = "kingup"

# A notification changes no row: there is nothing that a crash could lose.
_LIMITS = {"synchronous_commit": "off", "statement_timeout": "5s"}

_LISTEN = f"LISTEN {_CHANNEL}"

_HEARING_SECONDS: Final = 5.0

_STILL_THERE = "SELECT 1"

_NOTIFY = f"SELECT pg_notify('{_CHANNEL}', news) FROM unnest(%s::text[]) news"

_PEOPLE = """SELECT game_id, person_id FROM seat
    WHERE game_id = ANY(%s) AND person_id IS NOT NULL"""


def connect(database_url: str) -> Connection:
    """A connection for notifications alone.

    Raises psycopg.Error, like every function here.
    """
    return connections.connect(database_url, limits=_LIMITS, autocommit=True)


def keeps_sessions(database_url: str) -> bool:
    """Whether who listens there hears anything, as long as they stay.

    Behind a pooler that gives each transaction another session nobody does, and limits
    that were set hold for whoever comes next.
    """
    channel = f"{_CHANNEL}_{uuid4().hex}"
    with connect(database_url) as ear, connect(database_url) as mouth:
        ear.execute(f"LISTEN {channel}")
        mouth.execute("SELECT pg_notify(%s, '')", (channel,))
        return bool(list(ear.notifies(timeout=_HEARING_SECONDS, stop_after=1)))


def listen(connection: Connection) -> None:
    """Hear from now on what is published."""
    connection.execute(_LISTEN)


def publish(connection: Connection, game_ids: Collection[UUID]) -> None:
    """Tell every listener that there is news of some games, and nothing of what."""
    connection.execute(_NOTIFY, ([str(game_id) for game_id in game_ids],))


def receive(connection: Connection, seconds: float) -> frozenset[UUID]:
    """The games that have news; empty when none had within so many seconds."""
    first = list(connection.notifies(timeout=seconds, stop_after=1))
    if not first:
        # A server that has been stopped says nothing either.
        connection.execute(_STILL_THERE)
    more = list(connection.notifies(timeout=0)) if first else []
    return frozenset(_games(news.payload for news in first + more))


def _games(payloads: Iterable[str]) -> Iterator[UUID]:
    for payload in payloads:
        # Anybody with an account on the database may notify of anything.
        with suppress(ValueError):
            # A process of the version before adds how long the record is.
            yield UUID(payload.partition(":")[0])


def people_of(
    connection: Connection, game_ids: Collection[UUID]
) -> Mapping[UUID, Collection[UUID]]:
    """The people who have a seat in each of some games, also where there are none."""
    people: dict[UUID, set[UUID]] = {game_id: set() for game_id in game_ids}
    for game_id, person_id in connection.execute(_PEOPLE, (list(game_ids),)):
        people[game_id].add(person_id)
    return people
