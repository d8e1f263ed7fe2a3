"""Five hundred twin elections by mail: nobody sees in which of them a No was held.

Parts of a hundred each, so that one can be run by itself.
"""

import sys
import time
from collections.abc import Iterator

import pytest
from flask import Flask

from service.values.enums import NoticeKind, VoteByMail
from tests.rig.wiping import Wiper
from tests.rig.worker import mail_twins
from tests.rig.worker.answered import Mailboxes
from tests.rig.worker.mail_server import listening, point_to
from worker.incoming import answering
from worker.incoming.answering import Result

PARTS, OF_EACH = 5, 100


@pytest.fixture
def boxes(
    app: Flask, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Mailboxes]:
    """The mailboxes of everybody who plays."""
    with app.app_context(), listening(free_port) as sink:
        point_to(app, monkeypatch, f"smtp://127.0.0.1:{free_port}")
        yield Mailboxes(app, sink, monkeypatch)


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_mail_row_or_log_line_tells_two_worlds_apart(
    boxes: Mailboxes, wiper: Wiper, capfd: pytest.CaptureFixture[str], part: int
) -> None:
    began, mails = time.monotonic(), 0
    for seed in range(part * OF_EACH, (part + 1) * OF_EACH):
        wiper.wipe()
        boxes.sink.raw.clear()
        mails += mail_twins.compare(boxes, wiper.wipe, seed, capfd)

    took = time.monotonic() - began
    with capfd.disabled():
        sys.stdout.write(
            f"\n{OF_EACH} twins, {mails} mails in each world, 0 differences;"
            f" {took:.0f} s\n"
        )
    assert mails > OF_EACH


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_an_answer_that_tells_what_counted_is_seen(
    boxes: Mailboxes, wiper: Wiper, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = answering._result

    def leaking(is_vote: bool, outcome: VoteByMail) -> Result:
        """Help for whoever named a card that they don't hold."""
        if outcome is VoteByMail.NOT_HELD:
            return Result(NoticeKind.NOT_COUNTED, outcome)
        return honest(is_vote, outcome)

    monkeypatch.setattr(answering, "_result", leaking)

    def compare(seed: int) -> int:
        wiper.wipe()
        boxes.sink.raw.clear()
        return mail_twins.compare(boxes, wiper.wipe, seed)

    with pytest.raises(AssertionError, match="not_counted"):
        list(map(compare, range(OF_EACH)))
