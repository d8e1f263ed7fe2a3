"""Invitations on their page: in, no thanks, never again, or too late."""

import pytest
from flask import Flask

from service.store import opt_outs
from service.tables import cancellation, seat_changes
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


def test_joining_takes_one_answer_none_of_which_is_chosen(
    app: Flask, visitor: Visitor
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 1, "invitation"))
    form = page.the_form("Send my answer")
    before = seated.everything(app)

    answer = visitor.press(page, form)

    assert form.choices()["choice"] == ["in", "no", "never"]
    assert not any(radio.checked for radio in form.radios)
    assert form.fields["name"] == "Simon"
    assert form.fields["zone"] == "UTC"
    assert "remember" not in form.fields
    assert answer.status == 422
    assert "Choose one of the three." in answer.text
    assert seated.everything(app) == before


def test_the_last_one_in_starts_the_game(visitor: Visitor) -> None:
    game_id = seated.draft(3, first=2)
    seated.confirm(game_id)
    seated.accept(game_id, 1)
    page = visitor.get(table_link(game_id, 2, "invitation"))

    joined = {"choice": "in", "name": "Therese", "zone": "Europe/Paris"}
    begun = visitor.press(page, page.the_form("Send my answer"), joined)

    assert status(game_id) == "running"
    assert "the game has begun" in begun.text
    form = next(form for form in begun.forms if form.radios)
    assert visitor.press(begun, form, choices(form)).status == 200
    row = run(
        "SELECT name, zone, verified_at IS NOT NULL FROM person WHERE name = 'Therese'"
    )
    assert row == [("Therese", "Europe/Paris", True)]
    assert visitor.cookies() == {}


def test_an_invitation_names_who_else_is_at_the_table(visitor: Visitor) -> None:
    game_id = seated.draft(4)
    seated.confirm(game_id)

    page = visitor.get(table_link(game_id, 1, "invitation"))

    alone = seated.draft(2, edition="jester")
    seated.confirm(alone)
    nobody = visitor.get(table_link(alone, 1, "invitation"))

    assert "Also at the table" not in nobody.text
    assert "Also at the table: Terry and Paul" in page.text


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({}, "whoever leaves 3 placements or moves in a row to the clock, until they"),
        (
            {"misses": 1},
            "whoever leaves one placement or move to the clock, until they",
        ),
        ({"decision_time": None}, ""),
    ],
)
def test_an_invitation_says_when_a_bot_keeps_a_seat(
    visitor: Visitor, wish: dict[str, int | None], words: str
) -> None:
    game_id = seated.draft(3, **wish)
    seated.confirm(game_id)

    page = visitor.get(table_link(game_id, 1, "invitation"))

    assert words in page.text
    assert ("keeps the seat of whoever" in page.text) == bool(words)


def test_whoever_joins_early_waits_for_the_others(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 1, "invitation"))

    done = visitor.press(
        page,
        page.the_form("Send my answer"),
        {"choice": "in", "word": "luck", "remember": "yes"},
    )

    assert "You are in" in done.text
    assert "not answered yet" in done.text
    assert "A mail comes with a link" in done.text
    assert visitor.cookies() == {}
    assert bytes(run("SELECT word FROM seat WHERE number = 1")[0][0]) != b""


@pytest.mark.parametrize(
    ("changed", "code", "sentence"),
    [
        ({"name": " "}, 422, "“Your name” must not be empty."),
        ({"name": "Rachel"}, 409, "Another name at this table reads the same."),
        (
            {"word": "x" * 65},
            422,
            "“A word for the shuffle” must have 64 characters at most.",
        ),
    ],
)
def test_a_bad_answer_to_an_invitation_is_told_and_kept(
    visitor: Visitor, changed: dict[str, str], code: int, sentence: str
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 1, "invitation"))
    sent = {"choice": "in", "name": "Simone", "zone": "Asia/Tokyo", **changed}

    answer = visitor.press(page, page.the_form("Send my answer"), sent)

    assert answer.status == code
    assert sentence in answer.text
    returned = answer.the_form("Send my answer").sent({}, None)
    assert {name: returned[name] for name in sent} == sent
    assert states(game_id)[1] == ("Simon", None, "invited")


@pytest.mark.parametrize("choice", ["no", "never"])
def test_no_thanks_and_never_again(visitor: Visitor, choice: str) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = table_link(game_id, 1, "invitation")
    page = visitor.get(link)

    done = visitor.press(page, page.the_form("Send my answer"), {"choice": choice})

    assert done.status == 200
    assert states(game_id)[1][2] == "declined"
    assert len(run("SELECT 1 FROM opt_out")) == (choice == "never")
    assert run("SELECT count(*) FROM notice WHERE kind = 'declined'") == [(1,)]
    assert "You said no thanks" in visitor.get(link).text


def test_whoever_said_no_isn_t_told_what_became_of_the_table(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = table_link(game_id, 1, "invitation")
    page = visitor.get(link)
    visitor.press(page, page.the_form("Send my answer"), {"choice": "no"})

    cancellation.give_up(game_id)

    assert "You said no thanks" in visitor.get(link).text
    assert "called off" not in visitor.get(link).text


def test_an_invitation_that_is_over_explains_itself(
    app: Flask, visitor: Visitor
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = table_link(game_id, 1, "invitation")
    page = visitor.get(link)
    form = page.the_form("Send my answer")
    seat_changes.bot(game_id, 1, "steady")
    before = seated.everything(app)

    answer = visitor.press(page, form, {"choice": "in"})

    assert answer.status == 409
    assert "given the seat to somebody else" in answer.text
    assert visitor.get(link).status == 200
    assert seated.everything(app) == before


def test_no_page_of_a_guest_shows_an_address(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)

    page = visitor.get(table_link(game_id, 1, "invitation"))
    assert "Rachel" in page.text
    assert "example.org" not in page.body.decode()


def test_links_of_a_table_open_no_cards_once_it_has_begun(
    app: Flask, visitor: Visitor
) -> None:
    game_id = seated.draft(3)
    host = table_link(game_id, 0, "table")
    draft = visitor.get(host)
    seated.confirm(game_id)
    guest = table_link(game_id, 1, "invitation")
    invited = visitor.get(guest)
    for seat in (1, 2):
        seated.accept(game_id, seat)
    before = seated.everything(app)

    pages = (
        visitor.press(
            draft, form_with(draft, "send"), {"choice": "send", "remember": "yes"}
        ),
        visitor.press(
            invited, form_with(invited, "in"), {"choice": "in", "remember": "yes"}
        ),
    )

    assert all("eyes only" not in page.text for page in pages)
    assert visitor.cookies() == {}
    assert seated.everything(app) == before


@pytest.mark.parametrize("end", ["taken back", "called off", "begun"])
def test_never_again_is_heard_where_the_invitation_is_over(
    visitor: Visitor, end: str
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = table_link(game_id, 1, "invitation")
    match end:
        case "taken back":
            seat_changes.bot(game_id, 1, "steady")
        case "called off":
            cancellation.give_up(game_id)
        case _:
            seat_changes.bot(game_id, 1, "steady")
            seated.accept(game_id, 2)
    before = states(game_id)
    page = visitor.get(link)

    done = visitor.press(page, page.the_form("Never again"))

    assert done.status == 200
    assert "Never again, then" in done.text
    assert opt_outs.has("simon@example.org")
    assert states(game_id) == before
    assert "Never again" not in visitor.get(link).text


def test_who_is_in_is_offered_no_never_again_and_heard_with_none(
    visitor: Visitor,
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    link = table_link(game_id, 1, "invitation")
    page = visitor.get(link)
    form = page.the_form("Send my answer")
    seated.accept(game_id, 1)

    late = visitor.press(page, form, {"choice": "never"})

    assert late.status == 409
    assert "Never again" not in visitor.get(link).text
    assert not opt_outs.has("simon@example.org")
    assert states(game_id)[1][2] == "joined"
