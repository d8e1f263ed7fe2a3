"""The write path when something is wrong: held rows, newer logs, other isolation."""

import threading
import time
from collections.abc import Iterator

import psycopg
import pytest
from flask import Flask
from psycopg.pq import TransactionStatus

from engine.board import Card
from engine.commands import Ballot
from engine.errors import UnreadableLog
from engine.state import FORMAT
from service import app as application
from service import config
from service.config import Config
from service.game import handlers, time_up
from service.monitoring import health
from service.store import event_log, games, transactions
from service.values.errors import Busy
from service.values.principals import System
from tests.rig import apps
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

YES, NO = Card.YES, Card.NO


pytestmark = pytest.mark.usefixtures("inside")


def hold(connection: psycopg.Connection, table: Seated) -> None:
    connection.execute("SELECT 1 FROM game WHERE id = %s FOR UPDATE", (table.id,))


def test_a_row_that_somebody_holds_ends_the_wait_within_five_seconds(
    inside: Flask, outside: psycopg.Connection
) -> None:
    table = seated.in_election(3)
    decision, before = table.decision, seated.everything(inside)
    hold(outside, table)

    started = time.monotonic()
    with pytest.raises(Busy) as refused:
        table.answer(0, Ballot(YES), decision)
    waited = time.monotonic() - started

    assert (refused.value.status, refused.value.code) == (503, "busy")
    assert 4 < waited < 15
    assert seated.everything(inside) == before
    outside.rollback()
    assert table.answer(0, Ballot(YES), decision)


def test_a_held_game_keeps_no_other_game_waiting(outside: psycopg.Connection) -> None:
    held, other = seated.in_election(3), seated.in_election(3)
    decision = other.decision
    hold(outside, held)

    receipt = other.answer(0, Ballot(YES), decision)

    # Had it waited for the held row, it would have been refused as busy.
    assert receipt
    assert outside.info.transaction_status is TransactionStatus.INTRANS


def test_a_reader_waits_for_no_writer(outside: psycopg.Connection) -> None:
    table = seated.in_election(3)
    hold(outside, table)

    running = table.game.running

    assert running
    assert outside.info.transaction_status is TransactionStatus.INTRANS


def test_a_process_frozen_in_its_transaction_loses_the_row(inside: Flask) -> None:
    table = seated.in_election(3)
    decision, frozen, thawed = table.decision, threading.Event(), threading.Event()
    ends: list[BaseException | None] = []

    def freeze() -> None:
        with inside.app_context():
            try:
                with transactions.transaction():
                    games.lock(table.id, System(), None)
                    frozen.set()
                    thawed.wait(20)
                    run("UPDATE game SET visibility = 'late'")
            except BaseException as error:
                ends.append(error)

    holder = threading.Thread(target=freeze)
    holder.start()
    frozen.wait(5)
    started = time.monotonic()
    try:
        receipt = table.answer(0, Ballot(NO), decision)
    except Busy:
        # Both patiences are five seconds: the waiting one may end a moment earlier.
        receipt = table.answer(0, Ballot(NO), decision)
    waited = time.monotonic() - started
    thawed.set()
    holder.join(10)

    assert receipt
    assert waited < 15
    assert ends
    assert run("SELECT visibility FROM game") == [("link",)]


def test_an_older_snapshot_means_replay() -> None:
    table = seated.in_election(3)
    table.answer(1, Ballot(NO))
    state, decision = table.game, table.decision
    run("UPDATE game SET snapshot = '', snapshot_format = :f", {"f": FORMAT - 1})

    assert table.game == state
    table.answer(0, Ballot(YES), decision)
    table.answer(2, Ballot(YES), decision)
    handlers.resolve(table.id, decision)

    assert run("SELECT snapshot_format FROM game") == [(FORMAT,)]
    assert table.game == event_log.replayed(table.id)


@pytest.mark.parametrize(
    "newer",
    [
        "UPDATE game SET snapshot_format = 99",
        "UPDATE game SET snapshot_format = 0; UPDATE event SET version = 99"
        " WHERE position = 3",
        "UPDATE game SET snapshot_format = 0; UPDATE event SET type = 'danced',"
        """ public = '{"type":"danced"}' WHERE position = 3""",
        "UPDATE game SET snapshot_format = 0; DELETE FROM event WHERE position = 3",
        "UPDATE game SET snapshot = 'torn'",
    ],
)
def test_a_log_of_a_newer_process_is_refused_and_nothing_written(
    inside: Flask, newer: str
) -> None:
    table, other = seated.in_election(3), seated.in_election(3)
    decision, elsewhere = table.decision, other.decision
    for statement in newer.split("; "):
        where = " AND" if "WHERE" in statement else " WHERE"
        key = "game_id" if "event" in statement else "id"
        run(f"{statement}{where} {key} = :g", {"g": table.id})
    before = seated.everything(inside)

    for act in (
        lambda: table.answer(0, Ballot(YES), decision),
        lambda: handlers.resolve(table.id, decision),
        lambda: time_up.run_out(table.id, decision),
        lambda: time_up.remind(table.id, decision),
        lambda: seated.cancel(table.id, System()),
        lambda: table.game,
    ):
        with pytest.raises(UnreadableLog):
            act()

    assert seated.everything(inside) == before
    assert other.answer(0, Ballot(YES), elsewhere)


def test_the_service_writes_at_read_committed_whatever_the_database_says(
    settings: Config, outside: psycopg.Connection
) -> None:
    name = outside.info.dbname
    default = f"ALTER DATABASE {name} SET default_transaction_isolation"
    outside.execute(f"{default} = 'repeatable read'".encode())
    outside.commit()
    try:
        app = application.create_app(settings)
        with app.app_context():
            with transactions.transaction():
                level = run("SHOW transaction_isolation")
            apps.put_away(app)
        assert level == [("read committed",)]
    finally:
        outside.execute(f"{default} = DEFAULT".encode())
        outside.commit()


@pytest.fixture
def wrong_app(settings: Config, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """An app whose connections are at REPEATABLE READ."""
    options = application._engine_options(settings)
    wrong = options | {"isolation_level": "REPEATABLE READ"}
    monkeypatch.setattr(application, "_engine_options", lambda _: wrong)
    app = application.create_app(settings)
    yield app
    apps.put_away(app)


def test_a_process_at_repeatable_read_does_not_write(
    inside: Flask, wrong_app: Flask
) -> None:
    table = seated.in_election(3)
    decision, before = table.decision, seated.everything(inside)

    with wrong_app.app_context(), pytest.raises(health.WrongIsolation):
        table.answer(0, Ballot(YES), decision)

    assert seated.everything(inside) == before


def test_at_repeatable_read_ballots_would_be_refused(
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    outside: psycopg.Connection,
) -> None:
    monkeypatch.setattr(health, "guard", lambda _: None)
    planted: Flask = request.getfixturevalue("wrong_app")
    table = seated.in_election(3)
    decision, refused = table.decision, []

    def lay(seat: int) -> None:
        with planted.app_context():
            try:
                table.answer(seat, Ballot(YES), decision)
            except Busy as error:
                refused.append(error)

    hold(outside, table)
    threads = [threading.Thread(target=lay, args=(seat,)) for seat in range(3)]
    for thread in threads:
        thread.start()
    patience = time.monotonic() + 4
    while run("SELECT count(*) FROM pg_locks WHERE NOT granted") < [(3,)]:
        assert time.monotonic() < patience, "the ballots don't wait for the row"
        time.sleep(0.02)
    outside.rollback()
    for thread in threads:
        thread.join(20)

    assert len(refused) == 2


def test_the_settings_of_a_connection_end_every_wait(inside: Flask) -> None:
    shown = {
        name: run(f"SHOW {name}")[0][0]
        for name in ("lock_timeout", "idle_in_transaction_session_timeout")
    }

    assert set(shown.values()) == {"5s"}
    assert isinstance(inside.config["KINGUP"], config.Config)


def test_no_connection_gives_up_that_commits_reach_the_disk(inside: Flask) -> None:
    sources = run("SELECT name, source FROM pg_settings WHERE name ~ '_commit$|^fsync'")

    assert {"synchronous_commit", "fsync"} <= {name for name, _ in sources}
    assert {source for _, source in sources}.isdisjoint({"client", "session", "user"})


def test_a_connection_that_broke_after_reading_cuts_no_answer_off(
    outside: psycopg.Connection,
) -> None:
    table = seated.in_election(3)
    [(reading,)] = run("SELECT pg_backend_pid()")
    outside.execute("SELECT pg_terminate_backend(%s, 5000)", (reading,))

    running = table.game.running

    assert running
