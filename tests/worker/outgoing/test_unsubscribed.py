"""Whoever wants no mails of a game gets one last one, and their turns go on."""

import random
from datetime import timedelta
from email.parser import BytesHeaderParser
from uuid import UUID

import pytest
from flask import Flask

from service.game import time_up
from service.people import game_mails, remembered_browsers
from service.store import clock
from tests.rig.letters import Letter
from tests.rig.service import seated
from tests.rig.service.seated import PACE, Seated, run
from tests.rig.service.visitor import Visitor, link
from tests.rig.worker.mail_server import Sink, deliver_due, send


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app)


def unsubscribe(table: Seated, seat: int) -> None:
    game_mails.end(seated.link(table.id, seat, "unsubscribe"))


def mails(sink: Sink, game_id: UUID, seat: int) -> list[Letter]:
    send(game_id)
    deliver_due()
    name = seated.NAMES[seat].lower()
    return [letter for letter in sink.letters if letter.to.startswith(name)]


def test_every_mail_of_a_game_says_how_its_mails_end(
    sink: Sink, visitor: Visitor
) -> None:
    game_id = seated.draft(3)
    send(game_id)
    seated.confirm(game_id)
    send(game_id)
    send(seated.started(3).id)

    for letter in sink.letters:
        header = BytesHeaderParser().parsebytes(letter.raw)
        url = letter.ending
        assert header["List-Unsubscribe"].strip() == f"<{url}>"
        assert header["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert (url in letter.text, url in letter.html) == (True, True)
        assert visitor.get("/u/" + url.rpartition("/")[2]).status == 200
    assert len({letter.subject.split(":")[0] for letter in sink.letters}) >= 3


def test_a_mail_with_a_code_is_no_mail_of_a_game(app: Flask, sink: Sink) -> None:
    answer = app.test_client().post("/v1/sign-in", json={"address": "a@example.org"})
    assert answer.status_code == 202

    deliver_due()

    assert b"List-Unsubscribe" not in sink.raw[0]


def test_what_waits_is_not_sent_and_one_last_mail_tells(sink: Sink) -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])

    unsubscribe(table, seat)

    (last,) = mails(sink, table.id, seat)
    assert last.subject.startswith("No more mails of ")
    assert "your turns come as before" in last.text
    assert "/u/" in last.url
    others = [letter.to for letter in sink.letters if letter.to != last.to]
    assert len(others) == 2


def test_turns_go_on_by_the_clock_and_nothing_is_mailed(sink: Sink) -> None:
    table = seated.started(3, spare=0)
    seat = int(table.game.asked()[0])
    unsubscribe(table, seat)
    number = table.decision

    time_up.remind(table.id, number)
    assert len(mails(sink, table.id, seat)) == 1
    clock.shift(timedelta(seconds=PACE + 1))
    time_up.run_out(table.id, number)

    assert table.decision == number + 1
    assert len(mails(sink, table.id, seat)) == 1


def test_mails_come_again_when_they_are_wanted_again(sink: Sink) -> None:
    table = seated.started(3, placement="random", rounds=1)
    unsubscribe(table, 1)
    assert len(mails(sink, table.id, 1)) == 1

    game_mails.resume(seated.link(table.id, 1, "unsubscribe"))
    table.nominate()

    assert "Lay a card" in mails(sink, table.id, 1)[-1].text


def test_undone_in_time_the_last_mail_is_none(sink: Sink) -> None:
    table = seated.started(3)
    unsubscribe(table, 2)
    game_mails.resume(seated.link(table.id, 2, "unsubscribe"))

    subjects = [letter.subject for letter in mails(sink, table.id, 2)]

    assert not [each for each in subjects if each.startswith("No more mails")]


def test_undoing_brings_the_question_that_is_open(sink: Sink, visitor: Visitor) -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    unsubscribe(table, seat)
    mails(sink, table.id, seat)
    path = link(table, seat, "unsubscribe").replace("/d/", "/u/")
    page = visitor.get(path)

    visitor.press(page, page.the_form("Mail me again"), {"mails": "game"})

    assert len(mails(sink, table.id, seat)) == 2


def test_what_is_asked_for_on_a_page_comes_all_the_same(
    sink: Sink, visitor: Visitor
) -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    old = link(table, seat, decision=table.decision)
    unsubscribe(table, seat)
    table.step(random.Random(1))
    table.play_until(seat)
    page = visitor.get(old)

    visitor.press(page, page.the_form("Mail me a fresh link"))
    remembered_browsers.ask(table.id, seated.person_on(table.id, seat), seat)

    assert len(mails(sink, table.id, seat)) == 3


@pytest.mark.parametrize("seat", [0, 2])
def test_nobody_else_misses_a_mail_for_it(sink: Sink, seat: int) -> None:
    table = seated.started(3, placement="random", rounds=1)
    unsubscribe(table, 1)
    mails(sink, table.id, 1)
    before = len(mails(sink, table.id, seat))

    table.nominate()

    assert len(mails(sink, table.id, seat)) == before + 1


def test_undoing_for_all_games_brings_the_open_question_of_each(
    sink: Sink, visitor: Visitor
) -> None:
    table, other = seated.in_election(3), seated.in_election(3)
    run(
        "UPDATE seat SET person_id = :p WHERE game_id = :g AND number = 1",
        {"p": seated.person_on(table.id, 1), "g": other.id},
    )
    game_mails.end(seated.link(table.id, 1, "unsubscribe"), everywhere=True)
    mails(sink, table.id, 1)
    before = len(mails(sink, other.id, 1))
    page = visitor.get(link(table, 1, "unsubscribe").replace("/d/", "/u/"))

    visitor.press(page, page.the_form("Mail me again"), {"mails": "all"})

    assert len(mails(sink, table.id, 1)) == before + 1
    assert len(mails(sink, other.id, 1)) == before + 2


def test_a_game_that_only_a_newer_process_can_read_is_mailed_again_all_the_same(
    sink: Sink,
) -> None:
    table = seated.in_election(3)
    unsubscribe(table, 1)
    run("UPDATE game SET snapshot_format = 9999 WHERE id = :g", {"g": table.id})

    game_mails.resume(seated.link(table.id, 1, "unsubscribe"))

    assert run("SELECT count(*) FROM unsubscribed") == [(0,)]
