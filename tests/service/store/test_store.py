"""The store: the log read in parts, tokens that end, rows that are found once."""

import random
from datetime import timedelta

import pytest
from flask import Flask

from engine.events import load
from engine.evolve import replay
from service.store import clock, devices, event_log, games, links, people
from service.store.people import Profile
from service.store.transactions import transaction
from service.values import addresses, entropy
from tests.rig.service import seated
from tests.rig.service.seated import run

pytestmark = pytest.mark.usefixtures("inside")


def test_the_record_is_read_in_parts_without_gap_or_overlap() -> None:
    table = seated.started(3, bots=2)
    table.finish()
    whole = event_log.record_after(table.id, 0, 10_000)

    parts = []
    while part := event_log.record_after(table.id, len(parts), 7):
        parts += part

    assert tuple(parts) == whole
    assert [each.record for each in whole] == list(range(1, len(whole) + 1))


def test_the_past_is_what_the_log_had_told_by_then() -> None:
    table = seated.started(3)
    chance, states = random.Random(5), {}
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

    stored = (event_log.Stored(*row) for row in rows)
    events = [load(str(table.id), each) for each in stored]

    assert replay(str(table.id), iter(events)) == table.game


def test_a_token_ends_when_it_was_meant_to() -> None:
    with transaction():
        person = people.practiser(Profile("Rachel"))
        until = clock.now() + timedelta(days=1)
        token = links.issue(person, "a program", ["games:read"], expires_at=until)
    proof = entropy.digest(token)
    assert links.bearer(proof) == links.BearerRow(person, ("games:read",), None)

    clock.shift(timedelta(days=1, seconds=1))

    assert links.bearer(proof) is None
    assert links.bearer(entropy.digest("kup_unknown")) is None


def test_secrets_are_kept_as_hashes_alone(inside: Flask) -> None:
    table = seated.started(3)
    person = seated.link(table.id, 1).person_id
    with transaction():
        tokens = [
            links.add(links.LinkRow("decision", table.id, person, 1, 1)),
            devices.remember(table.id, person, 1),
            links.issue(person, "a program", ["games:play"]),
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
