"""Taking a placement or move back on a page: with one tap, while it may be."""

import pytest
from flask import Flask

from engine.commands import Placement
from tests.rig.browser import Form, Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import (
    Visitor,
    asked,
    decision_form,
    link,
    opened,
    path_of,
)

pytestmark = pytest.mark.usefixtures("inside")

BACK = "Take it back"
PIERO = {"character": "P", "place": "1"}


def offers(page: Page) -> list[Form]:
    return [f for f in page.forms if any(b.label == BACK for b in f.buttons)]


def by_device(visitor: Visitor, **wish: object) -> tuple[Seated, int, Page]:
    """A table at which a remembered browser has just placed Piero."""
    table = seated.started(3, **wish)
    seat = asked(table)
    visitor.remember(table, seat)
    page = visitor.get(path_of(table))
    return table, seat, visitor.press(page, decision_form(page), PIERO)


def by_link(visitor: Visitor, **wish: object) -> tuple[Seated, int, str, Page]:
    """The same by a mailed link, with its path."""
    table = seated.started(3, **wish)
    seat = asked(table)
    path = link(table, seat)
    page, form = opened(visitor, path)
    return table, seat, path, visitor.press(page, form, PIERO)


def test_a_browser_takes_back_with_one_tap_and_is_asked_anew(visitor: Visitor) -> None:
    table, seat, done = by_device(visitor)

    back = visitor.press(done, done.the_form(BACK))

    assert back.status == 200
    assert "It is your turn" in back.text
    assert "took that back: Piero is not placed yet." in back.text
    assert (table.decision, asked(table)) == (3, seat)
    assert "P" not in table.game.board.at
    assert offers(back) == []
    again = visitor.press(back, decision_form(back), PIERO)
    assert "P" in table.game.board.at
    assert offers(again) == []


def test_a_link_takes_back_with_one_tap_and_its_seat_chooses_at_once(
    visitor: Visitor,
) -> None:
    table, seat, _, done = by_link(visitor)

    back = visitor.press(done, done.the_form(BACK))

    assert back.status == 200
    assert "You took that back." in back.text
    assert (table.decision, asked(table)) == (3, seat)
    visitor.press(back, decision_form(back), {"character": "A", "place": "4"})
    assert table.game.board.at["A"] == "4"


def test_the_link_offers_it_later_as_well_and_explains_itself_after(
    visitor: Visitor,
) -> None:
    table, seat, path, done = by_link(visitor)

    later = visitor.get(path)
    visitor.press(later, later.the_form(BACK))

    assert (table.decision, asked(table)) == (3, seat)
    over = visitor.get(path)
    assert "You took that answer back." in over.text
    assert "took that back: Piero is not placed yet." in over.text
    assert "You are asked again" in over.text
    assert offers(over) == []
    repeated = visitor.press(done, done.the_form(BACK))
    assert repeated.status == 200
    assert table.decision == 3


def test_an_old_page_that_answers_what_was_taken_back_is_told_so(
    visitor: Visitor,
) -> None:
    table = seated.started(3)
    seat = asked(table)
    path = link(table, seat)
    page, form = opened(visitor, path)
    done = visitor.press(page, form, PIERO)
    visitor.press(done, done.the_form(BACK))

    again = visitor.press(page, form, PIERO)

    assert again.status == 409
    assert "You took that answer back, and are asked anew: see question 3." in (
        again.text
    )
    assert "P" not in table.game.board.at


def test_the_next_seat_s_page_and_link_say_what_has_happened(
    app: Flask, visitor: Visitor
) -> None:
    table, _, done = by_device(visitor)
    other = asked(table)
    theirs = Visitor(app)
    path = link(table, other)
    page, form = opened(theirs, path)
    visitor.press(done, done.the_form(BACK))

    late = theirs.press(page, form, {"character": "A", "place": "4"})

    assert late.status == 409
    assert "took that back: Piero is not placed yet." in late.text
    assert "took that back: Piero is not placed yet." in theirs.get(path).text
    assert "A" not in table.game.board.at


def test_once_somebody_has_acted_it_is_offered_no_more_and_says_why(
    visitor: Visitor,
) -> None:
    table, _, path, done = by_link(visitor)
    table.answer(asked(table), Placement("A", "4"))

    late = visitor.press(done, done.the_form(BACK))

    assert late.status == 409
    assert "Somebody has acted since" in late.text
    assert offers(visitor.get(path)) == []
    assert table.game.board.at["P"] == "1"


def test_a_browser_that_comes_too_late_is_told_why(visitor: Visitor) -> None:
    table, _, done = by_device(visitor)
    table.answer(asked(table), Placement("A", "4"))

    late = visitor.press(done, done.the_form(BACK))

    assert late.status == 409
    assert "Somebody has acted since" in late.text
    assert offers(visitor.get(path_of(table))) == []


def test_nobody_else_is_offered_it(app: Flask, visitor: Visitor) -> None:
    table, seat, path, _ = by_link(visitor)
    other = Visitor(app)
    other.remember(table, (seat + 1) % 3)

    assert offers(other.get(path_of(table))) == []
    assert offers(Visitor(app).get(path_of(table))) == []
    assert offers(other.get(link(table, (seat + 1) % 3))) == []
    # Whoever holds the answered link has what it was mailed for, and may as well.
    assert offers(Visitor(app).get(path))


def test_a_nomination_is_not_offered_to_be_taken_back(visitor: Visitor) -> None:
    table = seated.in_election(3)
    decision = table.game.decision
    assert decision is not None
    visitor.remember(table, decision.mover or 0)

    assert offers(visitor.get(path_of(table))) == []


def test_in_a_game_without_it_there_is_nothing_to_press(visitor: Visitor) -> None:
    _, _, done = by_device(visitor, take_back=False)

    assert offers(done) == []


def test_a_form_from_elsewhere_takes_nothing_back(visitor: Visitor) -> None:
    table, _, done = by_device(visitor)
    form = done.the_form(BACK)

    refused = visitor.press(done, form, {"form_token": "x", "decision": "1"})

    assert refused.status == 403
    assert "P" in table.game.board.at


def test_a_line_that_went_with_it_is_marked(app: Flask, visitor: Visitor) -> None:
    table = seated.started(3)
    seat = asked(table)
    visitor.remember(table, seat)
    page = visitor.get(path_of(table))
    form = decision_form(page)
    done = visitor.press(page, form, {**PIERO, "line": "Up you go"})
    other = Visitor(app)
    other.remember(table, (seat + 1) % 3)
    assert "taken back" not in other.get(path_of(table)).text

    visitor.press(done, done.the_form(BACK))

    assert "Up you go taken back" in other.get(path_of(table)).text
