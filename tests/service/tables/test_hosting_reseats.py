"""A seat that nobody took: given to a bot, or offered to somebody else."""

from uuid import UUID

import psycopg
import pytest
from flask import Flask

from service.store import invitations, links, tables
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import cancellation, seat_changes, seating
from service.tables.refusals import InvitationAnswer
from service.values.conflicts import AddressTwice, NameTaken, SeatTaken
from service.values.errors import Invalid, InvitationOver, NotFound
from tests.rig.service import held, seated
from tests.rig.service.seated import accept, decline, kinds, run, seats, status

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def table() -> UUID:
    """Rachel's table for four: Simon, Terry and Paul are invited."""
    game_id = seated.draft(4)
    seated.confirm(game_id)
    return game_id


def test_a_bot_takes_the_seat_of_whoever_declined(table: UUID) -> None:
    accept(table, 1)
    accept(table, 3)
    decline(table, 2)

    seat_changes.bot(table, 2, "steady")

    assert status(table) == "running"
    assert run("SELECT bot, person_id FROM seat WHERE number = 2") == [("steady", None)]


def test_somebody_else_is_asked_to_an_open_seat(table: UUID) -> None:
    old = seated.link(table, 2)
    seat_changes.guest(table, 2, "thomas@example.org", "Thomas")

    with pytest.raises(InvitationOver):
        seating.respond(old, InvitationAnswer.IN, Profile("Terry"), "")
    accept(table, 2, "Thomas")

    assert seats(table)[2] == (2, "Thomas", "joined")
    states = run("SELECT state FROM invitation WHERE seat = 2 ORDER BY created_at")
    assert states == [("withdrawn",), ("accepted",)]


def test_who_is_asked_anew_while_their_answer_waits_has_not_answered(
    table: UUID, inside: Flask, outside: psycopg.Connection
) -> None:
    old, host_id = seated.link(table, 2), seated.person_on(table, 0)
    token = links.add(old)

    def ask_anew() -> None:
        with inside.app_context(), transaction():
            invitations.withdraw(table, 2)
            invitations.add(table, host_id, tables.chairs(table)[2])

    found = held.while_held(
        inside,
        outside,
        "SELECT FROM game WHERE id = %(game)s FOR NO KEY UPDATE",
        {"game": table},
        lambda: seating.respond(old, InvitationAnswer.IN, Profile("Terry"), "", token),
        ask_anew,
    )

    assert isinstance(found, InvitationOver)
    assert seats(table)[2] == (2, "Terry", "invited")


def test_reseating_keeps_the_rules_of_inviting(table: UUID) -> None:
    decline(table, 3, InvitationAnswer.NEVER)

    for address, name, error in (
        ("simon@example.org", "Thomas", AddressTwice),
        ("rachel@example.org", "Thomas", AddressTwice),
        ("thomas@example.org", "Simon", NameTaken),
        ("nobody", "Thomas", Invalid),
    ):
        with pytest.raises(error):
            seat_changes.guest(table, 3, address, name)
    assert seats(table)[3] == (3, "Paul", "declined")
    seat_changes.guest(table, 3, "paul@example.org", "Paul")
    assert seats(table)[3] == (3, "Paul", "invited")


def test_a_seat_that_is_taken_is_given_to_nobody_else(table: UUID) -> None:
    accept(table, 1)

    for seat, error in ((0, SeatTaken), (1, SeatTaken), (4, NotFound), (-1, NotFound)):
        with pytest.raises(error):
            seat_changes.bot(table, seat, "steady")
        with pytest.raises(error):
            seat_changes.guest(table, seat, "thomas@example.org", "Thomas")


def test_whoever_is_asked_again_is_mailed_again_and_may_join_by_either_link(
    table: UUID,
) -> None:
    first = seated.link(table, 1)
    seat_changes.guest(table, 1, "thomas@example.org", "Thomas")
    with pytest.raises(InvitationOver):
        seating.respond(first, InvitationAnswer.IN, Profile("Simon"), "")

    seat_changes.guest(table, 1, "simon@example.org", "Simon")

    assert kinds(table).count("invitation") == 5
    seating.respond(first, InvitationAnswer.IN, Profile("Simon"), "")
    assert seats(table)[1] == (1, "Simon", "joined")


def test_whoever_declines_twice_is_mailed_and_told_of_twice(table: UUID) -> None:
    seating.respond(seated.link(table, 1), InvitationAnswer.NO, Profile("Simon"), "")
    seat_changes.guest(table, 1, "simon@example.org", "Simon")

    seating.respond(seated.link(table, 1), InvitationAnswer.NO, Profile("Simon"), "")

    assert kinds(table).count("invitation") == 4
    assert kinds(table).count("declined") == 2


def test_a_table_called_off_tells_nobody_who_has_declined(table: UUID) -> None:
    seating.respond(seated.link(table, 1), InvitationAnswer.NO, Profile("Simon"), "")

    cancellation.give_up(table)

    assert kinds(table).count("called_off") == 2
