"""Leaving a game on its page, and coming back to it."""

import pytest
from flask import Flask

from engine.board import Seat
from engine.commands import PlacementOption
from service.game import table_acts
from tests.rig.browser import Form, Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import (
    Visitor,
    asked,
    choices,
    decision_form,
    link,
    opened,
    path_of,
)

pytestmark = pytest.mark.usefixtures("inside")

LEAVE, BACK = "Leave this game", "Come back"


def forms(page: Page, button: str) -> list[Form]:
    return [f for f in page.forms if any(b.label == button for b in f.buttons)]


def leave(table: Seated, seat: int) -> None:
    table_acts.depart(table.id, table.holder(seat), seat)


def test_a_seat_is_left_on_the_page_of_its_game(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))

    done = visitor.press(page, page.the_form(LEAVE), {"sure": "yes"})

    assert done.status == 200
    assert table.game.has_bot(Seat(1))
    assert "You can come back when this round is over." in done.text
    assert "A bot keeps" in done.text
    assert "For your eyes only" not in done.text


def test_who_leaves_in_the_last_round_is_told_that_there_is_no_way_back(
    visitor: Visitor,
) -> None:
    table = seated.started(3, rounds=1)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))

    done = visitor.press(page, page.the_form(LEAVE), {"sure": "yes"})

    assert "there is no way back" in page.text
    assert "it plays the game to its end" in done.text


def test_nobody_leaves_by_a_button_alone(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))

    done = visitor.press(page, page.the_form(LEAVE))

    assert done.status == 422
    assert not table.game.has_bot(Seat(1))


def test_spectators_and_who_has_left_see_no_way_to_leave(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.started(3)
    leave(table, 1)
    visitor.remember(table, 1)

    for browser in (visitor, Visitor(app)):
        assert forms(browser.get(path_of(table)), LEAVE) == []


def test_who_left_comes_back_with_one_button_once_the_round_is_over(
    visitor: Visitor,
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    leave(table, 1)
    visitor.remember(table, 1)
    assert forms(visitor.get(path_of(table)), BACK) == []
    table.play_round()
    page = visitor.get(path_of(table))

    done = visitor.press(page, page.the_form(BACK))

    assert done.status == 200
    assert not table.game.has_bot(Seat(1))
    assert "For your eyes only" in done.text


def test_a_link_of_before_brings_its_person_back(visitor: Visitor) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    path = link(table, 1, decision=1)
    leave(table, 1)
    early = visitor.get(path)
    table.play_round()
    page = visitor.get(path)

    done = visitor.press(page, page.the_form(BACK))

    assert "A bot keeps your seat" in early.text
    assert forms(early, BACK) == []
    assert done.status == 200
    assert not table.game.has_bot(Seat(1))
    assert "A bot keeps your seat" not in done.text


def test_a_page_that_was_open_when_its_seat_was_left_says_so(visitor: Visitor) -> None:
    table = seated.started(3)
    seat = asked(table)
    cards, form = opened(visitor, link(table, seat))
    leave(table, seat)
    before = table.game.last_decision

    done = visitor.press(cards, form, {n: v[0] for n, v in form.choices().items()})

    assert done.status == 409
    assert "A bot keeps your seat" in done.text
    assert table.game.last_decision == before


def test_a_device_whose_seat_was_left_meanwhile_is_told_so(visitor: Visitor) -> None:
    table = seated.started(3)
    seat = asked(table)
    visitor.remember(table, seat)
    page = visitor.get(path_of(table))
    form = decision_form(page)
    leave(table, seat)
    before = table.game

    done = visitor.press(page, form, choices(form))

    assert done.status == 409
    assert "A bot keeps your seat." in done.text
    assert table.game == before


def test_the_story_tells_who_left_and_who_came_back(visitor: Visitor) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    leave(table, 1)
    table.play_round()
    table_acts.come_back(table.id, table.holder(1), 1)

    page = visitor.get(path_of(table))

    assert "A bot keeps" in page.text
    assert "is back." in page.text
