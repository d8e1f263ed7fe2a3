"""The rules as a page: complete, and reached from everywhere."""

import re

import pytest

from engine.editions import edition
from tests.service import seated
from tests.service.visitor import Visitor, asked, link, opened, table_link

pytestmark = pytest.mark.usefixtures("inside")


def test_the_rules_hold_the_figures_of_the_edition(visitor: Visitor) -> None:
    law = edition("classic")

    page = visitor.get("/rules")

    rows = dict(
        re.findall(r"<tr><th scope=\"row\">(.*?)</th>(.*?)</tr>", page.body.decode())
    )
    figures = {name: re.findall(r">([\d–]+)<", row) for name, row in rows.items()}
    assert figures["No cards for each"] == ["4", "3", "2", "2"]
    assert figures["Characters to place for each"] == ["4", "3", "2", "2"]
    assert figures["Left over, to the Servants"] == ["1", "1", "3", "1"]
    assert figures["King&#39;s throne"] == ["1", "10"]
    assert figures["Craftsmen"] == ["4", "1"]
    assert figures["Servants"] == ["–", "0"]
    assert len(figures) == 3 + len(law.places) - 1


@pytest.mark.parametrize(
    "sentence",
    [
        "exactly 0 in the third round gets 33",
        "more favourites of the last round still in the castle",
        "stays open for 24 hours, with a reminder at half time",
        "practice game for 5 minutes",
        "the clock lays Yes for everybody whose card is missing",
        "drawn by lot among all that are allowed",
        "Piero il Forestiero",
    ],
)
def test_the_rules_tell_what_decides_a_game(visitor: Visitor, sentence: str) -> None:
    assert sentence in visitor.get("/rules").text


def test_the_rules_are_one_link_away_from_everywhere(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    table = seated.started(3)
    path = link(table, asked(table))

    for page in (
        visitor.get("/"),
        visitor.get("/nowhere"),
        visitor.get("/new"),
        visitor.get(table_link(game_id, 1, "invitation")),
        visitor.get(path),
        opened(visitor, path)[0],
    ):
        assert "/rules" in page.links
    for page in (visitor.get(path), opened(visitor, path)[0]):
        assert page.links.count("/rules") == 2
