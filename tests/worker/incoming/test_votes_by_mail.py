"""In an election one answer comes, the same whatever became of the mail."""

from datetime import timedelta

import msgspec
import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot
from engine.state import freeze
from service.store import clock, mailed_votes
from service.values.enums import VoteByMail
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, link
from tests.rig.worker.answered import (
    Mailboxes,
    deliver,
    journal,
    mail,
    text_of,
)
from worker.clock import retention

OUTCOMES = {
    "no": VoteByMail.COUNTED,
    "stomachache": VoteByMail.NOT_UNDERSTOOD,
    "No, if you ask me": VoteByMail.NOT_UNDERSTOOD,
    "yes\r\nsay: www.evil.example": VoteByMail.UNSAYABLE,
    "say: Let me think": VoteByMail.SAID,
}


def without_no(table: Seated, seat: int) -> None:
    """Take the Noes out of a hand."""
    hands = list(table.game.hands)
    hands[seat] = (Card.YES,)
    twin = msgspec.structs.replace(table.game, hands=tuple(hands))
    run(
        "UPDATE game SET snapshot = :s WHERE id = :g",
        {"s": freeze(twin), "g": table.id},
    )


@pytest.mark.parametrize("words", OUTCOMES)
def test_its_owner_alone_sees_what_became_of_it_behind_their_cards(
    boxes: Mailboxes, app: Flask, words: str
) -> None:
    table = seated.in_election(3)

    deliver(mail(table, boxes.asked(table, 1), words))

    assert mailed_votes.latest(table.id, 1, table.decision) is OUTCOMES[words]
    visitor = Visitor(app)
    page = visitor.get(link(table, 1))
    opened = visitor.press(page, page.the_form("Open my cards"))
    assert "Your mail has come" not in page.text
    assert opened.text.count("Your mail has come") == 1
    other = visitor.get(link(table, 0))
    theirs = visitor.press(other, other.the_form("Open my cards"))
    assert "Your mail has come" not in theirs.text


def test_a_card_that_is_not_held_is_not_laid_and_told_behind_the_cards_alone(
    boxes: Mailboxes,
) -> None:
    table = seated.in_election(3)
    to = boxes.asked(table, 1)
    without_no(table, 1)

    deliver(mail(table, to, "no"))

    assert mailed_votes.latest(table.id, 1, table.decision) is VoteByMail.NOT_HELD
    (told,) = boxes.answers(table, 1)
    assert "has come" in told["Subject"]
    deliver(mail(table, to, "yes"))
    assert len(table.game.asked()) == 2


def test_the_first_mail_gets_an_answer_and_later_ones_none(boxes: Mailboxes) -> None:
    table = seated.in_election(3)
    to = boxes.asked(table, 1)

    for words in ("Hm", "no", "yes", "perhaps"):
        deliver(mail(table, to, words))

    assert len(boxes.answers(table, 1)) == 1
    assert journal() == ["read"] * 4
    assert mailed_votes.latest(table.id, 1, table.decision) is VoteByMail.NOT_UNDERSTOOD
    assert len(table.game.asked()) == 2


def test_the_answer_names_no_card_and_says_that_nobody_need_answer(
    boxes: Mailboxes,
) -> None:
    table = seated.in_election(3)
    deliver(mail(table, boxes.asked(table, 1), "no"))

    (told,) = boxes.answers(table, 1)

    text = text_of(told)
    assert told["Auto-Submitted"] == "auto-replied"
    assert told["X-Auto-Response-Suppress"] == "All"
    for word in ("No", "Yes", "it laid no", "was laid"):
        assert f" {word}" not in text


def test_a_card_laid_on_the_page_stays_and_a_mail_is_told_so(
    boxes: Mailboxes,
) -> None:
    table = seated.in_election(3)
    to = boxes.asked(table, 1)
    table.answer(1, seated.own(table.game, 1).legal[0].answer)

    deliver(mail(table, to, "no"))

    assert mailed_votes.latest(table.id, 1, table.decision) is VoteByMail.LAID_BEFORE


def test_what_became_of_it_is_kept_as_long_as_its_election_waits_and_no_longer(
    boxes: Mailboxes,
) -> None:
    table = seated.in_election(3)
    votes = "SELECT seat, outcome FROM mailed_vote"
    deliver(mail(table, boxes.asked(table, 0), "no"))
    clock.shift(timedelta(days=100))
    retention.tidy()
    before = run(votes)

    for seat in (1, 2):
        table.answer(seat, Ballot(Card.NO))
    table.resolve()
    retention.tidy()

    assert before == [(0, "counted")]
    assert run(votes) == []
