"""A host sees whom no invitation reaches, before the start, and nobody else does."""

from datetime import timedelta
from uuid import UUID

import pytest
from flask import Flask

from service.auth import bearer
from service.store import clock, invitations
from service.tables import seat_changes
from tests.rig.service import seated
from tests.rig.service.programs import Api
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor, table_link
from tests.rig.worker.mail_server import Sink, deliver_due, send

SIMON = "simon@example.org"
WORDS = "the mail did not arrive"


@pytest.fixture
def table(sink: Sink) -> UUID:
    """Rachel's table: Simon's address is none, Terry's is good."""
    sink.recipients[SIMON] = "550 5.1.1 who?"
    game_id = seated.draft(3)
    seated.confirm(game_id)
    send(game_id)
    return game_id


def test_whose_mail_is_refused_for_good_has_not_got_it(table: UUID) -> None:
    assert invitations.bounced(table) == {1}


def test_whose_mail_nobody_takes_for_days_has_not_got_it(sink: Sink) -> None:
    sink.recipients[SIMON] = "451 later"
    game_id = seated.draft(3)
    seated.confirm(game_id)
    send(game_id)
    before = invitations.bounced(game_id)
    clock.shift(timedelta(days=4, hours=1))

    deliver_due()

    assert not before
    assert invitations.bounced(game_id) == {1}


def test_whose_mail_came_back_has_not_got_it(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    send(game_id)
    before = invitations.bounced(game_id)

    run(
        "UPDATE mail SET bounced_at = kingup_now() WHERE person_id = :p",
        {"p": seated.person_on(game_id, 1)},
    )

    assert not before
    assert invitations.bounced(game_id) == {1}


def test_a_corrected_address_gets_a_mail_and_the_old_one_counts_no_more(
    table: UUID, sink: Sink
) -> None:
    seat_changes.correct(table, 1, "simone@example.org")
    send(table)

    assert invitations.bounced(table) == set()
    assert sink.letters[-1].to == "simone@example.org"
    assert seated.seats(table)[1] == (1, "Simon", "invited")


def test_the_host_reads_it_by_program_and_on_the_page_and_nobody_else_does(
    app: Flask, table: UUID
) -> None:
    api, path = Api(app), f"/v1/games/{table}"
    host = bearer.issue_token("rachel@example.org", "Rachel")
    guest = bearer.issue_token("terry@example.org", "Terry")
    visitor = Visitor(app)

    sent = api.get(f"{path}/invitations", host).json["invitations"]
    page = visitor.get(table_link(table, 0, "table"))

    assert [each["bounced"] for each in sent] == [True, False]
    assert page.text.count(WORDS) == 1
    assert api.get(f"{path}/invitations", guest).status_code == 403
    others = [
        api.get(path, guest).text,
        api.get(f"{path}/seats", guest).text,
        visitor.get(table_link(table, 2, "invitation")).text,
        Visitor(app).get(f"/g/{table}").text,
    ]
    assert not [text for text in others if "bounced" in text or WORDS in text]
