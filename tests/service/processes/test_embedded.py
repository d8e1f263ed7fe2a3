"""The private servers: real binaries, started, crashed and found again."""

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis
from kombu import Connection
from kombu.transport.redis import Channel

from service import config
from service.app import create_app
from service.monitoring import health
from service.processes import embedded, kernel
from tests.rig import apps
from tests.rig.service.environs import COMPLETE

STARTER = """
import pathlib, sys, time
from service.processes import embedded
servers = embedded.Servers(pathlib.Path(sys.argv[1]))
servers.start()
print("ready", flush=True)
time.sleep(60)
"""


@pytest.fixture(scope="module")
def own(bare: Path) -> Iterator[embedded.Servers]:
    """Servers for tests that leave them running."""
    home = bare.with_name("own")
    servers = embedded.Servers(shutil.copytree(bare, home))
    servers.start()
    yield servers
    servers.stop()


def query(servers: embedded.Servers, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(servers.database_url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def ping(servers: embedded.Servers) -> bool:
    with redis.Redis.from_url(servers.redis_url) as client:
        return bool(client.ping())


def test_a_committed_row_survives_the_crash_of_postgres(own: embedded.Servers) -> None:
    query(own, "CREATE TABLE kept (name text)")
    query(own, "INSERT INTO kept VALUES ('Ann')")

    own.postgres.kill()
    own.postgres.start()

    assert query(own, "SELECT name FROM kept") == [("Ann",)]


def test_commits_reach_the_disk(own: embedded.Servers) -> None:
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        assert query(own, f"SHOW {setting}") == [("on",)]


def test_nobody_reaches_the_servers_over_the_network(own: embedded.Servers) -> None:
    assert query(own, "SHOW listen_addresses") == [("",)]
    with redis.Redis.from_url(own.redis_url) as client:
        assert client.config_get("port") == {"port": "0"}


def test_valkey_comes_back_after_a_crash(own: embedded.Servers) -> None:
    own.valkey.kill()
    assert not own.valkey.alive

    own.valkey.start()

    assert ping(own)


def test_the_data_are_found_at_the_next_start(tmp_path: Path) -> None:
    first = embedded.Servers(tmp_path)
    first.start()
    query(first, "CREATE TABLE kept ()")
    first.stop()

    second = embedded.Servers(tmp_path)
    second.start()

    assert query(second, "SELECT to_regclass('kept')::text") == [("kept",)]
    second.stop()


def test_a_first_start_that_was_cut_short_begins_anew(tmp_path: Path) -> None:
    half_made = tmp_path / "pg.new"
    half_made.mkdir()
    (half_made / "PG_VERSION").touch()

    servers = embedded.Servers(tmp_path)
    servers.start(valkey=False)

    assert query(servers, "SELECT 1") == [(1,)]
    servers.stop()


def test_two_cannot_run_on_one_folder(own: embedded.Servers, bare: Path) -> None:
    with pytest.raises(embedded.ServerError, match="still run on"):
        embedded.Servers(bare.with_name("own"), seconds=0)


def test_a_long_path_gets_its_sockets_elsewhere(bare: Path, tmp_path: Path) -> None:
    home = shutil.copytree(bare, tmp_path / ("long" * 25))

    servers = embedded.Servers(home)
    servers.start()

    assert ping(servers)
    assert query(servers, "SELECT 1") == [(1,)]
    servers.stop()


@pytest.mark.parametrize(
    "name",
    [
        "a#b a%20b?c=d&e 'q' \"r\"; [x]",
        "König & Ω;b:c@d back\\slash $HOME `id`",
        "one,two",
    ],
)
def test_the_path_of_a_home_may_be_spelled_with_any_sign(name: str) -> None:
    # A short folder: the sockets have to fit into it, too.
    folder = Path(tempfile.mkdtemp())
    servers = embedded.Servers(folder / name)
    try:
        servers.start()

        assert ping(servers)
        assert query(servers, "SELECT 1") == [(1,)]
        given = {"DATABASE_URL": servers.database_url, "REDIS_URL": servers.redis_url}
        settings = config.load(COMPLETE | given)
        with Connection(settings.broker_url) as broker:
            channel = broker.default_channel
            assert isinstance(channel, Channel)
            assert channel.client.ping()
        app = create_app(settings)
        assert health.database(app)["database"] == "ok"
        apps.put_away(app)
        assert (folder / name / "run").exists() is ("," not in name)
    finally:
        servers.stop()
        shutil.rmtree(folder)


def test_no_folder_for_sockets_at_all_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / ("long" * 25)
    other.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(other))

    with pytest.raises(embedded.ServerError, match="too long.*KINGUP_HOME"):
        embedded.Servers(tmp_path / ("long" * 24))

    assert list(other.iterdir()) == []


def test_a_server_that_cannot_start_says_where_to_look(tmp_path: Path) -> None:
    (tmp_path / "pg").mkdir()
    servers = embedded.Servers(tmp_path)

    with pytest.raises(embedded.ServerError, match=r"Postgres .*postgres\.log"):
        servers.start()

    servers.stop()


def test_servers_end_with_a_killed_supervisor_and_start_again(
    bare: Path, tmp_path: Path
) -> None:
    home = shutil.copytree(bare, tmp_path / "home")
    supervisor = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(home)],
        stdout=subprocess.PIPE,
        env=config.child_environ({}),
    )
    assert supervisor.stdout is not None
    assert supervisor.stdout.readline() == b"ready\n"

    supervisor.send_signal(signal.SIGKILL)
    supervisor.wait()
    supervisor.stdout.close()

    kernel.take_lock(home / "servers.lock", seconds=5).close()
    again = embedded.Servers(home, seconds=0)
    again.start()
    assert query(again, "SELECT 1") == [(1,)]
    again.stop()
