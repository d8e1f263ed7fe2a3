"""Very many games in the tests' database, each with all that its people have caused."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from flask import Flask

from service.auth import bearer
from service.people import accounts
from service.store import idempotency, tokens
from service.store.transactions import transaction
from service.tables import creation
from service.tables.creation import OpenSeat, TableWish
from service.values.principals import System
from tests.rig import crowded
from tests.rig.service import seated
from tests.rig.service.hosts import SIMON
from tests.rig.service.seated import run
from worker.outgoing import delivery


@contextmanager
def filled(app: Flask, database: str, running: int, others: int) -> Iterator[None]:
    """So many games run, beside `others` that are listed and over; and none after."""
    plain = database.replace("+psycopg", "", 1)
    try:
        with app.app_context():
            _others()
        crowded.multiply(plain, others)
        since = crowded.moment(plain)
        with app.app_context():
            _running()
        crowded.multiply(plain, running, since)
        yield
    finally:
        crowded.empty(plain)


def _running() -> None:
    """A game that goes on, with a mail and a notice that wait for their time."""
    table = seated.started(3, bots=1, first=0)
    table.answer(0, seated.own(table.game, 0).legal[0].answer)
    _mailed(table.id)
    run(
        """UPDATE mail SET state = 'retry', settled_at = NULL, body = 'a letter',
            people = ARRAY[person_id], claim_at = kingup_now() + interval '1 hour'
        WHERE id = (SELECT max(id::text)::uuid FROM mail WHERE game_id = :g)""",
        {"g": table.id},
    )
    run(
        """INSERT INTO notice (game_id, key, person_id, seat, kind, due_at)
        SELECT id, 'hourly', host_id, 0, 'result', kingup_now() + interval '1 hour'
        FROM game WHERE id = :g""",
        {"g": table.id},
    )


def _others() -> None:
    """A listed table, a listed game that is over, and somebody who signs in."""
    host = seated.person_on(seated.draft(3), 0)
    creation.open_table(host, "", TableWish((SIMON, OpenSeat()), visibility="listed"))
    over = seated.started(3, visibility="listed")
    seated.cancel(over.id, System())
    accounts.ask_to_sign_in("uwe@example.org", "192.0.2.1")
    with transaction():
        tokens.issue(host, "a program", bearer.SCOPES)
        idempotency.claim(host.bytes, "a key", b"what was asked")
    for (game_id,) in run("SELECT id FROM game"):
        _mailed(game_id)
    run("UPDATE mailed_code SET state = 'sent', settled_at = kingup_now()")


def _mailed(game_id: UUID) -> None:
    delivery.queue(game_id)
    run(
        "UPDATE mail SET state = 'sent', settled_at = kingup_now() WHERE game_id = :g",
        {"g": game_id},
    )
    telling = "UPDATE device SET told_at = kingup_now() WHERE game_id = :g"
    run(telling, {"g": game_id})
