"""The rules as a page: complete, and reached from everywhere."""

import re

import pytest

from engine import deck
from engine.board import PlaceKind
from engine.editions import edition
from service.web.about import example_castle
from tests.rig.service import seated
from tests.rig.service.visitor import Visitor, asked, link, opened, table_link

pytestmark = pytest.mark.usefixtures("inside")


def figures(visitor: Visitor, edition_id: str) -> dict[str, list[str]]:
    """The tables of an edition: by the name of a line, its figures."""
    body = visitor.get("/rules").body.decode()
    section = re.search(rf'<section[^>]* id="{edition_id}">(.*?)</section>', body, re.S)
    assert section
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</th>(.*?)</tr>", section[1])
    return {name: re.findall(r">([^<>]+)</td>", row) for name, row in rows}


def test_the_rules_hold_the_figures_of_the_classic_edition(visitor: Visitor) -> None:
    rows = figures(visitor, "classic")

    assert rows["No cards for each"] == ["4", "3", "2", "2"]
    assert rows["Characters to place for each"] == ["4", "3", "2", "2"]
    assert rows["Left over, to the Servants"] == ["1", "1", "3", "1"]
    assert rows["King&#39;s throne"] == ["–", "1", "10"]
    assert rows["Craftsmen"] == ["1", "4", "1"]
    assert rows["Servants"] == ["0", "–", "0"]
    assert len(rows) == 3 + len(edition("classic").places) - 1


def test_the_rules_hold_the_figures_of_the_jester_edition(visitor: Visitor) -> None:
    rows = figures(visitor, "jester")

    assert rows["No cards for each"] == ["4", "4", "3", "2", "2", "2", "2"]
    assert rows["Characters to place for each"] == ["6", "4", "3", "2", "2", "1", "1"]
    assert rows["Left over, to the Servants"] == ["1", "1", "1", "3", "1", "6", "5"]
    assert rows["Evened out: a bonus of 3 for the last"] == ["–"] * 5 + ["1", "3"]
    assert rows["WC beside the Officers"] == ["–", "1", "0"]
    assert rows["Dungeon −3"] == ["–", "1", "−3"]
    assert len(rows) == 4 + len(edition("jester").places) - 1


@pytest.mark.parametrize(
    "sentence",
    [
        "A game has three rounds, unless the host has chosen one or two.",
        "each starts afresh: nobody stands where they stood",
        "Whoever begins to place begins the ascent, too.",
        "exactly 0 in the third round gets 33",
        "most favourites of the last round still in the castle",
        "stays open for 24 hours, unless the host chose another pace",
        "There is a reminder at half time and one near the end.",
        "Practice waits for you; it is erased a day after its last answer.",
        "the clock lays Yes for everybody whose card is missing",
        "drawn by lot among all that are allowed",
        "may stop the clock of a game 2 times, for up to 7 days each",
        "3 questions of a game may wait for a day longer",
        "your seats until you are back: for up to 21 days of yours a game",
        "on weekends that you keep free, nothing is to end that you are asked",
        "For one round at a time you may say what you would place",
        "whoever plays may name another person",
        "may propose, 2 times in a game, to end it without winners",
        "Piero il Forestiero",
        "Jester il Giullare",
        "goes back to the Officers, even as a fifth",
        "the election is cancelled, whatever else was laid",
        "first free one of Dungeon −3, Dungeon −2 and Dungeon −1",
        "The No cards of that vote are lost all the same.",
        "Everybody holds 1 Yes; how many",
        "Everybody holds 1 Yes and 1 Stomachache; how many",
        "lie open until the next vote, unless",
        "lie open as long as the game lasts, unless",
        "plus becomes minus, and minus plus",
        "Everybody begins with 20 points.",
        "There are 26 such cards: every character is on 12 of them",
        "nobody in the game gets that card again",
        "Whoever holds nothing but Yes is asked and waited for like anybody else.",
        "who put whom up for king and how that ended",
        "your favourites until the round is over",
        "or until the next vote, and then again when the round is over",
        "Without a clock it is never told.",
        "A Stomachache beats a No, and a No beats a Yes.",
        "where he takes one of the four places",
        "no dungeon and goes back to the Officers",
        "There is no other way in or out.",
        "for whatever reason it is 0",
        "After 14 days whoever plays may end a wait",
    ],
)
def test_the_rules_tell_what_decides_a_game(visitor: Visitor, sentence: str) -> None:
    assert sentence in visitor.get("/rules").text


@pytest.mark.parametrize("edition_id", sorted(example_castle.STANDING))
def test_an_example_castle_is_one_that_the_rules_allow(edition_id: str) -> None:
    law, board = edition(edition_id), example_castle.board(edition_id)

    assert set(board.at) == set(law.characters)
    for place in law.places:
        assert board.count(place.key) <= (place.capacity or len(law.characters))
        if place.kind is PlaceKind.ASIDE and board.count(place.key):
            assert board.count(place.beside) == law.place(place.beside).capacity
    assert frozenset(example_castle.FAVOURITES) in deck.CARDS


def test_each_edition_shows_a_castle_and_counts_six_favourites_in_it(
    visitor: Visitor,
) -> None:
    body, text = visitor.get("/rules").body.decode(), visitor.get("/rules").text

    assert (
        "Ernesto has just been crowned. Whoever holds the card with these six hearts"
        " gets 23 points: Beatrice 4, Clemente 1, Dario 3, Ernesto 10, Irina 0, and"
        " Odessa 5."
    ) in text
    assert (
        "gets 11 points: Beatrice 1, Clemente −2, Dario 0, Ernesto 10, Irina −3, and"
        " Odessa 5."
    ) in text
    assert body.count('<svg class="castle"') == 2
    assert body.count('<path class="heart"') == 2 * len(example_castle.FAVOURITES)
    assert len(body) < 150_000


def test_the_deck_is_as_even_as_the_rules_say() -> None:
    found = [sum({a, b} <= card for card in deck.CARDS) for a in "AD" for b in "AD"]

    assert len(deck.CARDS) == 26
    assert found == [12, 5, 5, 12]


def test_the_rules_show_the_cards_that_five_begin_a_round_with(
    visitor: Visitor,
) -> None:
    body = visitor.get("/rules").body.decode()

    hands = re.findall(
        r"begins a round with these:</p>\s*<p class=\"cards\">(.*)</p>", body
    )

    assert [re.findall(r"card-(\w+)", hand) for hand in hands] == [
        ["yes", "no", "no"],
        ["yes", "no", "no", "stomachache"],
    ]


def test_a_ruling_of_ours_is_marked_as_ours(visitor: Visitor) -> None:
    text = " ".join(visitor.get("/rules").text.split())

    for ruling in (
        "Throne and Servants count as in the castle.",
        "Still level: they share the victory.",
        "Totals may fall below zero.",
        "until it has fewer than four again.",
        "No Jester turns these 3 points round.",
        "A card that is laid stays laid.",
    ):
        assert re.search(rf"{re.escape(ruling)} ours\b", text)


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
        assert "/rules#classic" in page.links


def test_every_link_within_the_rules_leads_to_a_heading(visitor: Visitor) -> None:
    page = visitor.get("/rules")

    inside = [each[1:] for each in page.links if each.startswith("#")]

    assert {"vote", "classic", "jester"} <= set(inside)
    for anchor in inside:
        assert f'id="{anchor}"' in page.body.decode()
