"""Mails are answered on the mailbox page as by a mail program, and go the same way."""

import html
from email import message_from_bytes, policy
from email.message import EmailMessage
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from flask import Flask

from tests.rig.browser import Page
from tests.rig.service import mailing_in, seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor
from worker.incoming import handling
from worker.outgoing import delivery

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def table(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seated:
    """An election whose mails lie in this machine's mailbox."""
    mailing_in.open_to(app, monkeypatch)
    settings = msgspec.structs.replace(app.config["KINGUP"], mailbox=tmp_path / "box")
    monkeypatch.setitem(app.config, "KINGUP", settings)
    found = seated.in_election(3)
    for key in delivery.queue(found.id):
        delivery.deliver(key)
    return found


def opened(visitor: Visitor, seat: int) -> Page:
    """The page of the mail that asks a seat for its card."""
    for number in range(1, 4):
        page = visitor.get(f"/mailbox/{number}")
        if f"{seated.NAMES[seat].lower()}+" in page.text and "Answer" in page.text:
            return page
    raise LookupError(seat)


def test_a_line_typed_below_a_mail_lays_a_card(app: Flask, table: Seated) -> None:
    visitor = Visitor(app)
    page = opened(visitor, 1)
    before = len(table.game.asked())

    done = visitor.press(page, page.the_form("Send"), {"text": "no\r\n\r\nsay: Never!"})
    handling.sweep()

    assert "Sent." in done.text
    assert len(table.game.asked()) == before - 1
    assert run("SELECT kind FROM mail_journal") == [("read",)]


def test_it_is_written_as_a_mail_program_would(app: Flask, table: Seated) -> None:
    visitor = Visitor(app)
    page = opened(visitor, 1)
    visitor.press(page, page.the_form("Send"), {"text": "yes"})

    (raw,) = run("SELECT raw FROM incoming_mail")[0]
    message = message_from_bytes(bytes(raw), policy=policy.default)

    assert isinstance(message, EmailMessage)
    assert not message.defects
    assert str(message["From"]).startswith("simon+")
    assert "game+" in message["To"]
    assert message["In-Reply-To"]
    assert table.game.decision is not None


def test_a_link_that_answers_leads_to_the_form_with_its_line(
    app: Flask, table: Seated
) -> None:
    del table
    visitor = Visitor(app)
    page = opened(visitor, 1)

    begun = visitor.get(f"{page.url}?say=Yes#answer")

    shown = html.unescape(html.unescape(page.body.decode()))
    assert f"{urlsplit(page.url).path}?say=Yes#answer" in shown
    assert "mailto:" not in shown
    assert b">Yes</textarea>" in begun.body


def test_a_form_of_another_site_or_mail_sends_nothing(
    app: Flask, table: Seated
) -> None:
    del table
    client = app.test_client()
    local = {"REMOTE_ADDR": "127.0.0.1"}
    forged = client.post(
        "/mailbox/1", data={"text": "yes"}, environ_overrides=local
    ).status_code
    elsewhere = client.post(
        "/mailbox/1",
        data={"text": "yes"},
        headers={"Origin": "https://evil.example"},
        environ_overrides=local,
    ).status_code

    assert {forged, elsewhere} == {HTTPStatus.FORBIDDEN}
    assert run("SELECT count(*) FROM incoming_mail") == [(0,)]


def test_nobody_from_elsewhere_sends_anything(app: Flask, table: Seated) -> None:
    del table
    away = {"REMOTE_ADDR": "203.0.113.9"}

    answer = app.test_client().post("/mailbox/1", environ_overrides=away)

    assert answer.status_code == HTTPStatus.NOT_FOUND
