"""A game's own page: for everybody, and for a device that a seat is remembered by."""

import random
import re
from collections.abc import Iterator

import msgspec
import pytest
from flask import Flask

from engine import views
from engine.board import Card
from engine.bots import BOTS
from engine.commands import Placement, PlacementOption
from engine.deck import favourites
from service import config, handlers
from service.app import create_app
from service.models import db
from service.principals import Bot, System
from tests.rig.browser import Form, Page
from tests.service import seated
from tests.service.seated import Seated
from tests.service.visitor import Visitor, asked, choices, link

OPEN = "Open my cards"


@pytest.fixture(autouse=True)
def inside(app: Flask) -> Iterator[None]:
    with app.app_context():
        yield


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app)


def path_of(table: Seated) -> str:
    return f"/g/{table.id}"


def decision_form(page: Page) -> Form:
    return next(form for form in page.forms if form.radios)


def test_a_spectator_sees_the_castle_and_nobodys_cards(visitor: Visitor) -> None:
    table = seated.in_election(3)

    page = visitor.get(path_of(table))

    assert page.status == 200
    assert "King's throne" in page.text
    assert "eyes only" not in page.text
    assert not any(form.radios for form in page.forms)


def test_a_remembered_device_sees_its_cards_and_acts_at_once(
    visitor: Visitor,
) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)

    page = visitor.get(path_of(table))
    done = visitor.press(page, decision_form(page), {"card": "no"})

    assert "For your eyes only" in page.text
    assert done.status == 200
    assert "You have laid No" in done.text
    assert table.game.ballots[1] is Card.NO


def test_a_remembered_device_opens_its_links_directly(visitor: Visitor) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)

    mine = visitor.get(link(table, 1))
    other = visitor.get(link(table, 2))

    assert "For your eyes only" in mine.text
    assert visitor.press(mine, decision_form(mine), {"card": "yes"}).status == 200
    assert "eyes only" not in other.text
    assert other.form(OPEN) is not None


def test_a_device_acts_for_its_own_seat_alone(app: Flask, visitor: Visitor) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    form = decision_form(page)
    stranger, other = Visitor(app), Visitor(app)
    other.remember(table, 2)
    before = seated.everything(app)

    for device in (stranger, other):
        assert device.press(page, form, {"card": "no"}).status == 403

    assert seated.everything(app) == before


def test_a_device_of_another_game_is_a_stranger(app: Flask, visitor: Visitor) -> None:
    mine, other = seated.in_election(3), seated.started(4)
    visitor.remember(mine, 1)
    token = visitor.cookies()[f"seat_{mine.id.hex}"]
    visitor.client.set_cookie(f"seat_{other.id.hex}", token)

    page = visitor.get(path_of(other))

    assert page.status == 200
    assert "eyes only" not in page.text


def test_a_form_without_its_mark_or_from_another_site_is_refused(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    form = decision_form(page)
    before = seated.everything(app)

    for nonce in ("", "forged"):
        answer = visitor.press(page, form, {"card": "no", "nonce": nonce})
        assert answer.status == 403
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert visitor.press(page, form, {"card": "no"}, headers=foreign).status == 403

    assert seated.everything(app) == before


def test_nothing_chosen_changes_nothing(app: Flask, visitor: Visitor) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    before = seated.everything(app)

    answer = visitor.press(page, decision_form(page))

    assert answer.status == 422
    assert "Nothing was chosen" in answer.text
    assert seated.everything(app) == before


def test_a_page_kept_from_an_old_turn_does_nothing(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.started(4, placement=PlacementOption.RANDOM)
    seat = asked(table)
    visitor.remember(table, seat)
    page = visitor.get(path_of(table))
    kept = decision_form(page)
    visitor.press(page, kept, choices(kept))
    while asked(table) != seat or table.game.election_complete:
        table.step(random.Random(3))
    before = seated.everything(app)

    last = {"character": kept.choices()["character"][-1]}
    answer = visitor.press(page, kept, last)

    assert answer.status == 409
    assert "that was not done" in answer.text
    assert "Since then" in answer.text
    assert decision_form(answer).fields["decision"] == str(table.decision)
    assert seated.everything(app) == before


def test_a_move_onto_a_full_floor_is_refused(app: Flask, visitor: Visitor) -> None:
    table = seated.started(3)
    for character in "ABCD":
        table.answer(asked(table), Placement(character, "4"))
    visitor.remember(table, asked(table))
    page = visitor.get(path_of(table))
    form = decision_form(page)
    assert "4" not in form.choices()["place"]
    before = seated.everything(app)

    answer = visitor.press(page, form, {"character": "E", "place": "4"})

    assert answer.status == 409
    assert "Nobody can be placed there: Dignitaries." in answer.text
    assert seated.everything(app) == before


@pytest.mark.parametrize(
    ("public_url", "secure"),
    [("http://localhost", False), ("https://kingup.example", True)],
)
def test_the_cookie_of_a_seat_is_for_our_pages_alone(
    settings: config.Config, database: str, public_url: str, secure: bool
) -> None:
    other = create_app(msgspec.structs.replace(settings, public_url=public_url))

    with other.app_context():
        response = other.test_client().post("/practice")
        db.engine.dispose()

    cookie = response.headers["Set-Cookie"]
    game_id = response.headers["Location"].removeprefix("/g/")
    assert cookie.startswith(f"seat_{game_id.replace('-', '')}=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert ("Secure" in cookie) is secure


def test_a_device_is_remembered_after_an_act_when_asked_to(visitor: Visitor) -> None:
    table = seated.in_election(3)
    page = visitor.get(link(table, 1))
    cards = visitor.press(page, page.the_form(OPEN))
    done = visitor.press(cards, decision_form(cards), {"card": "yes"})
    assert visitor.cookies() == {}

    kept = visitor.press(done, done.the_form("Remember this device"))

    assert kept.status == 200
    assert list(visitor.cookies()) == [f"seat_{table.id.hex}"]
    assert "You have laid Yes" in visitor.get(path_of(table)).text


def test_a_link_alone_does_not_have_a_device_remembered(
    app: Flask, visitor: Visitor
) -> None:
    path = link(seated.in_election(3), 1)
    before = seated.everything(app)

    answer = visitor.fetch("POST", path, data={"do": "remember", "nonce": "forged"})

    assert answer.status == 403
    assert visitor.cookies() == {}
    assert seated.everything(app) == before


def practise(visitor: Visitor) -> tuple[Page, Seated]:
    home = visitor.get("/")
    page = visitor.press(home, home.the_form("Play now"))
    rows = seated.run("SELECT id FROM game")
    return page, Seated(rows[-1][0])


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
    for result in table.game.scored:
        for points in result.points:
            assert str(points) in page.text
    with_link = visitor.get(path_of(table)).body
    assert b'http-equiv="refresh"' not in with_link


def bots_step(table: Seated) -> None:
    game = table.game
    if game.election_complete:
        return table.resolve()
    seat = next(seat for seat in game.asked() if game.seats[seat].kind == "bot")
    answer = BOTS["steady"](views.view(game, seat), random.Random(1))
    handlers.answer(table.id, Bot(seat), table.decision, answer)
    return None


def test_a_practice_page_looks_again_only_while_it_waits(visitor: Visitor) -> None:
    page, table = practise(visitor)
    refresh = b'<meta http-equiv="refresh" content="2">'

    for _ in range(8):
        waits = not any(form.radios for form in page.forms)
        assert (refresh in page.body) is waits
        assert (refresh in visitor.get(f"{page.url}?still=1").body) is False
        if waits:
            bots_step(table)
            page = visitor.get(path_of(table))
        else:
            page = visitor.press(
                page, decision_form(page), choices(decision_form(page))
            )


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
                page.body.decode().split(f"<h2>Round {scored.round}</h2>")[1],
                re.DOTALL,
            )
            assert row is not None
            assert re.findall(r'aria-hidden="true">(\w)<', row[0]) == list(
                favourites(card)
            )
            assert f'<td class="number">{scored.points[seat]}</td>' in row[0]


def test_a_game_that_was_called_off_says_so(visitor: Visitor) -> None:
    table = seated.started(3)
    handlers.cancel(table.id, System())

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
    handlers.remind(table.id, table.decision)

    after = visitor.get(path_of(table)).text

    assert "has laid a card" not in before
    assert after.count("has laid a card") == 1
