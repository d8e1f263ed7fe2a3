"""What belongs to a game is keyed by it: games can be spread over partitions."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import flask_migrate
import pytest
from flask import Flask
from sqlalchemy import MetaData, Table, UniqueConstraint

from engine.board import Card
from engine.commands import Ballot
from engine.state import Decision
from service.game import handlers, talk, time_up
from service.models.tables import Base, db
from service.people import accounts, deletion
from service.store import clock, event_log, messages, outbox, sql, tables
from service.tables import rematch
from service.values import entropy, signed_tokens
from service.values.lines import Line
from tests.rig.service import seated
from tests.rig.service.databases import MIGRATIONS, no_tables, on
from tests.rig.service.seated import Seated, person_on, run
from tests.rig.service.visitor import Visitor
from worker.clock import retention, sweeper
from worker.outgoing import delivery

BEFORE_KEYS = "0025"

PAGE = Path(__file__).parents[3] / "docs" / "architecture.md"

TABLES = Base.metadata.tables

PARTITIONS = 4

GAMES = (
    "game",
    "seat",
    "game_seed",
    "event",
    "answer",
    "due",
    "notice",
    "invitation",
    "message",
    "sealed_line",
    "mailed_vote",
    "mute",
    "report",
    "standing_answer",
    "proposal",
    "replacement",
    "former_holder",
    "credit",
    "excused",
    "unsubscribed",
)
"""The tables that belong to games."""

_LINK = """INSERT INTO link (token_hash, purpose, game_id, person_id, seat, decision)
    VALUES (:hash, 'decision', :game, :person, :seat, :decision)"""
"""As the last release wrote it."""


def key_of_game(table: Table) -> str:
    return "id" if table.name == "game" else "game_id"


def unique_keys(table: Table) -> Iterator[set[str]]:
    yield set(table.primary_key.columns.keys())
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield set(constraint.columns.keys())
    for index in table.indexes:
        if index.unique:
            yield set(index.columns.keys())


def test_the_page_says_of_every_table_whose_it_is() -> None:
    _, _, section = PAGE.read_text().partition("\n## Keys\n")
    section, _, _ = section.partition("\n## ")
    rows = re.findall(r"^\| (.+) \| (.+) \|$", section, re.M)
    listed = {
        whose: [word for word in re.findall(r"`(\w+)`", said) if word in TABLES]
        for whose, said in rows
    }

    assert sorted(word for words in listed.values() for word in words) == sorted(TABLES)
    assert tuple(listed["a game's"]) == GAMES


def test_every_unique_key_of_a_game_carries_the_game() -> None:
    for name in GAMES:
        for key in unique_keys(TABLES[name]):
            assert key_of_game(TABLES[name]) in key, (name, key)


def test_no_foreign_key_leads_from_outside_into_a_game() -> None:
    for name in TABLES.keys() - set(GAMES):
        for key in TABLES[name].foreign_keys:
            assert key.column.table.name not in GAMES, key
    for name in GAMES:
        for constraint in TABLES[name].foreign_key_constraints:
            if constraint.referred_table.name in GAMES:
                assert "game_id" in constraint.column_keys, constraint


@pytest.fixture
def fresh(environ: dict[str, str], model: str) -> Iterator[Flask]:
    """The app on a database of its own, with every table."""
    with no_tables(environ, "_keys", model) as settings, on(settings) as app:
        yield app


def everything() -> dict[str, list[str]]:
    """All rows there are; the numbers of due rows and notices were nowhere shown."""
    found = run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    numbered = {"due": " - 'id'", "notice": " - 'id'"}
    return {
        table: [
            row
            for (row,) in run(
                f"SELECT (to_jsonb(t){numbered.get(table, '')})::text"
                f" FROM {table} t ORDER BY 1"
            )
        ]
        for (table,) in found
    }


def play(app: Flask) -> tuple[Seated, Seated]:
    """A game with its rematch and one that goes on; mails, a device and a code."""
    over = seated.started(3, rounds=1, placement="random")
    over.finish()
    rematch.again(over.id, person_on(over.id, 0))
    running = seated.started(3)
    keys = [*delivery.queue(over.id), *delivery.queue(running.id)]
    delivery.deliver(keys[0])
    Visitor(app).remember(running, 1)
    accounts.ask_to_sign_in("rita@example.org", None)
    return over, running


def link_of_the_last_release(game_id: UUID, asked: Decision) -> str:
    """The path of a link that was mailed by the last release."""
    token, seat = signed_tokens.make(), asked.seat
    assert seat is not None
    row = {"game": game_id, "person": person_on(game_id, seat), "seat": seat}
    run(_LINK, {"hash": entropy.digest(token), "decision": asked.number, **row})
    return f"/d/{token}"


def test_what_the_last_release_wrote_goes_on(fresh: Flask) -> None:
    over, running = play(fresh)
    asked = running.game.decision
    assert asked is not None
    flask_migrate.downgrade(MIGRATIONS, revision=BEFORE_KEYS)
    laid = run("SELECT rematch_of, id FROM game WHERE rematch_of IS NOT NULL")
    path = link_of_the_last_release(running.id, asked)
    waiting = run("SELECT count(*) FROM mail WHERE settled_at IS NULL")

    flask_migrate.upgrade(MIGRATIONS)

    assert laid == [(over.id, tables.rematch_of(over.id))]
    page = Visitor(fresh).get(path)
    assert (page.status, len(path)) == (200, 3 + 26)
    assert "Your turn" in page.text
    on_their_way = outbox.missed(0, 100).mails
    assert [(len(on_their_way),)] == waiting
    for key in on_their_way:
        delivery.deliver(key)
    assert outbox.missed(0, 100).mails == ()
    assert run("SELECT DISTINCT state FROM mailed_code") == [("sent",)]
    running.finish()


def test_nothing_is_lost_on_the_way_there_and_back(fresh: Flask) -> None:
    play(fresh)
    flask_migrate.downgrade(MIGRATIONS, revision=BEFORE_KEYS)
    before = everything()

    flask_migrate.upgrade(MIGRATIONS)
    flask_migrate.downgrade(MIGRATIONS, revision=BEFORE_KEYS)

    assert everything() == before
    assert all(before[table] for table in ("mail", "mailed_code", "notice", "due"))


@pytest.fixture
def parted(fresh: Flask) -> Flask:
    """The same with all that belongs to games, and mails, in four partitions each."""
    whole = MetaData(naming_convention=Base.metadata.naming_convention)
    for table in TABLES.values():
        copied = table.to_metadata(whole)
        if table.name in GAMES:
            by = f"HASH ({key_of_game(table)})"
        elif table.name == "mail":
            by = "HASH (person_id)"
        else:
            continue
        copied.dialect_options["postgresql"]["partition_by"] = by
    parts = [*GAMES, "mail"]
    run(f"DROP TABLE {', '.join(parts)} CASCADE")
    whole.create_all(db.engine, [whole.tables[name] for name in parts])
    for name in parts:
        for number in range(PARTITIONS):
            run(
                f"CREATE TABLE {name}_{number} PARTITION OF {name}"
                f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
            )
    # A plan for any game would have a lock of every partition.
    [(name,)] = run("SELECT current_database()")
    run(f'ALTER DATABASE "{name}" SET plan_cache_mode = force_custom_plan')
    db.engine.dispose()
    return fresh


class Written:
    """What each writing statement touches: by its plan, and by what it locks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.touched: list[dict[str, set[str]]] = []
        for name in ("execute", "struct"):
            heard = partial(self._run, getattr(sql, name))
            monkeypatch.setattr(sql, name, heard)

    def _run(self, real: Callable[..., Any], /, *said: Any, **values: object) -> Any:
        statement: str = said[-1]
        if statement not in _WRITING:
            return real(*said, **values)
        plan = sql.value(f"EXPLAIN (FORMAT JSON) {statement}", **values)
        found = real(*said, **values)
        names = {*sql.values(_LOCKED), *_READ.findall(json.dumps(plan))}
        parts: dict[str, set[str]] = {}
        for name in names:
            table, _, number = name.rpartition("_")
            if table in (*GAMES, "mail") and number.isdigit():
                parts.setdefault(table, set()).add(name)
        self.touched.append(parts)
        return found


_WRITING = (event_log._APPEND, messages._SAY, messages._SEAL, messages._REVEAL)
_READ = re.compile(r'"Relation Name": "(\w+)"')
_LOCKED = """SELECT relname FROM pg_locks JOIN pg_class c ON c.oid = relation
    WHERE pid = pg_backend_pid() AND mode = 'RowExclusiveLock' AND relkind = 'r'"""


def post(table: Seated) -> None:
    for key in delivery.queue(table.id):
        delivery.deliver(key)


def test_whole_games_with_their_mails_are_played_in_partitions(
    parted: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Written(monkeypatch)
    games = [seated.started(3, bots=1, rounds=1, placement="random") for _ in range(3)]
    for table in games:
        post(table)
        time_up.remind(table.id, table.decision)
        post(table)
        table.finish()
        post(table)

    assert len(written.touched) > 30
    assert all({"game", "event"} <= parts.keys() for parts in written.touched)
    assert {len(each) for parts in written.touched for each in parts.values()} == {1}
    touched = set().union(*written.touched)
    assert {"game", "event", "answer", "due", "notice"} <= touched
    assert "mail" not in touched
    counts = "SELECT count(*), count(DISTINCT tableoid) FROM mail WHERE state = 'sent'"
    ((sent, places),) = run(counts)
    assert sent > 10
    assert places > 1


def test_what_is_said_touches_one_part_of_each_table(
    parted: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, line = seated.in_election(3), Line("As you wish.", None)
    written = Written(monkeypatch)
    for seat in range(3):
        proof = table.principals[seat]
        handlers.answer(table.id, proof, table.decision, Ballot(Card.YES), line)
    table.resolve()
    talk.say(table.id, table.holder(0), line)

    assert run("SELECT number FROM message ORDER BY number") == [(1,), (2,), (3,), (4,)]
    assert {len(each) for parts in written.touched for each in parts.values()} == {1}
    touched = set().union(*written.touched)
    assert {"game", "message", "sealed_line"} <= touched


def test_all_that_goes_by_people_or_by_the_clock_finds_every_partition(
    parted: Flask,
) -> None:
    over, running = play(parted)
    for key in outbox.missed(0, 100).mails:
        delivery.deliver(key)
    again, is_new = rematch.again(over.id, person_on(over.id, 1))
    clock.shift(timedelta(days=1, minutes=1))

    sweeper.sweep()
    delivery.sweep()
    retention.tidy()

    assert (again, is_new) == (tables.rematch_of(over.id), False)
    assert running.game.last_decision > 1
    deletion.erase(person_on(running.id, 0))
    assert run("SELECT count(*) FROM person WHERE address LIKE 'rachel%'") == [(1,)]
