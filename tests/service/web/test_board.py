"""The castle is the board: one set of radio buttons, whose labels are its pieces."""

import re

import pytest

from engine.commands import Move, Placement
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor, asked, decision_form, moving, path_of

pytestmark = pytest.mark.usefixtures("inside")


def board(visitor: Visitor, table: Seated) -> str:
    """The page of whoever is asked, as HTML."""
    visitor.remember(table, asked(table))
    return visitor.get(path_of(table)).body.decode()


def test_who_may_move_is_chosen_in_the_castle_and_nowhere_else(
    visitor: Visitor,
) -> None:
    table = moving()
    page = board(visitor, table)

    legal = seated.own(table.game, asked(table)).legal
    may = [each.answer.character for each in legal if isinstance(each.answer, Move)]
    offered = re.findall(r'<input type="radio" name="character" value="(\w)"', page)
    assert sorted(offered) == sorted(may)
    assert page.count('id="castle"') == 1
    assert '<svg class="castle"' not in page
    assert page.count('<fieldset class="castle-board') == 1


def test_everybody_stands_on_the_floor_where_they_are(visitor: Visitor) -> None:
    table = moving()
    page = board(visitor, table)

    rows = re.findall(r'<div class="row row-(?:floor|throne)">(.*?)</div>', page, re.S)
    assert len(rows) == 7
    for floor, row in zip(range(5, -1, -1), rows[1:], strict=True):
        standing = re.findall(r'class="letter"[^>]*>(\w)<', row)
        assert standing == list(table.game.board.on(str(floor)))


def test_favourites_are_marked_for_their_owner_alone(visitor: Visitor) -> None:
    table = moving()
    page = board(visitor, table)

    own = seated.own(table.game, asked(table)).favourites
    marked = re.findall(r"(\w)</text></svg><span class=\"heart\"", page)
    assert sorted(marked) == sorted(own)
    assert (
        'class="heart"'
        not in Visitor(visitor.client.application).get(path_of(table)).body.decode()
    )


def test_a_character_is_placed_by_itself_and_a_free_place(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, asked(table))
    page = visitor.get(path_of(table))
    form = decision_form(page)

    legal = seated.own(table.game, asked(table)).legal
    placements = [each.answer for each in legal if isinstance(each.answer, Placement)]
    offered = form.choices()
    assert set(offered["character"]) == {each.character for each in placements}
    assert set(offered["place"]) == {each.place for each in placements}
    done = visitor.press(page, form, {"character": "D", "place": "4"})

    assert "You placed Dario" in done.text
    assert table.game.board.at["D"] == "4"


def test_in_an_election_the_castle_is_there_to_be_looked_at(visitor: Visitor) -> None:
    table = seated.in_election(3)
    page = board(visitor, table)

    assert page.count('<div class="castle-board') == 1
    assert 'name="character"' not in page
    assert page.index('name="card"') < page.index("castle-board")
    throne = re.search(r'<div class="row row-throne">(.*?)</div>', page, re.S)
    nominee = table.game.decision and table.game.decision.nominee
    assert throne
    assert f">{nominee}</text>" in throne[1]
