"""The store: the log read in parts, tokens that end, rows that are found once."""

import random
import re
import threading
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from flask import Flask

from engine.events import Stored
from engine.evolve import replay
from engine.state import Game
from service.store import (
    clock,
    devices,
    event_log,
    games,
    links,
    people,
    sql,
    transactions,
)
from service.store import tokens as tokenstore
from service.store.people import Profile
from service.store.transactions import transaction
from service.values import addresses, entropy
from tests.rig.engine.loading import load
from tests.rig.service import seated
from tests.rig.service.seated import run

pytestmark = pytest.mark.usefixtures("inside")


ROOT = Path(__file__).parents[3]
EXECUTES = re.compile(r"(?<!\bsql)\.execute(many)?\(|\bdb\.session\b|exec_driver_sql")
ON_LINES_OF_THEIR_OWN = {
    "service/commands/admin.py",
    "service/processes/embedded.py",
    "service/store/commit_guard.py",
    "service/store/connections.py",
    "service/store/pubsub.py",
    "service/store/revisions.py",
}


def test_every_statement_goes_through_one_door() -> None:
    """But for what sets a line up, looks before it, guards its commit, or listens."""
    found = {
        str(file.relative_to(ROOT))
        for room in ("service", "worker")
        for file in (ROOT / room).rglob("*.py")
        if "migrations" not in file.parts
        if EXECUTES.search(file.read_text(encoding="utf-8"))
    }

    assert found == ON_LINES_OF_THEIR_OWN | {"service/store/sql.py"}


def test_a_statement_outside_is_committed_at_once_and_inside_with_the_rest(
    outside: psycopg.Connection,
) -> None:
    count, add = (
        "SELECT count(*) FROM opt_out",
        "INSERT INTO opt_out (digest) VALUES (%(d)s)",
    )

    alone = sql.execute(add, d=b"alone")
    with pytest.raises(LookupError):
        in_vain(add)
    with transaction():
        sql.execute(add, d=b"together")
        before = outside.execute(count).fetchone()
        seen = sql.value(count)
    outside.rollback()

    assert (alone, before, seen) == (1, (1,), 2)
    assert outside.execute(count).fetchone() == (2,)


def in_vain(add: str) -> None:
    with transaction():
        sql.execute(add, d=b"in vain")
        raise LookupError


def test_what_is_open_in_one_thread_is_open_in_no_other(inside: Flask) -> None:
    found: list[object] = []

    def look() -> None:
        with inside.app_context():
            found.append(transactions.current())

    with transaction():
        other = threading.Thread(target=look)
        other.start()
        other.join()

    assert found == [None]


def test_the_record_is_read_in_parts_without_gap_or_overlap() -> None:
    table = seated.started(3, bots=2)
    table.finish()
    whole = event_log.record_after(table.id, 0, 10_000)

    parts: list[event_log.Recorded] = []
    while part := event_log.record_after(table.id, len(parts), 7):
        parts += part

    assert tuple(parts) == whole
    assert [each.record for each in whole] == list(range(1, len(whole) + 1))


def test_the_past_is_what_the_log_had_told_by_then() -> None:
    table = seated.started(3)
    chance, states = random.Random(5), dict[int, Game]()
    for _ in range(40):
        table.step(chance)
        [(record,)] = run("SELECT record FROM game")
        states.setdefault(record, table.game)

    for record, state in states.items():
        assert event_log.at_record(table.id, record) == state
    assert event_log.at_record(table.id, max(states) + 1) is None


def test_a_replayed_log_is_the_events_one_by_one() -> None:
    table = seated.started(3)
    for _ in range(20):
        table.step(random.Random(1))
    rows = run("SELECT type, public, secret, version FROM event ORDER BY position")

    stored = (Stored(*row) for row in rows)
    events = [load(str(table.id), each) for each in stored]

    assert replay(str(table.id), iter(events)) == table.game


def test_a_token_ends_when_it_was_meant_to() -> None:
    with transaction():
        person = people.practiser(Profile("Rachel"))
        until = clock.now() + timedelta(days=1)
        token = tokenstore.issue(
            person, "a program", ["games:read"], expires_at=until
        ).token
    proof = entropy.digest(token)
    assert tokenstore.bearer(proof) == tokenstore.BearerRow(
        person, ("games:read",), None
    )

    clock.shift(timedelta(days=1, seconds=1))

    assert tokenstore.bearer(proof) is None
    assert tokenstore.bearer(entropy.digest("kup_unknown")) is None


def test_secrets_are_kept_as_hashes_alone(inside: Flask) -> None:
    table = seated.started(3)
    person = seated.link(table.id, 1).person_id
    with transaction():
        tokens = [
            links.add(links.LinkRow("decision", table.id, person, 1, 1)),
            devices.remember(table.id, person, 1),
            tokenstore.issue(person, "a program", ["games:play"]).token,
        ]

    kept = repr(seated.everything(inside))

    assert not any(token in kept for token in tokens)
    assert links.find(tokens[0]) == links.LinkRow("decision", table.id, person, 1, 1)


def test_one_address_is_one_person_whoever_writes_it_first() -> None:
    address = addresses.parse("Rita@example.org", "address")
    other = addresses.parse("rita@EXAMPLE.org", "address")
    with transaction():
        first = people.known_or_new(address, Profile("Rita"))
        again = people.known_or_new(other, Profile("Somebody"))

    assert first == again
    assert again.profile.name == "Rita"


def test_a_reader_is_told_only_the_seat_they_proved() -> None:
    table, other = seated.started(3), seated.started(3)
    mine = games.read(table.id, table.holder(1))
    strangers = games.read(table.id, other.holder(1))

    assert mine is not None
    assert (mine.proved, mine.seat) == (True, 1)
    assert strangers is not None
    assert (strangers.proved, strangers.seat) == (False, None)
