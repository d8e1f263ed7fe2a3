"""A mail server that takes its time holds up its own mail, and that not for long."""

import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from flask import Flask

from service.game import task_hints
from service.store import clock
from service.store.outbox import MailKey
from tests.rig.parts import wait_until
from tests.rig.service import hints, seated
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, point_to, send
from worker.outgoing import conversation, delivery

PLAIN = b"2"
HANDSHAKE = b"\x16\x03\x03\x40\x00\x02"
"""How an encrypted conversation begins; what drips behind it never completes it."""


@pytest.fixture(params=[("smtp", PLAIN), ("smtps", HANDSHAKE)], ids=["plain", "tls"])
def dripping(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server that says one letter every tenth of a second."""
    scheme, opening = request.param
    server = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        line, _peer = server.accept()
        with line:
            try:
                line.sendall(opening)
                while True:
                    line.sendall(b"2")
                    time.sleep(0.1)
            except OSError:
                return

    thread = threading.Thread(target=drip)
    thread.start()
    yield f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
    server.close()
    thread.join()


def test_a_server_that_drips_is_cut_off(
    inside: Flask, dripping: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = seated.draft(3)
    point_to(inside, monkeypatch, dripping)
    monkeypatch.setattr(conversation, "WHOLE_SECONDS", 0.5)
    # No single word is waited for in vain: only the whole is too long.
    monkeypatch.setattr(conversation, "STEP_SECONDS", 100.0)

    send(game_id)

    assert rows.states(game_id) == {"retry": 1}


def test_the_lease_is_longer_than_the_patience_with_a_server() -> None:
    assert (
        delivery.SENDING_SECONDS
        > conversation.WHOLE_SECONDS + conversation.STEP_SECONDS
    )


def hinted_at(app: Flask) -> list[MailKey]:
    """The mails that workers are asked to deliver."""
    return [
        MailKey(*map(UUID, asked)) for asked in hints.waiting(app, task_hints.DELIVER)
    ]


def post_in_background(app: Flask, *game_ids: UUID) -> threading.Thread:
    def post() -> None:
        with app.app_context():
            delivery.post_all(game_ids)

    thread = threading.Thread(target=post)
    thread.start()
    return thread


def test_nobody_waits_for_the_server_of_somebody_elses_mail(
    inside: Flask, sink: Sink
) -> None:
    game_id = seated.draft(4)
    send(game_id)
    seated.confirm(game_id)
    sink.raw.clear()
    sink.drips = True

    slow = post_in_background(inside, game_id)
    try:
        wait_until(lambda: bool(sink.dripping_to), "the slow conversation")
        clock.shift(timedelta(seconds=4))
        delivery.sweep()

        assert slow.is_alive()
        guests = {f"{name}@example.org" for name in ("simon", "terry", "paul")}
        assert {each.to for each in sink.letters} == guests - sink.dripping_to
    finally:
        sink.drips = False
        slow.join()
    assert sink.dripping_to <= {each.to for each in sink.letters}


def test_no_game_waits_for_the_server_of_another_games_mail(
    inside: Flask, sink: Sink
) -> None:
    first, second = seated.draft(3, tag="+1"), seated.draft(3, tag="+2")
    sink.drips = True

    slow = post_in_background(inside, first, second)
    try:
        wait_until(lambda: bool(sink.dripping_to), "the slow conversation")
        wait_until(lambda: len(hinted_at(inside)) == 1, "the other game's task hint")
        delivery.deliver(*hinted_at(inside))

        assert slow.is_alive()
        assert [each.to for each in sink.letters] == ["rachel+2@example.org"]
    finally:
        sink.drips = False
        slow.join()


def test_a_sweep_begins_no_mail_when_its_patience_is_over(
    sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [seated.draft(3, tag=f"+{number}") for number in range(3)]
    seated.run("UPDATE notice SET due_at = due_at - interval '1 minute'")
    monkeypatch.setattr(delivery, "PATIENCE_SECONDS", -1.0)

    delivery.sweep()

    assert [rows.states(game_id) for game_id in games] == [{}] * 3
