"""Practice explains each new thing once, at the first decision of its kind."""

import pytest
from flask import Flask

from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.practised import bots_step, practise
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor, asked, choices, moving, path_of

pytestmark = pytest.mark.usefixtures("inside")

LESSONS = ("What you want", "A move", "A vote", "The crown")


def told(page: Page) -> list[str]:
    body = page.body.decode()
    return [each for each in LESSONS if f"<summary>{each}</summary>" in body]


def test_each_thing_is_explained_once_and_the_same_however_often_it_is_read(
    app: Flask, visitor: Visitor
) -> None:
    page, table = practise(visitor)

    seen: list[str] = []
    while table.game.running:
        form = next((form for form in page.forms if form.radios), None)
        if form is None:
            bots_step(table)
        else:
            now = told(page)
            assert told(visitor.get(page.url)) == now
            assert not set(now) & set(seen)
            seen += now
            page = visitor.press(page, form, choices(form))
        page = visitor.get(path_of(table))

    assert seen[0] == LESSONS[0]
    assert set(LESSONS[:3]) <= set(seen)


def test_nothing_is_explained_where_a_game_is_no_practice(visitor: Visitor) -> None:
    table = moving()
    visitor.remember(table, asked(table))

    assert told(visitor.get(path_of(table))) == []


def test_a_vote_says_what_each_card_does_in_any_game(visitor: Visitor) -> None:
    table: Seated = seated.in_election(3)
    visitor.remember(table, 1)

    page = visitor.get(path_of(table))

    assert "comes back to your hand" in page.text
    assert "prevents a king, and is gone for this round" in page.text
