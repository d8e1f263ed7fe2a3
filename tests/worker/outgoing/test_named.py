"""Whoever leaves for good holds up the mails that may name them, and no other."""

from uuid import UUID

import psycopg
import pytest
from flask import Flask

from service.people import deletion
from service.store import people
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import creation, joining
from service.tables.creation import OpenSeat, TableWish
from tests.rig.service import seated
from tests.rig.service.hosts import SIMON
from tests.rig.service.seated import run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, send

LATER = "451 later"


@pytest.fixture
def refusing(sink: Sink) -> Sink:
    """A mail server that takes no mail yet."""
    sink.data = [LATER] * 99
    return sink


def named(game_id: UUID) -> list[set[UUID]]:
    """Whom the mails of a game may name that wait for another attempt."""
    found = run(
        "SELECT people FROM mail WHERE game_id = :g AND body IS NOT NULL",
        {"g": game_id},
    )
    return [set(each) for (each,) in found]


def on(game_id: UUID, *seats: int) -> set[UUID]:
    return {seated.person_on(game_id, seat) for seat in seats}


def somebody() -> UUID:
    with transaction():
        address = creation.guest_address(SIMON, 0, set())
        return people.known_or_new(address, Profile("Simon")).id


def test_a_mail_notes_everybody_at_its_table(refusing: Sink) -> None:
    table = seated.started(3)

    send(table.id)

    assert named(table.id) == [on(table.id, 0, 1, 2)] * 3


def test_a_mail_that_was_sent_notes_nobody(sink: Sink) -> None:
    table = seated.started(3)

    send(table.id)

    assert rows.states(table.id) == {"sent": 3}
    assert run("SELECT 1 FROM mail WHERE people IS NOT NULL") == []


def test_a_mail_that_waits_is_rendered_anew_without_who_had_left_its_table(
    refusing: Sink,
) -> None:
    host = seated.person_on(seated.draft(3), 0)
    table = creation.open_table(host, "", TableWish((OpenSeat(), OpenSeat())))
    guest = somebody()
    with transaction():
        joining.take(table, people.by_id(guest), None, "Simon", "")
    remind = "INSERT INTO notice (game_id, key, person_id, seat, kind) VALUES"
    run(f"{remind} (:g, 'a', :p, 0, 'expired')", {"g": table, "p": host})
    send(table)
    assert named(table) == [{host, guest}]
    joining.leave(table, guest, 1)

    deletion.erase(guest)

    assert named(table) == []
    assert rows.bodies(table) == []


def test_erasing_somebody_waits_for_no_mail_of_other_tables(
    refusing: Sink, database: str
) -> None:
    table, other = seated.started(3), seated.started(3)
    for each in (table, other):
        send(each.id)
    (leaver,) = on(table.id, 1)
    hold = "SELECT FROM mail WHERE game_id = %s FOR UPDATE"

    with psycopg.connect(database.replace("+psycopg", "", 1)) as outside:
        outside.execute(hold, (other.id,))
        deletion.erase(leaver)
        outside.rollback()

    assert named(table.id) == []
    assert len(named(other.id)) == 3


def test_a_mail_of_an_older_process_may_name_anybody(
    inside: Flask, refusing: Sink
) -> None:
    table, other = seated.started(3), seated.started(3)
    send(other.id)
    run("UPDATE mail SET people = NULL")
    (leaver,) = on(table.id, 1)

    deletion.erase(leaver)

    assert rows.bodies(other.id) == []
