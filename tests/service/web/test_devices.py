"""A device that is remembered for one seat of one game, and what others can do."""

import random

import msgspec
import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Placement, PlacementOption
from service import config
from service.app import create_app
from service.present import nouns
from tests.rig import apps
from tests.rig.service import seated
from tests.rig.service.visitor import (
    OPEN,
    Visitor,
    asked,
    choices,
    decision_form,
    link,
    path_of,
)

pytestmark = pytest.mark.usefixtures("inside")


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


def test_every_answer_of_a_remembered_device_is_confirmed_until_the_next_one(
    visitor: Visitor,
) -> None:
    table = seated.started(4, placement=PlacementOption.RANDOM)
    seat = asked(table)
    visitor.remember(table, seat)
    page = visitor.get(path_of(table))
    mover = decision_form(page).choices()["character"][0]

    done = visitor.press(page, decision_form(page), choices(decision_form(page)))

    place = table.game.law.place(table.game.board.at[mover])
    said = f"You moved {nouns.name_of(mover)} up to the {nouns.label_of(place)}."
    nominated = f"You put {nouns.name_of(mover)} up for king and took the crown."
    assert (nominated if place.key == "throne" else said) in done.text
    while asked(table) != seat or table.game.election_complete:
        table.step(random.Random(3))
    assert "You moved" not in visitor.get(done.url).text
    assert "You put" not in visitor.get(done.url).text


def test_nobody_else_is_told_what_a_device_has_done(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    done = visitor.press(page, decision_form(page), {"card": "no"})
    other = Visitor(app)
    other.remember(table, 2)

    assert "you laid No" in done.text
    for stranger in (Visitor(app), other):
        assert "you laid" not in stranger.get(done.url).text


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

    for form_token in ("", "forged"):
        answer = visitor.press(page, form, {"card": "no", "form_token": form_token})
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
    old_form = decision_form(page)
    visitor.press(page, old_form, choices(old_form))
    while asked(table) != seat or table.game.election_complete:
        table.step(random.Random(3))
    before = seated.everything(app)

    last = {"character": old_form.choices()["character"][-1]}
    answer = visitor.press(page, old_form, last)

    assert answer.status == 409
    assert "that was not done" in answer.text
    assert "moved" in answer.news
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
    apps.put_away(other)

    cookie = response.headers["Set-Cookie"]
    game_id = response.headers["Location"].removeprefix("/g/")
    assert cookie.startswith(f"seat_{game_id.replace('-', '')}=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert ("Secure" in cookie) is secure


def test_a_link_alone_does_not_have_a_device_remembered(
    app: Flask, visitor: Visitor
) -> None:
    path = link(seated.in_election(3), 1)
    before = seated.everything(app)

    answer = visitor.fetch(
        "POST", path, data={"do": "remember", "form_token": "forged"}
    )

    assert answer.status == 403
    assert visitor.cookies() == {}
    assert seated.everything(app) == before
