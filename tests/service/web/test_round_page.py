"""The page that keeps a round, and what a game's page tells when one is over."""

import re

import msgspec
import pytest
from flask import Flask

from engine.board import Board, Card, Seat
from engine.commands import Move, PlacementOption
from engine.deck import favourites
from engine.state import freeze
from service.present import nouns
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.seated import NAMES, Seated, run
from tests.rig.service.visitor import Visitor, link, path_of

pytestmark = pytest.mark.usefixtures("inside")

HEART = 'class="heart"'


def begun(seats: int = 3, **wish: object) -> Seated:
    return seated.started(seats, **{"placement": PlacementOption.RANDOM, **wish})


def arrange(table: Seated, **places: str) -> None:
    """Set the castle out anew: `_5="AB"` puts Alighiero and Beatrice on floor 5.

    Whoever isn't named is among the servants.
    """
    at = {c: key.lstrip("_") for key, letters in places.items() for c in letters}
    board = Board(dict.fromkeys(table.game.law.characters, "0") | at)
    game = msgspec.structs.replace(table.game, board=board)
    run(
        "UPDATE game SET snapshot = :s WHERE id = :g",
        {"s": freeze(game), "g": table.id},
    )


def crown(table: Seated, king: str) -> None:
    """Have somebody who stands with the Nobles crowned by everybody."""
    table.answer(table.game.asked()[0], Move(king))
    table.lay([Card.YES] * len(table.game.seats))
    table.resolve()


def held(table: Seated, seat: int) -> tuple[str, ...]:
    """The favourites of a seat in the round that is played."""
    game = table.game
    return favourites(game.card_of(Seat(seat), game.round))


def round_page(visitor: Visitor, table: Seated, number: int = 1) -> Page:
    return visitor.get(f"{path_of(table)}/rounds/{number}")


def panel(page: Page) -> str:
    """The words of the panel that tells of an end; empty without one."""
    found = re.search(
        r'<section class="panel ended">(.*?)</section>', source(page), re.S
    )
    return "" if found is None else words(found[1])


def source(page: Page) -> str:
    return page.body.decode()


def words(part: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", part).replace("&#39;", "'").split())


def test_a_round_keeps_its_castle_its_favourites_and_its_story(
    visitor: Visitor,
) -> None:
    table = begun()
    table.nominate()
    board = table.game.board
    table.lay([Card.YES] * 3)
    table.resolve()
    table.nominate()
    scored = table.game.scored[0]

    page = round_page(visitor, table)

    assert page.status == 200
    told = re.search(r'<desc id="castle-desc">(.*?)</desc>', source(page), re.S)
    assert told is not None
    for floor in ("throne", "5", "4", "3"):
        names = ", ".join(map(nouns.name_of, board.on(floor)))
        assert f": {names or 'nobody'}. " in told[1]
    for seat, card in enumerate(scored.favourites):
        part = source(page).split('<p class="owner">')
        mine = next(each for each in part[1:] if f"<bdi>{NAMES[seat]}</bdi>" in each)
        assert re.findall(r'aria-hidden="true">(\w)<', mine) == list(favourites(card))
        worth = [int(each) for each in re.findall(r'"worth">(\d+)<', mine)]
        assert sum(worth) == scored.points[seat]
        assert f"= {scored.points[seat]}</p>" in mine
    assert "began round 1" in page.text
    assert "Then all cards said Yes" in page.text


def test_a_round_that_is_not_scored_has_no_page(visitor: Visitor) -> None:
    table = begun(rounds=2)
    before = round_page(visitor, table).status
    table.play_round()

    found = [round_page(visitor, table, number).status for number in (0, 1, 2, 3)]

    assert before == 404
    assert found == [404, 200, 404, 404]


def test_the_rounds_of_a_game_for_its_players_are_hidden_from_others(
    app: Flask, visitor: Visitor
) -> None:
    table = begun(rounds=1, visibility="players")
    table.finish()
    player = Visitor(app)
    player.remember(table, 1)
    kept = f"{path_of(table)}/rounds/1"

    by_mail = visitor.get(link(table, 1, "game"))

    assert visitor.get(kept).status == 404
    assert player.get(kept).status == 200
    assert by_mail.status == 200
    assert kept not in by_mail.links
    assert kept in player.get(path_of(table)).links


def test_only_a_seat_sees_which_of_them_were_its_own(
    app: Flask, visitor: Visitor
) -> None:
    table = begun(rounds=2)
    table.play_round()
    player = Visitor(app)
    player.remember(table, 1)
    names = ", ".join(
        map(nouns.name_of, favourites(table.game.scored[0].favourites[1]))
    )

    mine, theirs = round_page(player, table), round_page(visitor, table)

    assert source(mine).count(HEART) == 6
    assert f"Your favourites: {names}." in source(mine)
    assert HEART not in source(theirs)
    assert "Your favourites" not in source(theirs)


def test_the_rounds_lead_to_each_other_and_to_their_game(visitor: Visitor) -> None:
    table = begun()
    table.finish()
    game = path_of(table)
    pages = {number: f"{game}/rounds/{number}" for number in (1, 2, 3)}

    beside = {
        number: set(visitor.get(path).links) & set(pages.values())
        for number, path in pages.items()
    }
    all_of_them = visitor.get(game).links

    assert beside == {1: {pages[2]}, 2: {pages[1], pages[3]}, 3: {pages[2]}}
    assert all(game in visitor.get(path).links for path in pages.values())
    assert set(pages.values()) <= set(all_of_them)


def test_the_33_of_a_round_is_told_with_the_sum_it_stands_for(
    visitor: Visitor,
) -> None:
    table = begun()
    table.play_round()
    table.play_round()
    king = next(c for c in table.game.law.characters if c not in held(table, 0))
    arrange(table, _5=king)
    crown(table, king)

    page = round_page(visitor, table, 3)

    assert table.game.scored[2].points[0] == 33
    assert "A sum of exactly 0 counts as 33 in this round." in page.text
    assert "0 + 0 + 0 + 0 + 0 + 0 = 0" in page.text


def test_a_crowned_jester_is_told_with_what_he_has_turned_round(
    visitor: Visitor,
) -> None:
    table = begun(edition="jester", rounds=2)
    own = held(table, 0)
    arrange(table, _5=f"J{own[0]}", _4=own[1])
    crown(table, "J")

    page = round_page(visitor, table)

    assert table.game.scored[0].points[0] == -9
    assert "9 in the castle, turned round by the king." in page.text
    assert "−5 − 4 + 0 + 0 + 0 + 0 = −9" in page.text
    assert "Everybody began with 20 points." in page.text


def test_a_game_tells_that_a_round_is_over_until_somebody_acts(
    visitor: Visitor,
) -> None:
    table = begun(placement=PlacementOption.CHOOSE, rounds=2)
    before = panel(visitor.get(path_of(table)))
    table.play_round()
    scored = table.game.scored[0]

    over = visitor.get(path_of(table))
    table.answer(
        table.game.asked()[0],
        seated.own(table.game, table.game.asked()[0]).legal[0].answer,
    )
    after = panel(visitor.get(path_of(table)))

    best = max(scored.points)
    assert (before, after) == ("", "")
    assert panel(over).startswith("Round 1 is over")
    assert f"with a score of {best}" in panel(over)
    totals = [int(each) for each in re.findall(r"(\d+) points", panel(over))]
    assert totals == sorted(scored.totals, reverse=True)
    assert f"{path_of(table)}/rounds/1" in over.links
    assert source(over).index("Round 1 is over") < source(over).index('id="castle"')


def test_a_bot_that_begins_the_next_round_hides_no_end(visitor: Visitor) -> None:
    table = begun(4, bots=3, placement=PlacementOption.CHOOSE)
    while table.game.round == 1 or table.game.asked() != (0,):
        table.play_until(0) if table.game.round > 1 else table.play_round()

    page = visitor.get(path_of(table))

    assert panel(page).startswith("Round 1 is over")


def test_the_last_page_tells_by_how_much_the_game_was_won(
    app: Flask, visitor: Visitor
) -> None:
    table = begun(rounds=1)
    own, other = held(table, 0), held(table, 1)
    alone = next(each for each in own if each not in (*other, *held(table, 2)))
    arrange(table, _5=alone)
    crown(table, alone)
    player = Visitor(app)
    player.remember(table, 0)

    theirs, mine = visitor.get(path_of(table)), player.get(path_of(table))

    assert table.game.totals == (10, 0, 0)
    assert "Rachel wins by 10 points." in panel(theirs)
    assert "The last round: its castle, favourites and story" in panel(theirs)
    assert source(mine).count(HEART) == 6
    assert HEART not in source(theirs)


def test_the_last_page_tells_what_broke_a_tie(visitor: Visitor) -> None:
    table = begun(6, rounds=1)
    own = held(table, 0)
    others = [each for seat in range(1, 6) for each in held(table, seat)]
    king = next(each for each in own if each in others)
    out = "".join(each for each in table.game.law.characters if each not in own)
    arrange(table, _5=king, out=out)
    crown(table, king)

    page, kept = visitor.get(path_of(table)), round_page(visitor, table)

    assert table.game.totals.count(10) > 1
    assert table.game.winners == (0,)
    for each in (page, kept):
        assert "Rachel wins: level on points with" in panel(each)
        counts = re.search(
            r"Favourites of the last round still in the castle: Rachel 6\b(.*?)\.",
            panel(each),
        )
        assert counts is not None
        level = [int(count) for count in re.findall(r"\d+", counts[1])]
        assert len(level) == table.game.totals.count(10) - 1
        assert all(count < 6 for count in level)


def test_a_game_that_was_called_off_has_no_end_to_tell(
    app: Flask, visitor: Visitor
) -> None:
    table = begun()
    table.play_round()
    seated.cancel(table.id, table.holder(0))
    player = Visitor(app)
    player.remember(table, 0)

    page = player.get(path_of(table))

    assert panel(page) == ""
    assert HEART not in source(page)
    assert round_page(visitor, table).status == 200
