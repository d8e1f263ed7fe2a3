"""A private Postgres and Valkey for each test process, clean for each test."""

import fcntl
import gc
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import app as application
from service import config
from service.processes import command_lines, embedded
from service.values import entropy
from tests.rig.apps import put_away
from tests.rig.homes import Homes
from tests.rig.parts import free_ports
from tests.rig.service import kept_tables
from tests.rig.service.environs import COMPLETE
from tests.rig.service.races import Apps
from tests.rig.wiping import Wiper, plain

_KEPT = ("alembic_version", "clock")
_LONG = ("journeys", "test_processes.py")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let one process compile the tests, and the others read what it has compiled.

    Each of them would do it for itself: that takes longer than all the rest of it.
    """
    with Path(__file__).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
        return (yield)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what stays: thousands of tests."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long and mostly waits, so that nothing waits for it."""
    items.sort(key=lambda item: not set(_LONG) & set(item.path.parts))


@pytest.fixture(autouse=True)
def _chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test have the same deals and tokens each time, and no other test's.

    But for the table it begins with, see `kept_tables`.
    """
    source = random.Random(request.node.nodeid)
    monkeypatch.setattr(entropy, "source", source.randbytes)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as KINGUP_HOME, for the whole test process."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Homes:
    """The homes at rest that all test processes of this run share."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    return Homes(folder / f"homes-{testrun_uid}", COMPLETE)


@pytest.fixture(scope="session")
def bare(homes: Homes) -> Path:
    """A home whose database has no table yet, at rest: copies of it are started."""
    return homes.bare()


@pytest.fixture(scope="session")
def made(homes: Homes) -> Path:
    """The same with the tables that `kingup migrate` makes."""
    return homes.migrated()


@pytest.fixture(scope="session")
def servers(home: Path, homes: Homes) -> Iterator[embedded.Servers]:
    """The private servers that no setting replaces."""
    local = config.load_local()
    if not local.database_url:
        homes.copied_to(home)
    servers = embedded.Servers(home)
    servers.start(postgres=not local.database_url, valkey=not local.redis_url)
    yield servers
    servers.stop()


@pytest.fixture(scope="session")
def environ(
    home: Path, servers: embedded.Servers, testrun_uid: str, worker_id: str
) -> Iterator[dict[str, str]]:
    """The settings of the service under test, for itself and for its processes.

    On a given server each test process has a database of its own.
    """
    local = config.load_local()
    given = local.database_url and plain(local.database_url)
    name = f"kingup_test_{testrun_uid[:8]}_{worker_id}"
    database_url = servers.database_url
    if given:
        _execute(given, f"CREATE DATABASE {name}")
        database_url = urlunsplit(urlsplit(given)._replace(path=f"/{name}"))
    number = 1 + int(worker_id.removeprefix("gw")) if worker_id != "master" else 1
    redis_url = servers.redis_url
    if local.redis_url:
        redis_url = urlunsplit(urlsplit(local.redis_url)._replace(path=f"/{number}"))
    yield config.child_environ(
        {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "SECRET_KEY": "a secret for tests that nobody has to keep",
            "PUBLIC_URL": "http://localhost",
            "KINGUP_HOME": str(home),
            "KINGUP_RATE_LIMITS": "0",
            "LOG_LEVEL": "WARNING",
        },
        # Nothing of the machine's own settings reaches the tests.
        {"PATH": os.defpath},
    )
    if given:
        _execute(given, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def settings(environ: dict[str, str]) -> config.Config:
    return config.load(environ)


@pytest.fixture(scope="session")
def migrated(environ: dict[str, str]) -> tuple[str, ...]:
    """The tables that `kingup migrate` has made and left empty."""
    if config.load_local().database_url:
        subprocess.run(command_lines.migrate(), env=environ, check=True)
    address = plain(environ["DATABASE_URL"])
    # Nobody pulls the plug of this server, and the disk would take most of the time:
    # trials that kill a server have one of their own.
    name = urlsplit(address).path.removeprefix("/")
    _execute(address, f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    # No statement of ours is worth a compiler.
    _execute(address, f'ALTER DATABASE "{name}" SET jit = off')
    found = _execute(
        address,
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    )
    return tuple(table for (table,) in found if table not in _KEPT)


@pytest.fixture(scope="session")
def wiper(environ: dict[str, str], migrated: tuple[str, ...]) -> Iterator[Wiper]:
    """What cleans the database and Valkey."""
    wiper = Wiper(environ["DATABASE_URL"], environ["REDIS_URL"], migrated)
    yield wiper
    wiper.close()


@pytest.fixture
def database(environ: dict[str, str], wiper: Wiper) -> str:
    """The address of the migrated database; it and Valkey are as new."""
    wiper.wipe()
    return environ["DATABASE_URL"]


@pytest.fixture(scope="session")
def created_app(settings: config.Config) -> Iterator[Flask]:
    yield from _until_put_away(settings)


@pytest.fixture
def app(created_app: Flask, database: str, wiper: Wiper) -> Iterator[Flask]:
    """The app, on the clean database; no hint of one test comes in another."""

    def wipe() -> None:
        created_app.extensions["kingup_task_hints"]._batcher.flush()
        wiper.wipe()

    with created_app.app_context():
        kept_tables.keep_asked(wipe)
    yield created_app
    created_app.extensions["kingup_task_hints"]._batcher.flush()


@pytest.fixture(scope="session")
def other_app(settings: config.Config) -> Iterator[Flask]:
    """The same service with connections of its own, as another process has."""
    yield from _until_put_away(settings)


@pytest.fixture
def apps(app: Flask, other_app: Flask) -> Iterator[Apps]:
    """Both, in a context of the first."""
    with app.app_context():
        yield app, other_app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser or program without cookies."""
    return app.test_client()


@pytest.fixture
def free_port() -> int:
    """A port that nobody listens on."""
    [port] = free_ports(1)
    return port


def _until_put_away(settings: config.Config) -> Iterator[Flask]:
    app = application.create_app(settings)
    yield app
    put_away(app)


def _execute(database_url: str, statements: str) -> list[tuple[str, ...]]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        cursor = connection.execute(statements)
        return cursor.fetchall() if cursor.description else []
