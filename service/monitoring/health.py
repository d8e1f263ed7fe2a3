"""Whether this process could serve a request now: every part it needs, checked."""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from typing import Final

import redis
from flask import Flask, current_app
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from service import config
from service.config import Config
from service.models.base import db
from service.monitoring import replication
from service.store import connections, heartbeats, revisions, sql
from service.store.heartbeats import Sign

OK: Final = "ok"
WORKER: Final = "worker"
"""The sign of life that has travelled from beat through the queue to a worker."""

REPLICATION: Final = "replication"
"""The check that warns only: what it tells keeps no process from serving."""

MAIL: Final = "mail"
"""The sign of whether mails can leave at all."""

HEARTBEAT_AGE: Final = 30
"""Seconds after which a worker without a sign of life counts as dead."""

_TIMEOUT_SECONDS = 1.0

_Word = Mapping[str, str]


class _Checker:
    """Checks one part, apart from whoever asks.

    What hangs on a frozen server hangs here, and keeps no request and no other check.
    Whoever asks while a check of the same thing has just begun shares its outcome: so
    many who ask at once neither wait for each other nor make the part look dead.
    """

    def __init__(self, part: str) -> None:
        name = f"health-{part}"
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._latest: tuple[object, float, Future[_Word]] | None = None

    def check(self, of: object, look: Callable[[], _Word]) -> Future[_Word]:
        """The outcome of `look` at something, or of a look at it that is under way."""
        with self._lock:
            if self._latest is not None:
                what, begun, found = self._latest
                young = time.monotonic() - begun < _TIMEOUT_SECONDS
                # One that hasn't begun waits for both threads, as another one would.
                fresh = young or not found.running()
                if what is of and fresh and not found.done():
                    return found
            found = self._threads.submit(look)
            self._latest = (of, time.monotonic(), found)
            return found


_checkers = {part: _Checker(part) for part in ("database", "valkey")}


class WrongIsolation(Exception):
    """A session of the database does not commit as the write path needs it to."""


class WrongLimits(Exception):
    """A session of the database would let something wait without end."""


def guard(app: Flask) -> None:
    """Let an app use no connection that isn't as we asked for.

    At a higher isolation level than READ COMMITTED an election whose last ballots come
    together stays unresolved. Limits are lost where a pooler is in between that gives
    each transaction another session.
    """
    with app.app_context():
        event.listen(db.engine, "connect", _check_session)


def _check_session(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    level, limits = connections.session_settings(connection)
    connection.rollback()
    if level != "read committed":
        raise WrongIsolation(level)
    if limits != connections.LIMITS:
        raise WrongLimits(limits)


def checks() -> Mapping[str, str]:
    """Every part by name: `ok`, or in a word what is wrong. Takes a second at most."""
    settings = config.of(current_app)
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # a proxy
    started = (
        ("database", _checkers["database"].check(app, lambda: database(app))),
        ("valkey", _checkers["valkey"].check(settings, lambda: _valkey(settings))),
    )
    found: dict[str, str] = {}
    end = time.monotonic() + _TIMEOUT_SECONDS
    for part, running in started:
        try:
            found.update(running.result(timeout=max(0.0, end - time.monotonic())))
        except TooSlow:
            found[part] = "no answer"
    return found


def is_ready(found: Mapping[str, str]) -> bool:
    """Whether what was checked lets this process serve."""
    return all(word == OK for part, word in found.items() if part != REPLICATION)


def database(app: Flask) -> Mapping[str, str]:
    """Whether the database answers, commits as we need it to, and is new enough.

    If so, also what the worker has written there of itself.
    """
    try:
        with app.app_context():
            current = migrations(sql.value(revisions.READ))
            signs = _signs(heartbeats.read()) if current == OK else {}
            standbys = replication.look()
    except WrongIsolation:
        return {"database": OK, "isolation": "not read committed"}
    except WrongLimits:
        return {"database": OK, "isolation": OK, "limits": "not kept"}
    except ProgrammingError:
        return {"database": OK, "isolation": OK, "limits": OK, "migrations": "none"}
    except SQLAlchemyError:
        return {"database": "no answer"}
    return {
        "database": OK,
        "isolation": OK,
        "limits": OK,
        "migrations": current,
        REPLICATION: standbys,
        **signs,
    }


def can_answer(app: Flask) -> bool:
    """Whether this process could take an answer in, with or without a worker."""
    found = database(app)
    parts = ("database", "isolation", "limits", "migrations")
    return all(found.get(part) == OK for part in parts)


def _signs(found: Mapping[str, Sign]) -> Mapping[str, str]:
    """What the worker tells of itself; without a word of it mails count as fine."""
    beat, mail = found.get(WORKER), found.get(MAIL)
    alive = beat is not None and beat.age < HEARTBEAT_AGE
    return {
        WORKER: OK if alive else "no heartbeat",
        MAIL: OK if mail is None else mail.state,
    }


def migrations(version: str | None) -> str:
    """Whether the database is as new as this code; one that is newer serves it too."""
    if version is None:
        return "none"
    return "behind" if revisions.is_behind(version) else OK


def _valkey(settings: Config) -> Mapping[str, str]:
    try:
        with redis.Redis.from_url(
            settings.redis_url,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_TIMEOUT_SECONDS,
        ) as client:
            client.ping()
    except redis.RedisError:
        return {"valkey": "no answer"}
    return {"valkey": OK}
