"""Somebody else who holds a lock for a while, and whoever waits for it."""

import threading
import time
from collections.abc import Callable, Mapping

import psycopg
from flask import Flask

from service.values.errors import Problem


def while_held(
    app: Flask,
    outside: psycopg.Connection,
    lock: str,
    values: Mapping[str, object],
    act: Callable[[], object],
    meanwhile: Callable[[], None],
) -> object:
    """What an act gives, or raises, that has to wait for what `lock` takes."""
    found: list[object] = []

    def wait() -> None:
        with app.app_context():
            try:
                found.append(act())
            except Problem as refusal:
                found.append(refusal)

    outside.execute(lock.encode(), values)
    waiting = threading.Thread(target=wait)
    waiting.start()
    until_somebody_waits(outside)
    meanwhile()
    outside.rollback()
    waiting.join(10)
    return found[0]


def until_somebody_waits(connection: psycopg.Connection, several: int = 1) -> None:
    """Until others wait for locks, `several` of them, however busy the machine is."""
    for _ in range(2000):
        found = connection.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
        if len(found.fetchall()) >= several:
            return
        time.sleep(0.01)
    raise AssertionError("nobody waits")
