"""The jester edition on pages: practice to its scores, WCs, and a crowned Jester."""

import random
import re
from importlib.resources import files

import msgspec
import pytest

from engine import views
from engine.board import Board, Card
from engine.bots import BOTS
from engine.commands import PlacementOption
from engine.editions import EDITIONS
from engine.state import freeze
from service.game import handlers
from service.values.principals import Bot
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import (
    Visitor,
    asked,
    decision_form,
    link,
    opened,
    path_of,
)

pytestmark = pytest.mark.usefixtures("inside")


def moving(seats: int = 3, **wish: object) -> Seated:
    chosen = {"placement": PlacementOption.RANDOM, "rounds": 1, **wish}
    return seated.started(seats, edition="jester", **chosen)


def arrange(table: Seated, **places: str) -> None:
    """Set the castle out anew: `_5="AB"` puts Alighiero and Beatrice on floor 5."""
    at = {c: key.lstrip("_") for key, letters in places.items() for c in letters}
    game = msgspec.structs.replace(table.game, board=Board(at))
    run(
        "UPDATE game SET snapshot = :s WHERE id = :g",
        {"s": freeze(game), "g": table.id},
    )


def bots_step(table: Seated, chance: random.Random) -> None:
    game = table.game
    if game.election_complete:
        return table.resolve()
    seat = next(seat for seat in game.asked() if game.seats[seat].kind == "bot")
    answer = BOTS["steady"](views.view(game, seat), chance)
    handlers.answer(table.id, Bot(seat), table.decision, answer)
    return None


def test_a_practice_game_with_the_jester_is_played_to_its_scores(
    visitor: Visitor,
) -> None:
    home = visitor.get("/")
    page = visitor.press(home, home.the_form("Play now with the Jester"))
    table, chance = Seated(run("SELECT id FROM game")[0][0]), random.Random(3)

    while table.game.running:
        form = next((form for form in page.forms if form.radios), None)
        if form is None:
            bots_step(table, chance)
            page = visitor.get(page.url)
        else:
            offered = {name: chance.choice(v) for name, v in form.choices().items()}
            page = visitor.press(page, form, offered)
            assert page.status == 200
    page = visitor.get(path_of(table))

    assert table.game.edition == "jester"
    assert re.search(r"wins!|share the victory!", page.text)
    assert "Everybody began with 20 points." in page.text
    again = visitor.press(page, page.the_form("Play again"))
    assert "With the Jester" in again.text


def test_what_all_began_with_is_told_once_whatever_the_rounds(
    visitor: Visitor,
) -> None:
    table = seated.started(3, rounds=2, edition="jester")
    table.finish()

    page = visitor.get(path_of(table))

    assert "Round 2" in page.text
    assert page.text.count("Everybody began with 20 points.") == 1


def test_a_move_out_of_a_wc_is_offered_and_told_as_one(visitor: Visitor) -> None:
    table = moving()
    arrange(table, wc3="O", _3="JA", _4="BCDE", _0="FGILMNP")

    page, form = opened(visitor, link(table, asked(table)))

    assert "Move a character one floor up, or out of the WC." in page.text
    assert "out of the WC to the Officers" in page.text
    seat = asked(table)
    assert "Move Odessa out of the WC to the Officers" in page.text
    done = visitor.press(page, form, {"character": "O"})
    assert "You moved Odessa out of the WC to the Officers." in done.text
    assert f"{seated.NAMES[seat]} moved Odessa out of the WC to the Officers" in (
        done.text
    )


def test_an_open_page_lists_every_card_of_the_edition(visitor: Visitor) -> None:
    table = moving()
    table.nominate()

    page = visitor.get(link(table, 0))

    assert "The cards of this game: Yes, No, and Stomachache." in page.text


def test_a_cancelled_election_is_told_with_the_cards(visitor: Visitor) -> None:
    table = moving()
    table.nominate()
    nominee = table.game.decision and table.game.decision.nominee
    table.lay([Card.YES, Card.STOMACHACHE, Card.NO])
    table.resolve()

    page = visitor.get(path_of(table))

    assert " was cancelled: " in page.news
    assert "back to the Nobles" in page.news
    assert table.game.board.at[str(nominee)] == "5"


def test_a_crowned_jester_is_explained_beside_the_scores(visitor: Visitor) -> None:
    table = moving()
    arrange(table, _5="J", _4="BCDE", _3="AFGI", _2="LMNO", _1="P")
    visitor.remember(table, asked(table))
    page = visitor.get(path_of(table))
    visitor.press(page, decision_form(page), {"character": "J"})
    table.lay([Card.YES] * 3)
    table.resolve()

    page = visitor.get(path_of(table))

    note = "When the Jester is king, all scores of the round turn round"
    assert page.text.count(note) >= 2
    scored = table.game.scored[0]
    for points, total in zip(scored.points, scored.totals, strict=True):
        assert points < 0
        assert f"−{-points} {str(total).replace('-', '−')}" in page.text


def test_a_vote_on_the_jester_tells_what_his_crown_would_do(visitor: Visitor) -> None:
    table = moving()
    arrange(table, _5="J", _4="BCDE", _3="AFGI", _2="LMNO", _1="P")
    seat = asked(table)
    visitor.remember(table, seat)
    page = visitor.get(path_of(table))
    done = visitor.press(page, decision_form(page), {"character": "J"})

    closed = Visitor(visitor.client.application).get(link(table, 1))

    view = views.view(table.game, seat)
    assert view.own
    standing = {c: seen.place.value for seen in view.places for c in seen.characters}
    worth = sum(standing[c] for c in view.own.favourites)
    assert "Put the Jester up for king" in page.text
    assert "You put the Jester up for king and took the crown." in done.text
    assert f"worth −{worth} if the Jester is crowned" in done.text
    for each in (done, closed):
        assert "Shall the Jester be king?" in each.text
        assert "When the Jester is king, all scores of the round turn" in each.text


def test_favourites_are_worth_what_the_nominee_on_the_throne_makes_them(
    visitor: Visitor,
) -> None:
    table = moving()
    arrange(table, _5="A", _4="BCDE", _3="JFGI", _2="LMNO", _1="P")
    seat = asked(table)
    visitor.remember(table, seat)
    page = visitor.get(path_of(table))
    done = visitor.press(page, decision_form(page), {"character": "A"})

    view = views.view(table.game, seat)
    assert view.own
    crowned = table.game.law.castle_points(view.board, view.own.favourites)
    assert f"worth {crowned} if Alighiero is crowned" in done.text
    assert "turn round" not in done.text


def test_every_character_of_an_edition_has_a_button_of_its_own() -> None:
    sheet = files("service").joinpath("static/kingup.css").read_text("utf-8")

    for law in EDITIONS.values():
        for letter in law.characters:
            assert f'.decide-move:has([value="{letter}"]:checked)' in sheet
            assert f".say-{letter}" in sheet


def test_a_bonus_has_a_column_of_its_own(visitor: Visitor) -> None:
    table = moving(7, bots=5, placement=PlacementOption.COMPENSATED)
    table.finish()

    body = visitor.get(path_of(table)).body.decode()

    head = re.search(r"<thead>(.*?)</thead>", body, re.S)
    assert head
    assert re.findall(r"<th[^>]*>([^<]+)</th>", head[1])[1:] == [
        "Points",
        "Bonus",
        "Total",
    ]
    bonus = [r.split("</td>")[0] for r in re.findall(r'"number">(\d</td>)', body)]
    assert bonus.count("3") >= 1
    assert sorted(table.game.scored[0].bonus) == [0] * 6 + [3]
