"""Where mails are answered to: each to a secret of one seat and one decision."""

import re
from email import message_from_bytes, policy

import pytest
from flask import Flask

from engine.board import Card
from service.store import links
from tests.rig.service import mailing_in, seated
from tests.rig.worker.mail_server import Sink, send


def reply_to(raw: bytes) -> str:
    header = message_from_bytes(raw, policy=policy.default)["Reply-To"]
    return "" if header is None else str(header)


def test_without_an_address_for_them_no_mail_asks_for_answers(sink: Sink) -> None:
    send(seated.in_election(3).id)

    assert sink.raw
    assert {reply_to(raw) for raw in sink.raw} == {""}


@pytest.fixture
def inbound(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mailing_in.open_to(inside, monkeypatch)


@pytest.mark.usefixtures("inbound")
def test_a_question_is_answered_to_a_secret_of_its_seat_and_decision(
    sink: Sink,
) -> None:
    table = seated.in_election(3)
    send(table.id)

    asked = []
    for letter in sink.letters:
        name, _, address = reply_to(letter.raw).rpartition(" ")
        token = mailing_in.token_in(address)
        link, page = links.find(token), links.find(letter.url.rpartition("/")[2])
        assert link is not None
        assert page is not None
        assert (name, link.purpose) == ("King Up!", "reply")
        assert (link.decision, page.purpose) == (table.decision, "decision")
        assert link.person_id == seated.person_on(table.id, link.seat)
        # It stands where answers go to, also behind the buttons that begin one.
        elsewhere = re.sub(f"game(\\+|%2B){token}@".encode(), b"", letter.raw)
        assert token.encode() not in elsewhere
        asked.append(link.seat)
    assert sorted(asked) == [0, 1, 2]


@pytest.mark.usefixtures("inbound")
def test_what_asks_nothing_has_a_secret_that_never_acts(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    sink.raw.clear()
    table.lay([Card.YES] * 3)
    table.resolve()
    send(table.id)

    purposes = set()
    for raw in sink.raw:
        link = links.find(mailing_in.token_in(reply_to(raw)))
        assert link is not None
        purposes.add((link.purpose, link.decision))
    assert purposes == {("reply-ask", None)}


@pytest.mark.usefixtures("inbound")
def test_a_secret_for_answers_opens_no_page(inside: Flask, sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    client = inside.test_client()

    for raw in sink.raw:
        token = mailing_in.token_in(reply_to(raw))
        for page in "dpttiorb":
            assert client.get(f"/{page}/{token}").status_code == 404
