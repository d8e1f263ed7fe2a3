"""Somebody else for a kept seat, on pages: named, objected to, asked, and seated."""

import pytest
from flask import Flask

from engine.board import Seat
from service.store import links, opt_outs
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values import addresses
from service.values.enums import LinkPurpose
from tests.rig.browser import Page
from tests.rig.service import replaced, seated
from tests.rig.service.replaced import KEPT
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor, link, path_of

pytestmark = pytest.mark.usefixtures("inside")


def page_of(app: Flask, table: Seated, seat: int) -> tuple[Visitor, Page]:
    browser = Visitor(app)
    browser.remember(table, seat)
    return browser, browser.get(path_of(table))


def named(app: Flask, table: Seated, **wish: str) -> Page:
    """Seat 0 names somebody on the page of the game."""
    browser, page = page_of(app, table, 0)
    filled = {"address": replaced.fresh(), "name": "Nora", **wish}
    return browser.press(page, page.the_form("Name them"), filled)


def objecting(table: Seated, seat: int) -> str:
    row = LinkRow(
        LinkPurpose.REPLACEMENT, table.id, seated.person_on(table.id, seat), seat, None
    )
    with transaction():
        return f"/o/{links.add(row)}"


def test_somebody_is_named_on_the_page_and_the_table_sees_until_when(
    app: Flask,
) -> None:
    table = replaced.kept()

    done = named(app, table)

    assert done.status == 200
    assert "has named" in done.text
    assert done.form("Withdraw") is not None
    _, others = page_of(app, table, 2)
    assert "Nora" in others.text
    assert others.form("Object") is not None
    assert others.form("Name them") is None
    assert "@example.org" not in others.text


def test_what_is_wrong_with_it_is_said_on_the_page(app: Flask) -> None:
    table = replaced.kept()

    for wish, status in (
        ({"address": "nobody"}, 422),
        ({"name": "Terry"}, 409),
        ({"address": replaced.address_on(table, 0)}, 409),
    ):
        assert named(app, table, **wish).status == status


def test_an_objection_on_the_page_ends_it(app: Flask) -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh())
    browser, page = page_of(app, table, 2)

    done = browser.press(page, page.the_form("Object"))

    assert replaced.state(table) == "objected"
    assert "Somebody objected" in done.text


def test_who_plays_by_mail_objects_by_the_link_they_were_mailed(app: Flask) -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh(), called="Nora")
    browser, path = Visitor(app), objecting(table, 3)
    for _ in range(2):
        page = browser.get(path)
        assert (page.status, replaced.state(table)) == (200, "named")

    done = browser.press(page, page.the_form("Object"))
    again = browser.press(page, page.the_form("Object"))

    assert replaced.state(table) == "objected"
    assert (done.status, again.status) == (200, 404)
    assert "Nobody is named" in again.text


def test_a_link_to_object_is_dead_for_who_has_left(app: Flask) -> None:
    table = replaced.kept()
    path = objecting(table, KEPT)
    replaced.name(table, replaced.fresh())

    page = Visitor(app).get(path)

    assert page.form("Object") is None


def test_spectators_and_who_has_left_see_nothing_of_it(app: Flask) -> None:
    table = replaced.kept()
    replaced.name(table, replaced.fresh(), called="Nora")

    for page in (Visitor(app).get(path_of(table)), page_of(app, table, KEPT)[1]):
        assert page.status == 200
        assert "Nora" not in page.text
        for label in ("Name them", "Object", "Withdraw"):
            assert page.form(label) is None


def test_whoever_has_left_is_told_that_somebody_is_named_and_not_who(
    app: Flask,
) -> None:
    table = replaced.kept()
    mailed = link(table, KEPT)
    word = "Somebody else is named for it"

    def pages() -> list[Page]:
        mine = page_of(app, table, KEPT)[1]
        return [mine, Visitor(app).get(mailed)]

    assert not any(word in page.text for page in pages())
    replaced.name(table, replaced.fresh(), called="Nora")

    for page in pages():
        assert "A bot keeps your seat" in page.text
        assert word in page.text
        assert "Nora" not in page.text
    assert word not in Visitor(app).get(path_of(table)).text


def test_a_form_of_another_seat_names_nobody(app: Flask) -> None:
    table = replaced.kept()
    browser, _ = page_of(app, table, 2)
    _, page = page_of(app, table, 0)

    refused = browser.press(
        page, page.the_form("Name them"), {"address": replaced.fresh()}
    )

    assert refused.status == 403
    _, mine = page_of(app, table, 0)
    assert mine.form("Name them") is not None


def test_the_invitation_is_answered_on_its_page(app: Flask) -> None:
    table = replaced.kept()
    replaced.asked(table)
    browser, path = Visitor(app), f"/i/{replaced.mailed(table)}"

    page = browser.get(path)
    nothing = browser.press(page, page.the_form("Send my answer"))
    done = browser.press(
        page, page.the_form("Send my answer"), {"choice": "in", "name": "Nora"}
    )
    again = browser.get(path)

    assert "asks you to take over a seat" in page.text
    assert "A word for the shuffle" not in page.text
    assert nothing.status == 422
    assert "You play from the next round on" in done.text
    assert "For your eyes only" not in done.text
    assert "The seat is yours" in again.text
    table.play_round()
    assert not table.game.has_bot(Seat(KEPT))


def test_who_takes_a_seat_whose_cards_are_open_sees_them_at_once(app: Flask) -> None:
    table = replaced.kept()
    table.play_round()
    replaced.asked(table)
    browser, path = Visitor(app), f"/i/{replaced.mailed(table)}"
    page = browser.get(path)

    done = browser.press(
        page, page.the_form("Send my answer"), {"choice": "in", "name": "Nora"}
    )

    assert done.status == 200
    assert "For your eyes only" in done.text


@pytest.mark.parametrize("choice", ["no", "never"])
def test_no_thanks_on_the_page_ends_it(app: Flask, choice: str) -> None:
    table = replaced.kept()
    replaced.asked(table)
    browser, path = Visitor(app), f"/i/{replaced.mailed(table)}"
    page = browser.get(path)

    done = browser.press(page, page.the_form("Send my answer"), {"choice": choice})

    assert done.status == 200
    assert replaced.state(table) == "declined"
    assert "This invitation is over" in browser.get(path).text


@pytest.mark.parametrize("erased", [False, True])
@pytest.mark.parametrize("button", ["Send my answer", "Never again"])
def test_never_again_on_a_page_that_is_over_is_heard_whoever_has_named_them(
    app: Flask, button: str, erased: bool
) -> None:
    table, address = replaced.kept(), replaced.fresh()
    replaced.asked(table, address)
    browser, path = Visitor(app), f"/i/{replaced.mailed(table)}"
    page = browser.get(path)
    replaced.days_pass(table, 8)
    if erased:
        replaced.erase(table, 0)
    if button == "Never again":
        page = browser.get(path)

    done = browser.press(page, page.the_form(button), {"choice": "never"})

    assert done.status == 200
    assert "Never again, then" in done.text
    assert opt_outs.has(addresses.parse(address, "address").key)
