"""My cards by mail on a game's page: behind the same gate as the hand."""

import pytest
from flask import Flask

from service.store import card_orders
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, link, opened, path_of

pytestmark = pytest.mark.usefixtures("inside")

ORDER, STOP = "Mail me my cards", "No more of these mails"


@pytest.fixture
def table() -> Seated:
    return seated.started(3)


def test_a_remembered_browser_orders_its_cards_and_ends_that(
    visitor: Visitor, table: Seated
) -> None:
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))

    told = visitor.press(page, page.the_form(ORDER), {})

    assert card_orders.seats(table.id) == {1}
    assert run("SELECT seat FROM notice WHERE kind = 'my_cards'") == [(1,)]
    visitor.press(told, told.the_form(STOP), {})
    assert card_orders.seats(table.id) == set()


def test_whoever_isnt_remembered_finds_no_such_form(
    app: Flask, visitor: Visitor, table: Seated
) -> None:
    assert ORDER not in visitor.get(path_of(table)).text
    assert ORDER not in visitor.get(link(table, 1)).text


def test_who_has_opened_their_cards_by_a_mailed_link_ticks_that_they_mean_it(
    visitor: Visitor, table: Seated
) -> None:
    (seat,) = table.game.asked()
    page, _form = opened(visitor, link(table, int(seat)))
    form = page.the_form(ORDER)

    unticked = visitor.press(page, form, {})
    assert unticked.status == 422
    assert card_orders.seats(table.id) == set()
    told = visitor.press(page, form, {"sure": "yes"})

    assert told.status == 200
    assert card_orders.seats(table.id) == {seat}
    assert visitor.press(told, told.the_form(STOP), {"sure": "yes"}).status == 200
    assert card_orders.seats(table.id) == set()


def test_a_link_whose_question_is_over_orders_nothing(
    visitor: Visitor, table: Seated
) -> None:
    (seat,) = table.game.asked()
    page, _form = opened(visitor, link(table, int(seat)))
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)

    told = visitor.press(page, page.the_form(ORDER), {"sure": "yes"})

    assert told.status == 409
    assert card_orders.seats(table.id) == set()


def test_the_form_of_another_seat_orders_nothing(
    app: Flask, visitor: Visitor, table: Seated
) -> None:
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    form = page.the_form(ORDER)
    other = Visitor(app)
    other.remember(table, 2)

    refused = other.press(page, form, {})

    assert refused.status == 403
    assert card_orders.seats(table.id) == set()
