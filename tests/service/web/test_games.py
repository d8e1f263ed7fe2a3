"""A game's own page, from the table to the final scores."""

import re

import pytest
from flask import Flask

from engine import views
from engine.board import Card
from engine.commands import PlacementOption
from engine.deck import favourites
from service.game import time_up
from service.values.principals import System
from tests.rig.service import seated
from tests.rig.service.practised import bots_step, practise
from tests.rig.service.visitor import Visitor, choices, decision_form, link, path_of

pytestmark = pytest.mark.usefixtures("inside")


def test_a_spectator_sees_the_castle_and_nobodys_cards(visitor: Visitor) -> None:
    table = seated.in_election(3)

    page = visitor.get(path_of(table))

    assert page.status == 200
    assert "King's throne" in page.text
    assert "eyes only" not in page.text
    assert not any(form.radios for form in page.forms)


def test_a_practice_game_is_played_to_its_scores_by_its_page(
    visitor: Visitor,
) -> None:
    page, table = practise(visitor)

    for _ in range(200):
        form = next((form for form in page.forms if form.radios), None)
        if form is not None:
            page = visitor.press(page, form, choices(form))
            assert page.status == 200
        elif table.game.running:
            bots_step(table)
            page = visitor.get(page.url)
        else:
            break

    assert re.search(r"wins!|share the victory!", page.text)
    assert "Play again" in page.text
    body = page.body.decode()
    for result in table.game.scored:
        for points in result.points:
            assert str(points) in page.text
    assert "Round 1 of 1 · Classic" in page.text
    brought = table.game.law.castle_points(
        table.game.scored[0].board, views.view(table.game, None).rounds[0].favourites[0]
    )
    row = re.search(r"<bdi>Guest</bdi>(?:(?!</th>).)*row-medals.*?</th>", body, re.S)
    assert row
    worth = re.findall(r'"brought">(−?\d+)<', row[0])
    assert len(worth) == 6
    assert sum(int(points.replace("−", "-")) for points in worth) == brought
    stranger = Visitor(visitor.client.application).get(path_of(table))
    assert "Play again" not in stranger.text
    assert "Try it yourself against three bots" in stranger.text
    with_link = visitor.get(path_of(table)).body
    assert b'http-equiv="refresh"' not in with_link


def test_a_practice_page_looks_again_only_while_it_waits(visitor: Visitor) -> None:
    page, table = practise(visitor)
    address = path_of(table).encode()
    refresh = b'<meta http-equiv="refresh" content="2;url=' + address

    for _ in range(8):
        waits = not any(form.radios for form in page.forms)
        assert (refresh in page.body) is waits
        assert (refresh in visitor.get(f"{path_of(table)}?still=1").body) is False
        if waits:
            bots_step(table)
            page = visitor.get(path_of(table))
        else:
            page = visitor.press(
                page, decision_form(page), choices(decision_form(page))
            )


def test_a_practice_page_tells_a_spectator_whom_it_waits_for(
    app: Flask, visitor: Visitor
) -> None:
    page, table = practise(visitor)
    spectator = Visitor(app)
    person = re.compile(r"Waiting for\s+Guest\s*\.")

    seen = set()
    for _ in range(60):
        look = spectator.get(path_of(table))
        decision = table.game.decision
        if decision is None:
            break
        bots = "The bots are thinking." in look.text
        if decision.seat is None:
            assert "Waiting until every card is in." in look.text
            assert not bots
        else:
            assert bool(person.search(look.text)) is (decision.seat == 0)
            assert bots is (decision.seat != 0)
        seen.add(decision.seat == 0)
        form = next((form for form in page.forms if form.radios), None)
        if form is None:
            bots_step(table)
            page = visitor.get(path_of(table))
        else:
            page = visitor.press(page, form, choices(form))

    assert seen == {True, False}


def test_a_game_for_its_players_is_hidden_from_others(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.started(3, visibility="players")
    player = Visitor(app)
    player.remember(table, 1)

    assert visitor.get(path_of(table)).status == 404
    assert visitor.fetch("POST", path_of(table)).status == 404
    assert player.get(path_of(table)).status == 200
    assert visitor.get(link(table, 1, "game")).status == 200


def test_a_draft_is_shown_to_nobody_and_a_table_with_its_names(
    visitor: Visitor,
) -> None:
    game_id = seated.draft(3)
    hidden = visitor.get(f"/g/{game_id}")
    seated.confirm(game_id)

    page = visitor.get(f"/g/{game_id}")

    assert hidden.status == 404
    assert "has not begun yet" in page.text
    assert "Simon" in page.text
    assert "example.org" not in page.body.decode()


def test_the_last_page_tells_winners_rounds_and_favourites(visitor: Visitor) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    table.finish()
    game = table.game

    page = visitor.get(path_of(table))

    assert all(seated.NAMES[winner] in page.text for winner in game.winners)
    for scored in game.scored:
        assert f"Round {scored.round}" in page.text
        for seat, card in enumerate(scored.favourites):
            row = re.search(
                rf"<bdi>{seated.NAMES[seat]}</bdi><span class=\"row-medals\">.*?</tr>",
                page.body.decode().split(f">Round {scored.round}</a></h2>")[1],
                re.DOTALL,
            )
            assert row is not None
            assert re.findall(r'aria-hidden="true">(\w)<', row[0]) == list(
                favourites(card)
            )
            # Under the 33 rule the cell goes on: what it would have been.
            assert re.search(rf'<td class="number">{scored.points[seat]}<', row[0])


def test_the_last_page_ranks_the_players_before_all_else(visitor: Visitor) -> None:
    table = seated.started(4, placement=PlacementOption.RANDOM, rounds=1)
    table.finish()
    totals = table.game.totals

    page = visitor.get(path_of(table))

    body = page.body.decode()
    ranks = re.findall(
        r"class=\"rank\">(\d)</span>.*?<bdi>(\w+)</bdi>", body, re.DOTALL
    )
    points = [totals[seated.NAMES.index(name)] for _, name in ranks]
    winners = {seated.NAMES[winner] for winner in table.game.winners}
    assert points == sorted(totals, reverse=True)
    assert {name for rank, name in ranks if rank == "1"} == winners
    assert body.count('aria-label="winner"') == len(winners)
    assert body.index("The final standing") < body.index(">Round 1</a></h2>")
    assert ">crown<" not in body
    assert "New game" in page.text
    assert "Play again" not in page.text


def test_the_first_page_leads_back_to_a_running_game(
    app: Flask, visitor: Visitor
) -> None:
    over = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    over.finish()
    visitor.remember(over, 1)
    assert "Continue" not in visitor.get("/").text
    visitor.client.set_cookie(f"seat_{'0' * 32}", "nonsense")
    table = seated.started(3)
    visitor.remember(table, 1)

    page = visitor.get("/")

    assert "Continue your game" in page.text
    assert path_of(table) in page.links
    assert "Continue" not in Visitor(app).get("/").text


def test_a_game_that_was_called_off_says_so(visitor: Visitor) -> None:
    table = seated.started(3)
    seated.cancel(table.id, System())

    page = visitor.get(path_of(table))

    assert page.status == 200
    assert "The game was called off." in page.text


def test_a_name_cannot_turn_the_words_around_it(app: Flask, visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seated.accept(game_id, 1, "נעמי <b>")
    seated.accept(game_id, 2)

    body = visitor.get(f"/g/{game_id}").body.decode()

    assert "<b>נעמי" not in body
    assert "<bdi>נעמי &lt;b&gt;</bdi>" in body


def test_the_showing_lies_on_the_page_until_the_next_reveal(visitor: Visitor) -> None:
    table = seated.in_election(4)
    table.lay([Card.NO, Card.YES, Card.YES, Card.YES])
    table.resolve()
    first = visitor.get(path_of(table)).text
    table.nominate()
    table.lay([Card.YES, Card.NO, Card.YES, Card.YES])
    table.resolve()

    second = visitor.get(path_of(table)).text

    assert cards_told(first) == {"Rachel No, Simon Yes, Terry Yes, Paul Yes"}
    assert cards_told(second) == {"Rachel Yes, Simon No, Terry Yes, Paul Yes"}


def cards_told(text: str) -> set[str]:
    return set(re.findall(r"The cards: ([^.]*)\.", text))


def test_a_reminder_tells_who_has_laid_a_card(visitor: Visitor) -> None:
    table = seated.in_election(3)
    table.lay([Card.NO])
    before = visitor.get(path_of(table)).text
    time_up.remind(table.id, table.decision)

    after = visitor.get(path_of(table)).text

    assert "has laid a card" not in before
    assert after.count("has laid a card") == 1


def test_a_page_tells_since_when_and_until_when_somebody_is_asked(
    visitor: Visitor,
) -> None:
    table = seated.started(3)

    page = visitor.get(path_of(table))

    assert page.text.count("Until ") == page.text.count("Asked since ") == 1


def test_a_game_that_waits_for_ever_tells_since_when(visitor: Visitor) -> None:
    table = seated.started(3)
    seated.run("UPDATE game SET deadline = NULL WHERE id = :g", {"g": table.id})

    page = visitor.get(path_of(table))

    assert "Asked since " in page.text
    assert "Until " not in page.text
