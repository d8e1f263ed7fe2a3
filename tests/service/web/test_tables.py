"""The host's page: sent, watched, changed, given up."""

import pytest
from flask import Flask

from service.store.people import Profile
from service.tables import seating
from service.tables.refusals import InvitationAnswer
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.service.visitor import (
    Visitor,
    choices,
    form_with,
    states,
    status,
    table_link,
)

pytestmark = pytest.mark.usefixtures("inside")


def test_nothing_chosen_sends_nothing(app: Flask, visitor: Visitor) -> None:
    link = table_link(seated.draft(3), 0, "table")
    page = visitor.get(link)
    before = seated.everything(app)

    answer = visitor.press(page, form_with(page, "send"))

    assert answer.status == 422
    assert "Nothing was chosen" in answer.text
    assert seated.everything(app) == before


def test_a_button_names_what_is_chosen(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    page = visitor.get(table_link(game_id, 0, "table"))
    (draft,) = form_with(page, "send").buttons
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 0, "table"))
    (seat,) = form_with(page, "correct").buttons

    # One of them is shown, by which choice is made.
    for label in ("Send the invitations", "Throw it away"):
        assert label in draft.label
    for label in ("Ask at the right address", "Give it to a bot", "Leave it open"):
        assert label in seat.label


def test_the_host_sends_the_invitations(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    page = visitor.get(table_link(game_id, 0, "table"))

    done = visitor.press(page, form_with(page, "send"), {"choice": "send"})

    assert done.status == 200
    assert "one mail to each of your friends" in page.text
    assert "You are in" in done.text
    assert "An invitation goes by mail to Simon and Terry" in done.text
    assert status(game_id) == "inviting"
    kinds = run("SELECT kind, seat FROM notice ORDER BY seat, kind")
    assert kinds == [("confirm", 0), ("invitation", 1), ("invitation", 2)]


def test_the_host_throws_a_draft_away(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    link = table_link(game_id, 0, "table")
    page = visitor.get(link)

    done = visitor.press(page, form_with(page, "discard"), {"choice": "discard"})

    assert "called off" in done.text
    assert status(game_id) == "over"
    assert run("SELECT 1 FROM notice WHERE kind = 'invitation'") == []
    assert "called off" in visitor.get(link).text


def test_a_host_among_bots_begins_at_once(visitor: Visitor) -> None:
    game_id = seated.draft(4, bots=3, first=0)
    page = visitor.get(table_link(game_id, 0, "table"))

    begun = visitor.press(
        page, form_with(page, "send"), {"choice": "send", "remember": "yes"}
    )

    assert "the game has begun" in begun.text
    assert "A mail comes with a link" in begun.text
    assert visitor.cookies() == {}
    form = next(form for form in begun.forms if form.radios)
    assert visitor.press(begun, form, choices(form)).status == 200


def test_a_promised_seat_is_given_to_a_bot(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 0, "table"))
    seat = next(f for f in page.forms if f.fields.get("seat") == "2")

    done = visitor.press(page, seat, {"choice": "bot"})

    assert done.status == 200
    assert states(game_id)[2] == ("Robot Uno", "steady", "joined")
    assert [f.fields.get("seat") for f in done.forms] == ["1", None]


def test_somebody_else_is_invited_to_a_seat_that_was_declined(
    visitor: Visitor,
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seating.respond(seated.link(game_id, 1), InvitationAnswer.NO, Profile("Simon"), "")
    page = visitor.get(table_link(game_id, 0, "table"))
    assert "no thanks" in page.text
    seat = next(f for f in page.forms if f.fields.get("seat") == "1")
    guest = {"choice": "guest", "name": "Paul", "address": "paul@example.org"}

    wrong = visitor.press(page, seat, {**guest, "address": "paul"})
    done = visitor.press(page, seat, guest)

    assert wrong.status == 422
    assert "“E-mail address” is no e-mail address." in wrong.text
    assert (
        next(f for f in wrong.forms if f.fields.get("seat") == "1").fields["address"]
        == "paul"
    )
    assert done.status == 200
    assert states(game_id)[1] == ("Paul", None, "invited")


def test_a_seat_that_is_taken_is_not_given_away(app: Flask, visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 0, "table"))
    seat = next(f for f in page.forms if f.fields.get("seat") == "1")
    seated.accept(game_id, 1)
    before = seated.everything(app)

    for number, code in (("1", 409), ("0", 409), ("7", 404), ("x", 409)):
        seat.fields["seat"] = number
        assert visitor.press(page, seat, {"choice": "bot"}).status == code

    assert seated.everything(app) == before


def test_the_host_gives_up_before_the_start_alone(app: Flask, visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = table_link(game_id, 0, "table")
    page = visitor.get(link)
    form = page.the_form("Call it off")
    before = seated.everything(app)
    assert visitor.press(page, form).status == 422
    assert seated.everything(app) == before

    done = visitor.press(page, form, {"choice": "yes"})

    assert "called off" in done.text
    assert status(game_id) == "over"


def test_a_choice_after_the_start_is_told_that_it_came_too_late(
    app: Flask, visitor: Visitor
) -> None:
    game_id = seated.draft(3)
    link = table_link(game_id, 0, "table")
    draft = visitor.get(link)
    old_form = form_with(draft, "discard")
    seated.confirm(game_id)
    table = visitor.get(link)
    seat = next(f for f in table.forms if f.fields.get("seat") == "1")
    out = visitor.press(draft, old_form, {"choice": "discard"})
    for number in (1, 2):
        seated.accept(game_id, number)
    before = seated.everything(app)

    for page, form, choice, sentence in (
        (draft, old_form, "discard", "It was not thrown away."),
        (table, table.the_form("Call it off"), "yes", "It was not thrown away."),
        (table, seat, "bot", "nothing was changed"),
    ):
        late = visitor.press(page, form, {"choice": choice})
        assert late.status == 409
        assert "This game has begun" in late.text
        assert sentence in late.text
        assert "King's throne" in visitor.get(late.links[-3]).text, late.links

    assert (out.status, "was not thrown away" in out.text) == (409, True)
    assert seated.everything(app) == before


def test_invitations_sent_again_change_nothing(app: Flask, visitor: Visitor) -> None:
    game_id = seated.draft(3)
    page = visitor.get(table_link(game_id, 0, "table"))
    form = form_with(page, "send")
    visitor.press(page, form, {"choice": "send"})
    before = seated.everything(app)

    assert visitor.press(page, form, {"choice": "send"}).status == 200
    assert seated.everything(app) == before


def test_after_the_start_the_hosts_page_is_the_game(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = table_link(game_id, 0, "table")
    form = visitor.get(link).the_form("Call it off")
    for seat in (1, 2):
        seated.accept(game_id, seat)

    page = visitor.get(link)
    answer = visitor.press(page, form, {"choice": "yes"})

    assert "King's throne" in page.text
    assert answer.status == 409
    assert status(game_id) == "running"
