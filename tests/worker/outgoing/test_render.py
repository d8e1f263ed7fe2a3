"""How mails look: the ask first, one whole link, constant subjects, harmless names."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from engine.board import Card
from service.game import time_up
from service.store import links, people
from service.values.enums import NoticeKind
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.worker.mail_server import Sink, send
from worker.outgoing import openings, render

_played: list[bytes] = []


@pytest.fixture
def whole_game(sink: Sink) -> Sink:
    """Every mail of a whole game of three, from its draft to its end."""
    if not _played:
        play()
        _played.extend(sink.raw)
    sink.raw = list(_played)
    return sink


def play() -> None:
    game_id = seated.draft(3, rounds=2)
    send(game_id)
    seated.confirm(game_id)
    send(game_id)
    seated.accept(game_id, 1)
    seated.accept(game_id, 2)
    send(game_id)
    table = seated.Seated(game_id)
    while table.game.running:
        table.nominate()
        send(game_id)
        time_up.remind(game_id, table.decision)
        send(game_id)
        refused = len(table.game.elections) == 0
        table.lay([Card.NO if refused else Card.YES, Card.YES, Card.YES])
        table.resolve()
        send(game_id)


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_every_kind_of_mail_of_a_game_was_looked_at(whole_game: Sink) -> None:
    assert set(whole_game.subjects()) == {
        "Confirm your table",
        "Rachel invites you to King Up!",
        "The game begins at Rachel's table",
        "Your turn",
        "Election",
        "Reminder",
        "Result",
        "Round 1 is over at Rachel's table",
        "The game is over at Rachel's table",
    }


def test_every_kind_of_notice_leads_somewhere_and_has_words() -> None:
    known = set(NoticeKind) - {NoticeKind.UNKNOWN}

    assert set(openings._LEADS_TO) == known
    for kind in known:
        for part in ("subject.txt", "body.txt", "body.html"):
            assert render._templates.get_template(f"{kind}/{part}")


def test_each_mail_has_one_link_whole_in_the_raw_bytes(whole_game: Sink) -> None:
    for each in whole_game.letters:
        [url] = each.urls
        assert len(url) <= 72
        assert re.fullmatch(r"http://localhost/[dit]/[a-z2-7]{26}", url)
        raw_lines = each.raw.split(b"\r\n")
        assert raw_lines.count(url.encode()) == 1
        assert sum(url.encode() in line for line in raw_lines) == 2
        assert each.text.splitlines().count(url) == 1


def test_no_raw_line_is_too_long_and_no_byte_above_ascii(whole_game: Sink) -> None:
    for raw in whole_game.raw:
        assert raw.isascii()
        assert b"\n" not in raw.replace(b"\r\n", b"")
        assert max(len(line) for line in raw.split(b"\r\n")) <= 900


def test_the_first_line_asks_and_the_last_is_the_head(whole_game: Sink) -> None:
    asks = {
        "Your turn": "It is your turn, ",
        "Election": "Election, ",
        "Reminder": "The table waits for you, ",
        "Confirm your table": "Confirm your table, Rachel",
        "Rachel invites you to King Up!": "Rachel invites you",
    }
    for each, subject in zip(whole_game.letters, whole_game.subjects(), strict=True):
        lines = each.text.splitlines()
        assert lines[0].startswith(asks.get(subject, "")), lines[0]
        assert re.fullmatch(r"Fairness stamp: [0-9]+:[0-9a-f]{32}", lines[-1])
        assert lines[-1] in each.html


def test_the_head_is_the_one_of_the_record(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)

    ((record, head),) = run("SELECT record, head FROM game")

    last = sink.letters[-1].text.splitlines()[-1]
    assert last == f"Fairness stamp: {record}:{bytes(head).hex()[:32]}"


def test_subjects_are_constant_for_game_round_and_kind(whole_game: Sink) -> None:
    subjects = {each.subject for each in whole_game.letters}
    threads: dict[str, set[str]] = {}
    for raw in whole_game.raw:
        message = parsed(raw)
        threads.setdefault(str(message["Subject"]), set()).add(message["References"])

    code = subjects.pop()[-6:]
    assert re.fullmatch(r"\([0-9a-f]{4}\)", code)
    assert all(subject.endswith(code) for subject in subjects)
    assert all(len(references) == 1 for references in threads.values())


def test_two_games_of_one_host_have_different_subjects(sink: Sink) -> None:
    first, second = seated.started(3), seated.started(3)
    send(first.id)
    send(second.id)

    subjects = [each.subject for each in sink.letters]

    assert len({subject[-6:] for subject in subjects}) == 2


def test_headers_keep_machines_from_answering(whole_game: Sink) -> None:
    for raw in whole_game.raw:
        message = parsed(raw)
        assert message["Auto-Submitted"] == "auto-generated"
        assert message["X-Auto-Response-Suppress"] == "All"
        assert message["From"] == "King Up! <kingup@localhost>"
        assert len(message["To"].addresses) == 1
        assert message["Date"].datetime.tzinfo is not None
        assert not message.defects
        for name in ("Message-ID", "References", "Subject", "To", "Date"):
            assert len(message.get_all(name)) == 1


def test_people_are_found_by_the_links_they_were_mailed(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    for each in sink.letters:
        row = links.find(each.url.rsplit("/", 1)[1])
        assert row is not None
        person = people.by_id(row.person_id)
        assert person is not None
        assert person.address == each.to
        asks = each.subject.split(":")[0] in ("Election", "Your turn", "Reminder")
        assert (row.decision is not None) == asks
