"""My cards by mail: for their owner alone, who has ordered them, and nowhere else."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from flask import Flask
from structlog.testing import capture_logs

from engine import views
from service.game import card_mails, table_acts, talk, time_up
from service.present import nouns
from service.values.lines import Line
from tests.rig.letters import Letter
from tests.rig.service import replaced, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, point_to, send

CANARY = "Kanarienvogel"


def started(**wish: object) -> Seated:
    """A running game of which all is told so far."""
    table = seated.started(3, **wish)
    run("UPDATE notice SET superseded_at = now()")
    return table


def ordered(table: Seated, seat: int = 1) -> None:
    card_mails.order(table.id, table.holder(seat))
    send(table.id)


def of_cards(sink: Sink) -> list[Letter]:
    """The mails that bring cards: their headers don't say so."""
    return [each for each in sink.letters if "Your favourites" in each.text]


def test_cards_come_at_once_to_whoever_orders_them_and_to_nobody_else(
    sink: Sink,
) -> None:
    table = started()

    ordered(table)

    (letter,) = sink.letters
    own = seated.own(table.game, 1)
    assert letter.to.startswith("simon+")
    for name in map(nouns.name_of, own.favourites):
        assert name in letter.text
        assert name in letter.html
    (line,) = re.findall("Your hand: .*", letter.text)
    assert sorted(re.findall("Yes|No", line)) == sorted(map(nouns.card_name, own.hand))


def test_subject_and_headers_name_nothing(sink: Sink) -> None:
    table = started()

    ordered(table)

    head = sink.raw[0].partition(b"\r\n\r\n")[0].decode()
    assert "Subject: A note from King Up!" in head
    names = (*seated.NAMES[:3], str(table.id), table.id.hex, "cards", "Reply-To")
    assert [name for name in names if name in head] == []


def test_each_round_makes_one_mail_however_often_it_is_ordered(sink: Sink) -> None:
    table = started(rounds=2)
    ordered(table)
    card_mails.stop(table.id, table.holder(1))
    ordered(table)
    assert len(of_cards(sink)) == 1

    table.play_round()
    send(table.id)

    first, second = of_cards(sink)
    assert "round 1" in first.text
    assert "round 2" in second.text


def test_what_is_no_longer_ordered_isnt_sent(sink: Sink) -> None:
    table = started(rounds=2)
    card_mails.order(table.id, table.holder(1))
    card_mails.stop(table.id, table.holder(1))
    send(table.id)

    table.play_round()
    send(table.id)

    assert of_cards(sink) == []


def test_cards_of_a_round_that_is_over_arent_sent(sink: Sink) -> None:
    table = started(rounds=2)
    card_mails.order(table.id, table.holder(1))

    table.play_round()
    send(table.id)

    (letter,) = of_cards(sink)
    assert "round 2" in letter.text


def test_while_a_bot_keeps_the_seat_no_cards_are_mailed(sink: Sink) -> None:
    table = started(rounds=2)
    card_mails.order(table.id, table.holder(1))
    table_acts.depart(table.id, table.holder(1), 1)

    send(table.id)
    table.play_round()
    send(table.id)

    assert of_cards(sink) == []


def test_who_comes_back_has_the_cards_of_that_round(sink: Sink) -> None:
    table = started(rounds=2)
    ordered(table)
    table_acts.depart(table.id, table.holder(1), 1)
    table.play_round()
    table_acts.come_back(table.id, table.holder(1), 1)

    send(table.id)

    assert ["round 2" in each.text for each in of_cards(sink)] == [False, True]


def test_who_has_the_seat_next_has_ordered_nothing(sink: Sink) -> None:
    table = seated.started(4, placement="random", rounds=3)
    card_mails.order(table.id, table.holder(replaced.KEPT))
    run("UPDATE notice SET superseded_at = now()")
    table_acts.depart(table.id, table.holder(replaced.KEPT), replaced.KEPT)

    replaced.answer(replaced.asked(table))
    table.play_round()
    send(table.id)

    assert seated.person_on(table.id, replaced.KEPT)
    assert not table.game.has_bot(replaced.KEPT)
    assert of_cards(sink) == []


def test_it_tells_nothing_that_the_next_mail_leaves_out(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    (seat,) = table.game.asked()
    other = table.holder((int(seat) + 1) % 3)
    talk.say(table.id, other, Line("Not Odessa!", None))

    ordered(table, int(seat))
    time_up.remind(table.id, table.decision)
    send(table.id)

    cards, reminder = sink.letters[-2:]
    assert "Your favourites" in cards.text
    assert "Not Odessa!" not in cards.text
    assert reminder.notice == "reminder"
    assert "Not Odessa!" in reminder.text


@contextmanager
def planted() -> Iterator[None]:
    """What everybody may know of their own hand bears a mark."""
    view = views.view

    def marked(*seen: Any, **more: Any) -> views.View:
        found = view(*seen, **more)
        if found.own is None:
            return found
        own = msgspec.structs.replace(found.own, favourites=(CANARY,))
        return msgspec.structs.replace(found, own=own)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(views, "view", marked)
        yield


def test_what_is_planted_in_a_hand_is_found_in_my_cards_and_nowhere_else(
    inside: Flask, sink: Sink
) -> None:
    table = started(rounds=2, placement="random")
    with capture_logs() as logged:
        with planted():
            ordered(table)
        table.play_round()
        sink.data += ["451 later"] * 3
        with planted():
            send(table.id)
            waiting = [bytes(body) for _id, body in rows.bodies(table.id)]
            run("UPDATE mail SET claim_at = kingup_now() WHERE settled_at IS NULL")
            send(table.id)
        table.finish()
        with planted():
            send(table.id)

    bearing = [raw for raw in sink.raw if CANARY.encode() in raw]
    assert len(bearing) == 2
    assert [body for body in waiting if CANARY.encode() in body] == bearing[1:]
    for raw in bearing:
        head, _, body = raw.partition(b"\r\n\r\n")
        assert CANARY.encode() not in head
        assert b"Your favourites" in body
    assert logged
    assert CANARY not in repr(logged)
    assert rows.bodies(table.id) == []
    assert CANARY not in repr(seated.everything(inside))


@pytest.fixture
def listening(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a mail server that offers to say what becomes of a mail is told."""
    lines: list[str] = []
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        line, _ = server.accept()
        with line, line.makefile("rwb") as stream:
            stream.write(b"220 ready\r\n")
            stream.flush()
            for heard in iter(stream.readline, b""):
                said = heard.decode().strip()
                lines.append(said)
                answer = {"EHLO": b"250-here\r\n250 DSN", "DATA": b"354 go on"}
                stream.write(answer.get(said[:4].upper(), b"250 kept") + b"\r\n")
                stream.flush()
                while said.upper() == "DATA" and heard != b".\r\n":
                    heard = stream.readline()
                if said.upper() == "DATA":
                    stream.write(b"250 kept\r\n")
                    stream.flush()

    threading.Thread(target=serve, daemon=True).start()
    point_to(inside, monkeypatch, f"smtp://127.0.0.1:{server.getsockname()[1]}")
    yield lines
    server.close()


def test_what_bounces_is_to_come_back_without_its_body(listening: list[str]) -> None:
    table = started()

    ordered(table)

    (sender,) = [line for line in listening if line.upper().startswith("MAIL FROM")]
    assert "RET=HDRS" in sender
    assert rows.states(table.id) == {"sent": 1}
