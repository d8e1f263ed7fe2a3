"""What a mail server says, and what that means for a mail."""

import threading
from datetime import timedelta
from uuid import UUID

import pytest
from flask import Flask

from service.store import clock
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, deliver_due, send
from worker.outgoing import conversation


def errors() -> list[str]:
    return [str(row[0]) for row in run("SELECT error FROM mail WHERE error <> ''")]


@pytest.mark.parametrize("answer", ["451 busy", "421 closing"])
def test_a_mail_put_off_is_tried_again_later_and_later(sink: Sink, answer: str) -> None:
    game_id = seated.draft(3)
    sink.data = [answer, answer]
    send(game_id)
    deliver_due()
    assert sink.raw == []
    assert errors() == [f"{answer[:3]} at data"]

    clock.shift(timedelta(seconds=31))
    deliver_due()
    clock.shift(timedelta(seconds=31))
    deliver_due()
    assert sink.raw == []
    clock.shift(timedelta(seconds=31))
    deliver_due()

    assert len(sink.raw) == 1
    assert rows.states(game_id) == {"sent": 1}


def test_an_address_that_is_refused_stops_only_its_own_mail(sink: Sink) -> None:
    game_id = seated.draft(4)
    seated.confirm(game_id)
    sink.recipients["simon@example.org"] = "550 5.1.1 <simon@example.org> who?"

    send(game_id)

    assert sorted(letter.to for letter in sink.letters) == [
        "paul@example.org",
        "terry@example.org",
    ]
    assert rows.states(game_id) == {"failed": 1, "sent": 2, "superseded": 1}
    assert errors() == ["550 at recipient"]
    assert rows.bodies(game_id) == []


def test_a_refused_sender_is_our_fault_and_tried_again(sink: Sink) -> None:
    game_id = seated.draft(3)
    sink.senders = ["550 not you"]

    send(game_id)

    assert rows.states(game_id) == {"retry": 1}
    assert errors() == ["550 at sender"]


def test_a_mail_refused_for_good_is_not_repeated(sink: Sink) -> None:
    game_id = seated.draft(3)
    sink.data = ["554 no"]

    send(game_id)

    assert rows.states(game_id) == {"failed": 1}


def test_a_recipient_put_off_is_tried_again(sink: Sink) -> None:
    game_id = seated.draft(3)
    sink.recipients["rachel@example.org"] = "450 greylisted"

    send(game_id)

    assert rows.states(game_id) == {"retry": 1}
    assert errors() == ["450 at recipient"]


def test_mails_of_one_worker_share_a_conversation(sink: Sink) -> None:
    game_id = seated.draft(4)
    seated.confirm(game_id)

    send(game_id)

    assert len(sink.raw) == 3
    assert len(sink.callers) == 1


def test_mails_of_all_threads_share_a_conversation(inside: Flask, sink: Sink) -> None:
    tables = [seated.draft(3, tag=f"+{number}") for number in range(3)]

    def in_context(game_id: UUID) -> None:
        with inside.app_context():
            send(game_id)

    for game_id in tables:
        thread = threading.Thread(target=in_context, args=(game_id,))
        thread.start()
        thread.join()

    assert len(sink.raw) == 3
    assert len(sink.callers) == 1


@pytest.mark.parametrize(("seconds", "conversations"), [(30.0, 1), (0.0, 2)])
def test_a_conversation_is_left_open_for_so_long_and_no_longer(
    sink: Sink, monkeypatch: pytest.MonkeyPatch, seconds: float, conversations: int
) -> None:
    monkeypatch.setattr(conversation, "KEEP_SECONDS", seconds)
    first, second = seated.draft(3, tag="+1"), seated.draft(3, tag="+2")

    send(first)
    send(second)

    assert len(sink.raw) == 2
    assert len(sink.callers) == conversations


def test_a_conversation_that_the_server_has_ended_is_begun_anew(sink: Sink) -> None:
    first, second = seated.draft(3, tag="+1"), seated.draft(3, tag="+2")
    send(first)
    sink.hang_up()

    send(second)

    assert rows.states(second) == {"sent": 1}
    assert len(sink.callers) == 2


def test_a_server_that_tires_of_a_conversation_gets_a_new_one(sink: Sink) -> None:
    first, second = seated.draft(3, tag="+1"), seated.draft(3, tag="+2")
    send(first)
    sink.senders = ["421 too many mails"]

    send(second)

    assert rows.states(second) == {"sent": 1}
    assert len(sink.callers) == 2


def test_a_mail_that_never_gets_through_is_given_up_after_days(sink: Sink) -> None:
    game_id = seated.draft(3)
    sink.data = ["451 busy"] * 9
    send(game_id)
    run("UPDATE mail SET created_at = created_at - interval '5 days'")
    clock.shift(timedelta(hours=1))

    deliver_due()

    assert rows.states(game_id) == {"failed": 1}


def test_an_address_outside_of_ascii_is_reached(sink: Sink) -> None:
    game_id = seated.draft(3)
    run(
        "UPDATE person SET address = 'jürg@bücher.example',"
        " address_key = 'jürg@xn--bcher-kva.example'"
        " WHERE address = 'rachel@example.org'"
    )

    send(game_id)

    assert rows.states(game_id) == {"sent": 1}
    assert "To: Rachel <jürg@xn--bcher-kva.example>\r\n".encode() in sink.raw[0]
