"""Repeats: the same bytes under the same Message-ID, or not at all."""

from uuid import UUID

import pytest
from flask import Flask

from engine.board import Card
from service.store import composition, outbox
from service.store.outbox import ClaimedMail, MailState
from service.store.transactions import transaction
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, deliver_due, point_to, send
from worker.outgoing import delivery


def come_back() -> None:
    """Let every lease and every pause be over."""
    run("UPDATE mail SET claim_at = kingup_now() WHERE settled_at IS NULL")


def begin_sending(game_id: UUID) -> tuple[str, bytes]:
    """What a worker leaves that dies while it sends: Message-ID and bytes."""
    with transaction():
        (mail_id,) = composition.compose(game_id, "king.example")
        assert delivery._prepare(mail_id) is not None
    (body,) = rows.bodies(game_id)
    return body


def test_a_worker_that_died_while_sending_is_repeated_byte_by_byte(sink: Sink) -> None:
    game_id = seated.draft(3)
    message_id, body = begin_sending(game_id)
    come_back()

    deliver_due()

    assert sink.raw == [body]
    assert sink.letters[0].message_id == message_id
    assert rows.states(game_id) == {"sent": 1}
    assert rows.bodies(game_id) == []


@pytest.mark.usefixtures("inside")
def test_the_database_packs_no_bytes_that_are_kept_for_a_moment() -> None:
    how = "attrelid = 'mail'::regclass AND attname = 'body'"

    assert run(f"SELECT attstorage FROM pg_attribute WHERE {how}") == [("e",)]


def test_a_mail_that_is_being_sent_is_left_alone(sink: Sink) -> None:
    game_id = seated.draft(3)
    begin_sending(game_id)

    deliver_due()
    delivery.sweep()

    assert sink.raw == []


def test_a_line_cut_before_the_answer_repeats_the_same_mail(sink: Sink) -> None:
    game_id = seated.draft(3)
    sink.cut = True
    send(game_id)
    assert rows.states(game_id) == {"retry": 1}
    come_back()

    deliver_due()

    assert len(sink.raw) == 2
    assert sink.raw[0] == sink.raw[1]
    assert rows.states(game_id) == {"sent": 1}


@pytest.mark.parametrize("cut", [True, False])
def test_a_mail_is_marked_that_a_server_may_have_taken(sink: Sink, cut: bool) -> None:
    game_id = seated.draft(3)
    sink.cut, sink.data = cut, [] if cut else ["451 later"]

    send(game_id)

    ((maybe,),) = run("SELECT accepted_maybe FROM mail WHERE state = 'retry'")
    assert maybe == cut


def mixed() -> Seated:
    """A table where one mail tells one person of a finished round and of their turn."""
    table = seated.started(3, rounds=2)
    table.nominate()
    run("DELETE FROM notice")
    table.lay([Card.YES] * 3)
    table.resolve()
    first = table.game.first
    run(
        "DELETE FROM notice WHERE game_id = :g AND seat <> :s",
        {"g": table.id, "s": first},
    )
    return table


def turn_passes(table: Seated) -> None:
    (seat,) = table.game.asked()
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)
    run("DELETE FROM notice WHERE mail_id IS NULL")


@pytest.mark.parametrize("cut", [True, False])
def test_what_is_still_true_of_a_partly_false_mail_goes_into_a_fresh_one(
    sink: Sink, cut: bool
) -> None:
    table = mixed()
    sink.cut, sink.data = cut, [] if cut else ["451 later"]
    send(table.id)
    ((message_id, _body),) = rows.bodies(table.id)
    sink.raw.clear()
    turn_passes(table)
    come_back()

    deliver_due()

    (letter,) = sink.letters
    assert letter.message_id != message_id
    assert letter.notice == "round_over"
    assert rows.states(table.id) == {"superseded": 1, "sent": 1}


def test_a_mail_with_nothing_true_left_is_never_repeated(sink: Sink) -> None:
    table = seated.started(3)
    run("DELETE FROM notice WHERE kind = 'started' OR kind = 'invitation'")
    run("DELETE FROM notice WHERE kind = 'confirm'")
    sink.cut = True
    send(table.id)
    sink.raw.clear()
    turn_passes(table)
    come_back()

    deliver_due()
    delivery.sweep()

    assert sink.raw == []
    assert rows.states(table.id) == {"superseded": 1}
    assert rows.bodies(table.id) == []


def test_a_claim_that_was_taken_over_changes_nothing_any_more(sink: Sink) -> None:
    game_id = seated.draft(3)
    with transaction():
        (mail_id,) = composition.compose(game_id, "king.example")
        slow = outbox.claim(mail_id, 10)
    assert isinstance(slow, ClaimedMail)
    come_back()
    deliver_due()

    with transaction():
        outbox.keep(slow, b"other bytes", 10)
        outbox.settle(slow, MailState.FAILED)

    assert rows.states(game_id) == {"sent": 1}
    assert rows.bodies(game_id) == []


def test_without_a_mail_server_the_mailbox_holds_each_mail_once(inside: Flask) -> None:
    game_id = seated.draft(3)
    folder = inside.config["KINGUP"].mailbox
    known = set(folder.glob("*/*"))
    _message_id, body = begin_sending(game_id)
    come_back()
    deliver_due()
    (dropped,) = set(folder.glob("*/*")) - known
    moved = folder / "cur" / f"{dropped.name}:2,S"
    dropped.rename(moved)
    run("UPDATE mail SET settled_at = NULL, state = 'sending', body = :b", {"b": body})
    come_back()

    deliver_due()

    assert set(folder.glob("*/*")) - known == {moved}
    assert moved.read_bytes() == body


def test_the_mailbox_shows_no_half_written_mail(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = seated.draft(3)
    folder = inside.config["KINGUP"].mailbox

    send(game_id)

    assert list((folder / "tmp").iterdir()) == []


def test_a_mail_server_that_is_down_costs_no_mail(
    inside: Flask, sink: Sink, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = seated.draft(3)
    point_to(inside, monkeypatch, "smtp://127.0.0.1:9")
    send(game_id)
    ((message_id, body),) = rows.bodies(game_id)
    assert rows.states(game_id) == {"retry": 1}
    point_to(inside, monkeypatch, f"smtp://127.0.0.1:{free_port}")
    come_back()

    deliver_due()

    assert sink.raw == [body]
    assert sink.letters[0].message_id == message_id
