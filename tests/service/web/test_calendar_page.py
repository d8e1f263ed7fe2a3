"""A calendar made and ended on a page, for whoever has no program."""

import re

import pytest

from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.away import mailed_link
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor

pytestmark = pytest.mark.usefixtures("inside")

MAKE, ANEW, END = "Make an address", "Make a new address", "End my calendar"


@pytest.fixture
def table() -> Seated:
    return seated.started(3)


@pytest.fixture
def page(visitor: Visitor, table: Seated) -> Page:
    return visitor.get(f"{mailed_link(table)}?calendar")


def address(page: Page) -> str:
    """The address that a page shows."""
    (found,) = re.findall(r'value="\S+(/c/[a-z2-7]{26}\.ics)"', page.body.decode())
    return str(found)


def test_an_address_is_made_shown_once_and_ended(visitor: Visitor, page: Page) -> None:
    assert not run("SELECT 1 FROM calendar")

    made = visitor.press(page, page.the_form(MAKE))
    shown = address(made)
    assert visitor.get(shown).status == 200
    again = visitor.get(page.url)
    assert shown not in again.body.decode()
    assert "You have a calendar since" in again.text

    anew = visitor.press(again, again.the_form(ANEW))
    assert address(anew) != shown
    assert visitor.get(shown).status == 404

    form = anew.the_form(END)
    (button,) = [each for each in form.buttons if each.value == "end"]
    ended = visitor.press(anew, form, button=button)
    assert "You have a calendar since" not in ended.text
    assert visitor.get(address(anew)).status == 404


def test_a_link_that_is_over_makes_none(visitor: Visitor, page: Page) -> None:
    form = page.the_form(MAKE)
    run("UPDATE link SET created_at = created_at - interval '181 days'")

    refused = visitor.press(page, form)

    assert "This link is no longer good" in refused.text
    assert not run("SELECT 1 FROM calendar")


def test_a_form_without_the_pages_token_makes_none(
    visitor: Visitor, page: Page
) -> None:
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}

    refused = visitor.fetch("POST", page.url, headers, {"do": "make"})

    assert refused.status == 403
    assert not run("SELECT 1 FROM calendar")


def test_its_page_leads_back_to_the_game(table: Seated, page: Page) -> None:
    assert f"/g/{table.id}" in page.links
