"""Links and pages kept too long: they explain themselves, and change nothing."""

import random
import re
from datetime import timedelta

import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot, Move, Placement, PlacementOption
from engine.state import Kind
from service.game import time_up
from service.present import nouns
from service.store import clock
from tests.rig.browser import Form
from tests.rig.service import seated
from tests.rig.service.visitor import (
    Visitor,
    asked,
    choices,
    legal,
    link,
    moving,
    opened,
)

pytestmark = pytest.mark.usefixtures("inside")


def test_an_answer_sent_again_later_shows_no_cards_and_offers_nothing(
    app: Flask, visitor: Visitor
) -> None:
    table = moving()
    seat = asked(table)
    page, form = opened(visitor, link(table, seat))
    visitor.press(page, form, choices(form))
    while asked(table) != seat or table.game.election_complete:
        table.step(random.Random(3))
    before = seated.everything(app)

    again = visitor.press(page, form, choices(form))

    assert again.status == 200
    assert "eyes only" not in again.text
    assert not any(form.radios for form in again.forms)
    assert seated.everything(app) == before


def test_a_link_tells_its_seat_what_it_has_answered(visitor: Visitor) -> None:
    table = seated.started(3)
    path = link(table, asked(table))
    page, form = opened(visitor, path)
    visitor.press(page, form, {"character": "P", "place": "1"})

    later = visitor.get(path)

    assert "You answered: Piero, Craftsmen." in later.text
    table.answer(asked(table), Placement("A", "1"))
    again = visitor.press(page, form, {"character": "P", "place": "1"})
    assert again.status == 200
    assert "You answered: Piero, Craftsmen." in again.text


def test_a_link_says_of_a_ballot_only_that_it_is_laid(visitor: Visitor) -> None:
    table = seated.in_election(3)
    path = link(table, 1)
    page, form = opened(visitor, path)
    visitor.press(page, form, {"card": "no"})
    assert "is laid" not in visitor.get(path).text
    for seat in (0, 2):
        table.answer(seat, Ballot(Card.YES))
    table.resolve()
    table.step(random.Random(3))

    for later in (visitor.get(path), visitor.press(page, form, {"card": "no"})):
        assert "Your card is laid." in later.text
        assert "you laid" not in later.text


def test_a_link_says_nothing_of_what_the_clock_did(app: Flask) -> None:
    table = seated.started(3)
    seat = asked(table)
    path = link(table, seat)
    clock.shift(timedelta(days=2))
    time_up.run_out(table.id, table.decision)

    assert "You answered" not in Visitor(app).get(path).text


def test_a_page_kept_from_an_old_turn_does_nothing(
    app: Flask, visitor: Visitor
) -> None:
    table = moving()
    seat = asked(table)
    path = link(table, seat)
    page, form = opened(visitor, path)
    chosen = form.choices()["character"][-1]
    table.answer(seat, Move(form.choices()["character"][0]))
    while asked(table) != seat or table.game.election_complete:
        table.step(random.Random(3))
    before = seated.everything(app)

    answer = visitor.press(page, form, {"character": chosen})

    assert answer.status == 409
    assert f"You wanted to move {nouns.name_of(chosen)};" in answer.text
    assert f"{seated.NAMES[seat]} moved {first_moved(form)} up" in answer.text
    assert "Mail me a fresh link" in answer.text
    assert seated.everything(app) == before
    assert visitor.get(path).status == 200


def first_moved(form: Form) -> str:
    return nouns.name_of(form.choices()["character"][0])


def test_a_ballot_of_an_old_election_does_nothing(app: Flask, visitor: Visitor) -> None:
    table = seated.in_election(4)
    page, form = opened(visitor, link(table, 1))
    table.lay([Card.NO, Card.YES, Card.YES, Card.YES])
    table.resolve()
    table.nominate()
    before = seated.everything(app)

    answer = visitor.press(page, form, {"card": "no"})

    assert answer.status == 409
    assert "You wanted to lay No; that was not done." in answer.text
    assert "was refused" in answer.text
    assert seated.everything(app) == before


def test_a_page_kept_until_the_end_shows_the_result(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    page, form = opened(visitor, link(table, asked(table)))
    chosen = choices(form)
    table.finish()
    before = seated.everything(app)

    answer = visitor.press(page, form, chosen)

    assert answer.status == 409
    assert "The game is over" in answer.text
    assert re.search(r"wins!|share the victory!", answer.text)
    assert "Mail me a fresh link" not in answer.text
    assert seated.everything(app) == before


def test_a_link_dies_with_its_seat(app: Flask, visitor: Visitor) -> None:
    table = seated.in_election(3)
    path = link(table, 1)
    page, form = opened(visitor, path)
    other = seated.person_on(seated.started(3).id, 1)
    seated.run(
        "UPDATE seat SET person_id = :p WHERE game_id = :g AND number = 1",
        {"p": other, "g": table.id},
    )
    before = seated.everything(app)

    answer = visitor.press(page, form, {"card": "yes"})

    assert answer.status == 409
    assert "Somebody else plays on this seat now." in visitor.get(path).text
    assert seated.everything(app) == before


def test_a_stale_link_mails_a_fresh_one_at_most_once_an_hour(
    app: Flask, visitor: Visitor
) -> None:
    table = moving()
    seat = asked(table)
    path = link(table, seat)
    table.answer(seat, legal(table)[0].answer)
    while asked(table) != seat or table.game.election_complete:
        table.step(random.Random(3))
    page = visitor.get(path)
    before = seated.run("SELECT count(*) FROM notice")[0][0]

    for _ in range(3):
        assert visitor.press(page, page.the_form("fresh link")).status == 200

    fresh = seated.run(
        "SELECT seat, kind, decision FROM notice WHERE key LIKE '%fresh%'"
    )
    assert table.game.decision is not None
    kind = "election" if table.game.decision.kind is Kind.ELECTION else "your_turn"
    assert fresh == [(seat, kind, table.decision)]
    assert seated.run("SELECT count(*) FROM notice")[0][0] == before + 1


def test_a_fresh_link_is_mailed_only_to_a_seat_that_is_asked(
    visitor: Visitor,
) -> None:
    table = moving()
    path = link(table, asked(table))
    table.answer(asked(table), legal(table)[0].answer)
    page = visitor.get(path)

    assert page.form("fresh link") is None
    answer = visitor.fetch("POST", path, data={"do": "renew"})

    assert answer.status == 409
    assert seated.run("SELECT 1 FROM notice WHERE key LIKE '%fresh%'") == []
