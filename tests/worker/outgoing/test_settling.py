"""A mail waits until what happens has settled: what is answered by then asks nobody."""

from datetime import timedelta

import msgspec
import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from service import config
from service.game import pace, time_up
from service.store import clock
from tests.rig.service import seated, taken_back
from tests.rig.service.deadlines import deadline
from tests.rig.service.seated import Seated, run
from tests.rig.worker.mail_server import Sink, send

SETTLE = timedelta(minutes=2)
SOON = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def settles(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails wait for as long as where nothing else is said."""
    patient = msgspec.structs.replace(config.of(inside), mail_settle=120)
    monkeypatch.setitem(inside.config, "KINGUP", patient)


def started(**wish: object) -> Seated:
    """A running game of which all is told so far."""
    table = seated.started(3, **wish)
    run("UPDATE notice SET superseded_at = now()")
    return table


def in_election() -> Seated:
    """The same, and its first election has just been opened."""
    table = started(placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    run("UPDATE notice SET superseded_at = now() WHERE kind <> 'election'")
    return table


def readers(sink: Sink) -> list[str]:
    """To whom mails have come, by the names before their tags."""
    return sorted(letter.to.partition("+")[0] for letter in sink.letters)


def test_a_question_is_mailed_two_minutes_after_it_was_put(sink: Sink) -> None:
    table = in_election()

    clock.shift(SETTLE - SOON)
    send(table.id)
    assert readers(sink) == []
    clock.shift(2 * SOON)
    send(table.id)

    assert readers(sink) == ["rachel", "simon", "terry"]


def test_who_answers_by_then_is_asked_by_no_mail_and_the_others_are_all_the_same(
    sink: Sink,
) -> None:
    table = in_election()
    send(table.id)
    table.answer(1, Ballot(Card.YES))
    before = run("SELECT key, due_at FROM notice WHERE seat <> 1 ORDER BY key")

    clock.shift(SETTLE + SOON)
    send(table.id)

    assert readers(sink) == ["rachel", "terry"]
    again = run("SELECT key, due_at FROM notice WHERE seat <> 1 ORDER BY key")
    assert again == before


def test_what_is_taken_back_by_then_asks_nobody(sink: Sink) -> None:
    table = started()
    (seat,) = table.game.asked()
    table.answer(seat, taken_back.A4)
    (asked,) = table.game.asked()
    send(table.id)
    taken_back.take_back(table, int(seat), table.decision - 1)

    clock.shift(SETTLE + SOON)
    send(table.id)

    assert asked != seat
    assert readers(sink) == [seated.NAMES[seat].lower()]


def asked(table: Seated) -> str:
    """Whose turn it is, as in `readers`."""
    (seat,) = table.game.asked()
    return seated.NAMES[seat].lower()


def test_an_election_that_is_over_by_then_asks_nobody_and_mails_no_result_early(
    sink: Sink,
) -> None:
    table = in_election()
    send(table.id)
    table.lay([Card.YES, Card.YES, Card.NO])
    table.resolve()
    send(table.id)

    clock.shift(SETTLE + SOON)
    send(table.id)

    assert readers(sink) == [asked(table)]
    assert sink.kinds() == ["your_turn"]


def test_a_result_that_goes_along_with_no_question_is_mailed_hours_later_once(
    sink: Sink,
) -> None:
    table = in_election()
    send(table.id)
    table.lay([Card.YES, Card.YES, Card.NO])
    table.resolve()

    for _ in range(4):
        clock.shift(timedelta(hours=3))
        send(table.id)

    assert readers(sink) == ["rachel", "simon", "terry"]
    assert sorted(sink.kinds()) == ["result", "result", "your_turn"]


def test_a_result_and_what_it_leads_to_come_in_one_mail(sink: Sink) -> None:
    table = in_election()
    send(table.id)
    table.lay([Card.YES, Card.YES, Card.NO])
    table.resolve()
    send(table.id)
    (mover,) = table.game.asked()
    move = seated.own(table.game, mover).legal[0].answer
    table.answer(mover, move)

    clock.shift(SETTLE + SOON)
    send(table.id)

    [letter] = sink.letters
    assert readers(sink) == [asked(table)]
    assert letter.notice == "your_turn"
    assert "turned over" in letter.text


def test_a_reminder_is_mailed_at_once(sink: Sink) -> None:
    table = in_election()
    time_up.remind(table.id, table.decision)

    send(table.id)

    assert readers(sink) == ["rachel", "simon", "terry"]


def test_a_short_time_to_answer_is_hardly_touched(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = msgspec.structs.replace(config.of(inside), mail_settle=3600)
    monkeypatch.setitem(inside.config, "KINGUP", slow)
    now, hour = clock.now(), timedelta(hours=1)

    assert pace.mailed(now, now + hour).goes_on == now + hour / 16
    assert pace.mailed(now, now + hour).result == now + hour / 4
    assert pace.mailed(now, now + 24 * hour).goes_on == now + hour
    assert pace.mailed(now, None).goes_on == now + hour


def test_a_mail_that_settles_is_not_late(sink: Sink) -> None:
    table = seated.started(3)
    (seat,) = table.game.asked()
    run("UPDATE notice SET due_at = due_at + interval '2 hours'")
    before = deadline(table)

    clock.shift(timedelta(hours=2) + SETTLE + SOON)
    send(table.id)

    assert seated.NAMES[seat].lower() in readers(sink)
    assert deadline(table) == before
