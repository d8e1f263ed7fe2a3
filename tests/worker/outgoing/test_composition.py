"""Composing: one mail for one person, whoever composes."""

import random
import threading
from contextlib import suppress
from datetime import timedelta
from uuid import UUID

import pytest
from flask import Flask

from engine.board import Card
from service.game import task_hints
from service.store import composition, event_log, outbox
from service.store.event_log import NoticeRow
from service.store.outbox import MailKey
from service.store.transactions import transaction
from service.tables import practice
from service.values.enums import ALONE, NoticeKind
from tests.rig import statements
from tests.rig.parts import wait_until
from tests.rig.service import hints, seated
from tests.rig.service.seated import run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, send
from worker.outgoing import delivery


def compose(game_id: UUID) -> tuple[MailKey, ...]:
    with transaction():
        return composition.compose(game_id, "king.example")


def test_scores_and_the_next_question_travel_in_one_mail(sink: Sink) -> None:
    table = seated.started(3, rounds=2)
    table.nominate()
    run("DELETE FROM notice")

    table.lay([Card.YES] * 3)
    table.resolve()
    send(table.id)

    assert sorted(sink.kinds()) == ["round_over", "round_over", "your_turn"]
    (first,) = [letter for letter in sink.letters if letter.notice == "your_turn"]
    assert "The scores of round 1:" in first.text
    assert first.text.startswith("It is your turn")


def test_a_turn_travels_with_the_start_that_was_not_sent_yet(sink: Sink) -> None:
    table = seated.started(3)
    run("DELETE FROM notice WHERE kind IN ('confirm', 'invitation')")
    before = set(compose(table.id))
    (seat,) = table.game.asked()
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)
    (following,) = table.game.asked()

    (mail,) = compose(table.id)
    send(table.id)

    assert mail in before
    assert sorted(sink.kinds()) == ["started", "your_turn"]
    (asked,) = [each for each in sink.letters if each.notice == "your_turn"]
    assert asked.text.startswith(f"It is your turn, {seated.NAMES[following]}")


@pytest.mark.parametrize("kind", ALONE)
def test_what_travels_alone_takes_nothing_along_and_is_taken_along_by_nothing(
    kind: NoticeKind,
) -> None:
    """Its link is good for that alone, and a question must not be lost behind it."""
    table = seated.started(3)
    run("DELETE FROM notice WHERE kind <> 'your_turn'")
    (seat,) = table.game.asked()
    person = run("SELECT person_id FROM notice")[0][0]
    compose(table.id)

    for number in (1, 2):
        row = NoticeRow(f"alone/{kind}/{number}", person, seat, kind, None, None)
        with transaction():
            event_log.notify(table.id, (row,))
        compose(table.id)
    row = NoticeRow("news", person, seat, NoticeKind.STARTED, None, None)
    with transaction():
        event_log.notify(table.id, (row,))
    compose(table.id)

    mailed = run(
        "SELECT array_agg(kind ORDER BY kind) FROM notice GROUP BY mail_id ORDER BY 1"
    )
    alone = ([kind],)
    assert sorted(mailed) == sorted((alone, alone, (["started", "your_turn"],)))


def test_a_mail_on_its_way_takes_up_nothing_more() -> None:
    table = seated.started(3)
    run("DELETE FROM notice WHERE kind IN ('confirm', 'invitation')")
    before = compose(table.id)
    with transaction():
        for mail in before:
            outbox.claim(mail, 10)
    (seat,) = table.game.asked()
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)

    (mail,) = compose(table.id)

    assert mail not in before


def test_a_mail_has_the_message_id_of_its_row_at_our_host() -> None:
    game_id = seated.draft(3)

    (mail,) = compose(game_id)

    assert run("SELECT message_id FROM mail") == [(f"<{mail.id}@king.example>",)]


def test_composing_again_finds_nothing() -> None:
    game_id = seated.draft(3)
    compose(game_id)

    again = compose(game_id)

    assert again == ()
    assert run("SELECT count(*) FROM mail") == [(1,)]


def test_composers_at_once_compose_each_notice_once(inside: Flask) -> None:
    table = seated.started(6)
    run("UPDATE notice SET mail_id = NULL; DELETE FROM mail")
    barrier = threading.Barrier(6)

    def race() -> None:
        with inside.app_context():
            barrier.wait()
            compose(table.id)

    racers = [threading.Thread(target=race) for _ in range(6)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()

    left = run("SELECT count(*) FROM notice WHERE mail_id IS NULL")
    shared = run(
        "SELECT count(*) FROM mail m WHERE NOT EXISTS"
        " (SELECT FROM notice n WHERE n.mail_id = m.id)"
    )
    assert left == [(0,)]
    assert shared == [(0,)]


def test_a_notice_without_a_task_hint_is_found_by_the_sweep(sink: Sink) -> None:
    game_id = seated.draft(3)
    run("UPDATE notice SET due_at = due_at - interval '1 minute'")

    delivery.sweep()

    assert rows.states(game_id) == {"sent": 1}
    assert sink.kinds() == ["confirm"]


def test_nobody_is_hinted_at_what_the_sweep_delivers(inside: Flask, sink: Sink) -> None:
    game_id = seated.draft(3)
    run("UPDATE notice SET due_at = due_at - interval '1 minute'")

    delivery.sweep()
    task_hints.send("last", "of all")

    wait_until(lambda: hints.waiting(inside, "last"), "the hint")
    assert rows.states(game_id) == {"sent": 1}
    assert hints.waiting(inside, task_hints.DELIVER) == []


def test_a_mail_without_a_task_hint_is_found_by_the_sweep(sink: Sink) -> None:
    game_id = seated.draft(3)
    compose(game_id)
    run("UPDATE mail SET claim_at = claim_at - interval '1 minute'")

    delivery.sweep()

    assert rows.states(game_id) == {"sent": 1}


def test_a_practice_game_mails_nothing(sink: Sink) -> None:
    game = practice.practise("Rachel")
    send(game.game_id)

    assert sink.raw == []


def test_a_mail_that_cannot_be_written_keeps_no_other_back(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    run("UPDATE notice SET kind = 'horoscope' WHERE kind = 'confirm'")

    with pytest.raises(LookupError):
        delivery.post(game_id)
    for mail in outbox.missed(0, 9).mails:
        with suppress(LookupError):
            delivery.deliver(mail)

    assert sorted(sink.kinds()) == ["invitation"] * 2
    ((state, attempts, wait),) = run(
        "SELECT state, attempts, claim_at - kingup_now() FROM mail"
        " WHERE settled_at IS NULL"
    )
    assert (state, attempts) == ("claimed", 1)
    assert wait > timedelta(0)


def test_mails_of_other_games_make_no_mail_dearer(
    sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated.started(3)
    chance = random.Random(1)
    for _ in range(30):
        send(table.id)
        table.step(chance)
    reader = seated.person_on(table.id, 1)
    run("ANALYZE")
    run(
        """INSERT INTO mail (id, person_id, game_id, message_id, state, settled_at)
        SELECT gen_random_uuid(), :p, :g, n::text, 'sent', kingup_now()
        FROM generate_series(1, 2000) n""",
        {"p": reader, "g": table.id},
    )

    with statements.explained(monkeypatch) as found:
        for _ in range(4):
            table.step(chance)
            send(table.id)

    of_mails = [each for each in found if each.statement.startswith("WITH mine")]
    assert of_mails
    assert max(each.most.rows for each in of_mails) < 200
