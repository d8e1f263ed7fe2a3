"""A database that answers no more: every wait for it has an end of our own."""

import contextlib
import re
import shutil
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from uuid import UUID

import psycopg
import pytest

from service import app as application
from service import config
from service.processes import embedded
from service.store import connections, pubsub
from tests.rig import apps
from tests.rig.parts import wait_until
from tests.rig.service.programs import Api, Table
from tests.rig.stopping import stopped

ROOT = Path(__file__).parents[3]
CONNECTS = re.compile(r"psycopg\.connect\(|\bConnection\.connect\(|create_engine\(")


@pytest.fixture
def folder(tmp_path: Path, made: Path) -> Path:
    """The home of servers of a test's own, with all tables."""
    return Path(shutil.copytree(made, tmp_path / "home"))


@pytest.fixture
def own(folder: Path) -> Iterator[embedded.Servers]:
    """Servers of its own, for a test that stops them."""
    servers = embedded.Servers(folder)
    servers.start()
    yield servers
    servers.stop()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seconds of patience instead of twelve."""
    monkeypatch.setattr(connections.BoundedConnection, "patience", 2.0)
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 2)


@pytest.fixture
def api(own: embedded.Servers, environ: dict[str, str]) -> Iterator[Api]:
    """Programs that ask an app on these servers."""
    there = {"DATABASE_URL": own.database_url, "REDIS_URL": own.redis_url}
    app = application.create_app(config.load(environ | there))
    yield Api(app)
    apps.put_away(app)


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api)


def wait_for(own: embedded.Servers, standby: str) -> None:
    """Have each commit wait for a standby of this name; for none if it is empty."""
    with psycopg.connect(own.database_url, autocommit=True) as line:
        line.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
        line.execute("SELECT pg_reload_conf()")
        while line.execute("SHOW synchronous_standby_names").fetchone() != (standby,):
            time.sleep(0.02)
    if standby:
        wait_until(partial(commits_wait, own), "a commit that waits for a standby")


def commits_wait(own: embedded.Servers) -> bool:
    """Whether commits wait: from when the checkpointer has read the setting too."""
    with contextlib.closing(connections.connect(own.database_url)) as line:
        pid = line.info.backend_pid
        line.execute("SELECT pg_logical_emit_message(true, 'trial', '')")
        line.patience = 0.3
        try:
            line.commit()
        except connections.NoAnswer:
            end(own, pid)
            return True
    return False


def end(own: embedded.Servers, pid: int) -> None:
    """End a session and wait until it is gone."""
    with psycopg.connect(own.database_url, autocommit=True) as line:
        line.execute("SELECT pg_terminate_backend(%s, 10000)", (pid,))


def answers(own: embedded.Servers, game_id: UUID) -> int:
    """How many answers anybody can see."""
    with psycopg.connect(own.database_url, autocommit=True) as line:
        found = line.execute(
            "SELECT count(*) FROM answer WHERE game_id = %s", (game_id,)
        ).fetchone()
    assert found is not None
    return int(found[0])


@pytest.mark.usefixtures("impatient")
def test_a_stopped_database_is_told_as_busy_and_served_from_again(
    folder: Path, api: Api, table: Table
) -> None:
    asked, number = table.asked, table.decision
    view = f"/v1/games/{table.id}/view"
    move = table.first_legal(asked)

    with stopped(folder / "pg"):
        # One after the other: on kept connections, and on new ones.
        refused = [
            api.get(view, table.tokens[asked]),
            table.put(asked, move, number),
            api.get("/v1/games"),
            api.get("/v1/me", table.tokens[asked]),
        ]
        alive, ready = api.get("/healthz"), api.get("/readyz")
    again = table.put(asked, move, number)

    assert {(each.status_code, each.json["code"]) for each in refused} == {
        (503, "busy")
    }
    assert {each.headers["Retry-After"] for each in refused} == {"5"}
    assert (alive.status_code, ready.status_code) == (200, 503)
    assert ready.json["checks"]["database"] == "no answer"
    assert again.status_code == 200


@pytest.mark.usefixtures("impatient")
def test_an_answer_that_waits_for_a_lost_standby_is_seen_by_nobody_until_it_is_back(
    own: embedded.Servers, table: Table
) -> None:
    asked, number = table.asked, table.decision
    move = table.first_legal(asked)
    wait_for(own, "nobody")

    refused = table.put(asked, move, number)
    seen = answers(own, table.id)
    wait_for(own, "")
    again = table.put(asked, move, number)
    kept = table.put(asked, move, number)

    assert (refused.status_code, refused.json["code"]) == (503, "busy")
    assert seen == 0
    assert (again.status_code, kept.status_code) == (200, 200)
    assert again.data == kept.data
    assert answers(own, table.id) == 1


@pytest.mark.usefixtures("impatient")
def test_while_a_standby_is_lost_writes_pile_up_nowhere_and_reading_goes_on(
    own: embedded.Servers, api: Api, table: Table
) -> None:
    others = [Table(api) for _ in range(3)]
    moves = [
        (each, each.asked, each.decision, each.first_legal(each.asked))
        for each in (table, *others)
    ]
    wait_for(own, "nobody")

    refused = [each.put(seat, move, number) for each, seat, number, move in moves]
    read = [each.view(seat) for each, seat, _, _ in moves]
    left = waiting(own)
    wait_for(own, "")
    again = [each.put(seat, move, number) for each, seat, number, move in moves]

    assert {each.json["code"] for each in refused} == {"busy"}
    assert {each.status_code for each in read} == {200}
    assert left == 1
    assert {each.status_code for each in again} == {200}


def waiting(own: embedded.Servers) -> int:
    """How many sessions wait for a standby."""
    with psycopg.connect(own.database_url, autocommit=True) as line:
        found = line.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        ).fetchone()
    assert found is not None
    return int(found[0])


def test_whoever_is_interrupted_while_committing_cancels_nothing(
    own: embedded.Servers,
) -> None:
    """A cancelled wait for a standby would be told as a commit like any other."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    line = connections.connect(own.database_url)
    line.execute("CREATE TABLE written (at integer)")
    line.commit()
    wait_for(own, "nobody")
    line.execute("INSERT INTO written VALUES (1)")
    before = signal.signal(signal.SIGALRM, interrupt)

    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            line.commit()
    finally:
        signal.signal(signal.SIGALRM, before)

    with psycopg.connect(own.database_url, autocommit=True) as other:
        time.sleep(0.5)
        assert line.closed
        assert other.execute("SELECT count(*) FROM written").fetchone() == (0,)
    wait_for(own, "")


@pytest.mark.usefixtures("impatient")
def test_whoever_listens_notices_that_the_database_was_stopped(
    own: embedded.Servers, folder: Path
) -> None:
    line = pubsub.connect(own.database_url)
    pubsub.listen(line)

    assert pubsub.receive(line, 0.1) == frozenset()
    with stopped(folder / "pg"), pytest.raises(connections.NoAnswer):
        pubsub.receive(line, 0.1)

    assert line.closed


@pytest.mark.usefixtures("impatient")
def test_what_may_take_long_is_waited_for(own: embedded.Servers) -> None:
    line = connections.connect(own.database_url, autocommit=True)
    with pytest.raises(connections.NoAnswer):
        line.execute("SELECT pg_sleep(5)")

    with connections.connect(own.database_url, autocommit=True) as patient:
        connections.wait_without_end(patient)

        assert patient.execute("SELECT 1 FROM pg_sleep(3)").fetchone() == (1,)


def test_every_limit_of_the_server_is_shorter_than_our_own_patience() -> None:
    limits = connections.LIMITS.values()

    seconds = [int(each.removesuffix("s")) for each in limits]

    assert max(seconds) < connections.ANSWER_SECONDS


def test_nothing_connects_past_the_one_way_to_connect() -> None:
    """There each wait has an end, and addresses are read alike."""
    found = {
        str(file.relative_to(ROOT))
        for room in ("service", "worker")
        for file in (ROOT / room).rglob("*.py")
        if CONNECTS.search(file.read_text(encoding="utf-8"))
    }

    assert found == set()
