"""An app's context for all tests of the worker, and a mail server for who asks."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import psycopg
import pytest
from flask import Flask

from service import config
from tests.rig.house import BOT_DELAY
from tests.rig.worker.mail_server import Sink, listening, point_to
from tests.rig.worker.processes import Workers


@pytest.fixture(autouse=True)
def inside(app: Flask) -> Iterator[Flask]:
    """Every test of the worker runs as a task does, in a context of the app."""
    with app.app_context():
        yield app


@pytest.fixture
def sink(
    inside: Flask, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Sink]:
    """A mail server that the app sends to."""
    with listening(free_port) as keeper:
        point_to(inside, monkeypatch, f"smtp://127.0.0.1:{free_port}")
        yield keeper


@pytest.fixture
def workers(
    tmp_path: Path,
    environ: dict[str, str],
    inside: Flask,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Workers]:
    """Worker processes that a test starts and ends."""
    built = Workers(tmp_path, environ)
    # What the test itself opens waits for bots as the workers do.
    quick = msgspec.structs.replace(config.of(inside), bot_delay=BOT_DELAY)
    monkeypatch.setitem(inside.config, "KINGUP", quick)
    yield built
    built.stop()


@pytest.fixture
def outside(database: str) -> Iterator[psycopg.Connection]:
    """Somebody else's connection to the same database."""
    with psycopg.connect(database.replace("+psycopg", "", 1)) as connection:
        yield connection
        connection.rollback()
