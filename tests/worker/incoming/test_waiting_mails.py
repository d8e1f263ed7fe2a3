"""Mails that wait for the worker: how many may, and what becomes of those that stay."""

from datetime import timedelta

import pytest

from service.people import incoming_mail
from service.store import clock, incoming_mails
from service.values import signed_tokens
from service.values.errors import Busy
from tests.rig.service.seated import run
from tests.rig.worker.answered import Mailboxes, deliver, journal, mail, to_move
from worker.incoming import delivery_reports, handling


def test_what_nobody_comes_to_the_end_of_is_given_up_and_told(
    boxes: Mailboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise RuntimeError

    table, seat, name = to_move()
    number = table.decision
    raw = mail(table, boxes.asked(table, seat), f"move {name}")
    with monkeypatch.context() as broken:
        broken.setattr(delivery_reports, "token", stumble)
        deliver(raw)
        for _ in range(2):
            clock.shift(timedelta(minutes=10))
            handling.sweep()
        assert run("SELECT attempts FROM incoming_mail") == [(3,)]
        clock.shift(timedelta(minutes=10))
        handling.sweep()

    assert journal() == ["given up"]
    assert run("SELECT count(*) FROM incoming_mail") == [(0,)]
    deliver(raw)
    assert table.decision == number + 1


def test_what_a_sweep_has_no_time_for_has_not_been_tried(
    boxes: Mailboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    del boxes
    monkeypatch.setattr(handling, "PATIENCE_SECONDS", -1.0)

    deliver(b"rubbish")

    assert run("SELECT attempts FROM incoming_mail") == [(0,)]


def test_a_secret_that_a_mail_merely_quotes_fills_no_place(boxes: Mailboxes) -> None:
    del boxes
    quoted = f"> To: game+{signed_tokens.make()}@play.example.org"

    incoming_mail.take(f"To: game@play.example.org\r\n\r\n{quoted}".encode(), "")

    assert run("SELECT secret_hash FROM incoming_mail") == [(None,)]


@pytest.mark.parametrize("path", ["game+{}@play.example.org", "game+b.{}@x.example"])
def test_one_secret_fills_five_places_and_others_come_in(
    boxes: Mailboxes, path: str
) -> None:
    del boxes
    one, other = signed_tokens.make(), signed_tokens.make()
    for _ in range(incoming_mails.MOST_OF_A_SECRET):
        incoming_mail.take(b"Subject: a\r\n\r\nb", path.format(one))

    with pytest.raises(Busy):
        incoming_mail.take(f"To: {path.format(one.upper())}\r\n\r\nb".encode(), "")

    incoming_mail.take(b"Subject: a\r\n\r\nb", path.format(other))
    handling.sweep()
    incoming_mail.take(b"Subject: a\r\n\r\nb", path.format(one))
