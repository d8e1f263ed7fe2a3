"""What strangers cause who have secrets of a seat: one mail of a kind a question."""

import pytest

from tests.rig.service import seated
from tests.rig.worker.answered import Mailboxes, bring, journal, secret_of
from worker.incoming import authentication

SECRETS = 6


@pytest.mark.parametrize(
    ("sender", "kind", "subject"),
    [
        ("", "unauthenticated", "Your mail didn't count"),
        ("else@example.org", "other sender", "Was that you?"),
    ],
)
def test_whatever_secret_comes_the_seat_is_told_once_in_the_open_question(
    boxes: Mailboxes,
    monkeypatch: pytest.MonkeyPatch,
    sender: str,
    kind: str,
    subject: str,
) -> None:
    table = seated.in_election(3)
    monkeypatch.setattr(authentication, "is_proved", lambda *_: False)

    for decision in range(table.decision, table.decision - SECRETS, -1):
        secret = secret_of(table, 1, decision)
        bring(table, 1, secret, "hello", sender, proved=False)

    assert journal() == [kind] * SECRETS
    (told,) = boxes.answers(table, 1)
    assert subject in told["Subject"]


def test_once_a_strangers_mail_was_told_of_the_next_is_read_no_further(
    boxes: Mailboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated.in_election(3)
    secret = secret_of(table, 1, table.decision)
    bring(table, 1, secret, "hello", "else@example.org", proved=False)
    monkeypatch.delattr("worker.incoming.parts.of")

    bring(table, 1, secret, "hello again", "else@example.org", proved=False)

    assert journal() == ["other sender"] * 2
    assert len(boxes.answers(table, 1)) == 1
