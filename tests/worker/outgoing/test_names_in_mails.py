"""Names in mails: none gets out of its place, in headers, text and HTML."""

from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage

import msgspec
import pytest
from flask import Flask

from service.store import composition, outbox
from service.store.transactions import transaction
from tests.rig import letters
from tests.rig.service import seated
from tests.rig.service.seated import run
from worker.outgoing import content as writing
from worker.outgoing import kind_rules, openings, relevance, render
from worker.outgoing.content import MailContent

SENDER = Address("King Up!", "kingup", "king.example")


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def part(message: EmailMessage, kind: str) -> str:
    found = message.get_body((kind,))
    assert found is not None
    return str(found.get_content())


NAMES = [
    '"><script>alert(1)</script>',
    "Rachel, spy@example.org",
    "عمر",
    "Zoë “the Ö” 李雷",
    "=?utf-8?q?spy?=",
    "a" * 200,
]


def letter(name: str) -> MailContent:
    """A mail whose every name is this one."""
    table = seated.in_election(3)
    run("UPDATE seat SET name = :n WHERE game_id = :g", {"n": name, "g": table.id})
    run("UPDATE person SET name = :n", {"n": name})
    with transaction():
        return _letter(table)


def _letter(table: seated.Seated) -> MailContent:
    mailed = composition.compose(table.id, "king.example")
    claimed = outbox.claim(mailed[0], 10)
    assert claimed is not None
    now = relevance.read(claimed)
    assert now is not None
    live = [notice for notice in claimed.notices if kind_rules.holds(notice, now)]
    return writing.write(live, now, openings.make(live, claimed))


@pytest.mark.parametrize("name", NAMES)
def test_no_name_gets_out_of_its_place(name: str) -> None:
    written = letter(name)

    raw = render.render(written, SENDER)

    message = parsed(raw)
    assert len(message["To"].addresses) == 1
    assert message["To"].addresses[0].domain == "example.org"
    assert message["To"].addresses[0].display_name != "spy"
    assert "spy's" not in message["Subject"]
    page = part(message, "html")
    assert "<script" not in page
    assert page.count("<bdi>") == page.count("</bdi>") > 0
    text = part(message, "plain")
    if name == "عمر":
        assert f"\u2068{name}\u2069" in text
    else:
        assert "\u2068" not in text
    assert letters.read(1, raw).url == written.link


def test_a_reader_is_called_what_they_are_called_at_this_table() -> None:
    table = seated.in_election(3)
    run("UPDATE person SET name = 'as another host calls them'")

    with transaction():
        written = _letter(table)

    assert written.recipient.display_name == written.name.strip("\u2068\u2069")


def test_a_name_of_two_lines_never_becomes_a_header() -> None:
    with pytest.raises(ValueError, match="CR or LF"):
        letter("x\r\nBcc: spy@example.org")


def test_the_same_letter_is_the_same_bytes() -> None:
    written = letter("Rachel")

    assert render.render(written, SENDER) == render.render(written, SENDER)


def test_a_long_host_leaves_ids_and_links_whole(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = letter("Rachel")
    host = "h" * 30 + ".example"
    long = msgspec.structs.replace(
        written,
        message_id=written.message_id.replace("king.example", host),
        thread_id=written.thread_id.replace("king.example", host),
    )

    message = parsed(render.render(long, SENDER))

    assert message["Message-ID"].strip() == long.message_id
    assert message["References"].strip() == long.thread_id
