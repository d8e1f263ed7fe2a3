"""How mails look: the ask first, one whole link, conversations, harmless names."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from engine.board import Card
from service.game import time_up
from service.store import links, people
from service.values.enums import NoticeKind
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.worker import reading
from tests.rig.worker.mail_server import Sink, send
from worker.incoming.commands import Unread
from worker.outgoing import openings, render, shown_castle

ROUND = r"http://localhost/g/[0-9a-f-]{36}/rounds/[1-3]"
"""The page of a round: an address that proves nothing, and that anybody may have."""

TEMPLATES = Path(render.__file__).parents[1] / "templates"

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
    assert set(whole_game.kinds()) == {
        "confirm",
        "invitation",
        "started",
        "your_turn",
        "election",
        "reminder",
        "result",
        "round_over",
        "game_over",
    }


def test_every_kind_of_notice_leads_somewhere_and_has_words() -> None:
    known = set(NoticeKind) - {NoticeKind.UNKNOWN}

    assert set(openings._LEADS_TO) == known
    for kind in known:
        for part in ("subject.txt", "body.txt", "body.html"):
            assert render._templates.get_template(f"{kind}/{part}")


def test_each_mail_has_one_link_whole_in_the_raw_bytes(whole_game: Sink) -> None:
    for each in whole_game.letters:
        url, *public = each.urls
        assert all(re.fullmatch(ROUND, page) for page in public)
        assert len(public) == ("The story of round" in each.text)
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


def test_the_first_line_asks_and_is_all_that_a_list_of_mails_shows(
    whole_game: Sink,
) -> None:
    asks = {
        "your_turn": "It is your turn, ",
        "election": "The ballots are open, ",
        "reminder": "The table waits for you, ",
        "result": "The cards are turned over, ",
        "round_over": "The cards are turned over, ",
        "game_over": "The cards are turned over, ",
        "confirm": "Confirm your table, Rachel",
        "invitation": "Rachel invites you",
    }
    for each in whole_game.letters:
        first = each.text.splitlines()[0]
        assert first.startswith(asks.get(each.notice, "")), first
        body = HTMLParser(each.html).body
        assert body is not None
        words = body.text().split("\u034f")
        assert words[0].split() == first.split()
        assert len(words) > 60
        assert words[-1].split()[: len(first.split())] == first.split()


def test_every_mail_has_the_head_of_its_record_and_some_show_it(
    whole_game: Sink,
) -> None:
    for each, raw in zip(whole_game.letters, whole_game.raw, strict=True):
        message = parsed(raw)
        head = str(message["X-Kingup-Head"])
        assert re.fullmatch(r"[1-9][0-9]*:[0-9a-f]{32}", head)
        last = each.text.splitlines()[-1]
        game = str(message["References"])[1:5]
        shown = last == f"Fairness stamp: {head}/{game}"
        assert shown == (head in each.text) == (head in each.html)
        if each.notice in ("started", "round_over", "game_over"):
            assert shown
        if each.notice in ("election", "reminder", "result"):
            assert not shown


def test_the_head_is_the_one_of_the_record(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)

    ((record, head),) = run("SELECT record, head FROM game")

    expected = f"{record}:{bytes(head).hex()[:32]}"
    assert parsed(sink.raw[-1])["X-Kingup-Head"] == expected


def test_a_round_is_a_conversation_and_each_election_one_of_its_own(
    whole_game: Sink,
) -> None:
    threads: dict[str, set[str]] = {}
    topics: dict[str, set[str]] = {}
    for raw in whole_game.raw:
        message = parsed(raw)
        [reference] = str(message["References"]).split()
        threads.setdefault(reference, set()).add(str(message["Subject"]))
        topic = reference.partition("@")[0].partition(".")[2]
        topics.setdefault(topic.rstrip("0123456789"), set()).add(reference)

    assert all(len(subjects) == 1 for subjects in threads.values())
    subjects = {
        name: {threads[each].copy().pop() for each in found}
        for name, found in topics.items()
    }
    assert subjects[""] == {"Round 1 · Rachel's table", "Round 2 · Rachel's table"}
    assert len(topics["e"]) == 4
    assert all(
        re.fullmatch("The ballots are open: .+ · Rachel's table", subject)
        for subject in subjects["e"]
    )
    assert set(subjects) == {"", "e", "confirm", "invitation"}


def test_a_subject_and_a_first_line_are_the_same_whatever_came_of_a_vote(
    whole_game: Sink,
) -> None:
    told = {
        each.notice: re.sub(r", \w+: shall .+ be king", "", each.text.splitlines()[0])
        for each in whole_game.letters
        if each.notice in ("result", "round_over", "game_over")
    }

    assert told.keys() == {"result", "round_over", "game_over"}
    assert set(told.values()) == {"The cards are turned over?"}


def test_a_mail_shows_its_castle_as_a_picture_that_came_with_it(
    whole_game: Sink,
) -> None:
    shown = 0
    for each, raw in zip(whole_game.letters, whole_game.raw, strict=True):
        pictures = [
            part
            for part in parsed(raw).walk()
            if part.get_content_type() == "image/png"
        ]
        named = [f"cid:{str(part['Content-ID'])[1:-1]}" for part in pictures]
        found = HTMLParser(each.html).css("img")
        assert [img.attributes["src"] for img in found] == named
        assert all(img.attributes["alt"] for img in found)
        assert len(raw) < 60_000
        castles = ("confirm", "invitation")
        assert len(pictures) == (each.notice not in castles), each.notice
        for part in pictures:
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            assert data.startswith(b"\x89PNG")
            assert part.get_content_disposition() == "inline"
        shown += len(pictures)
    assert shown > 10


def test_a_picture_goes_with_the_kinds_whose_page_shows_it() -> None:
    pages = {kind: TEMPLATES / kind / "body.html" for kind in NoticeKind}
    showing = {
        kind
        for kind, page in pages.items()
        if page.exists() and "shared/game.html" in page.read_text()
    }

    assert showing == shown_castle.SHOWING


def test_a_result_shows_the_castle_without_who_was_refused(whole_game: Sink) -> None:
    def picture(kind: str) -> bytes:
        at = [each.notice for each in whole_game.letters].index(kind)
        [part] = [
            part
            for part in parsed(whole_game.raw[at]).walk()
            if part.get_content_type() == "image/png"
        ]
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        return data

    kinds = ("election", "result", "round_over", "your_turn")

    assert len({picture(kind) for kind in kinds}) == len(kinds)


def test_what_elements_wear_is_said_in_one_place() -> None:
    pages = [each for each in TEMPLATES.rglob("*.html") if each.name != "style.html"]

    assert len(pages) > 20
    assert [page for page in pages if re.search(r"\bstyle=", page.read_text())] == []


def test_whatever_has_a_colour_by_day_has_another_by_night() -> None:
    source = (TEMPLATES / "shared" / "style.html").read_text()
    night = (TEMPLATES / "shared" / "night.html").read_text()
    worn = re.findall(r'wear\("(\w+)", (.+)\) %}', source)
    coloured = {
        name
        for name, style in worn
        if re.search(
            r"background|(?<!-)color:|\bink\b|\bquiet\b|\bline\b|border-top", style
        )
    }

    assert len(coloured) > 10
    assert all(re.search(rf"\.{name}\b[^}}]*{{", night) for name in coloured)


def test_two_games_of_one_host_are_different_conversations(sink: Sink) -> None:
    first, second = seated.started(3), seated.started(3)
    send(first.id)
    send(second.id)

    assert len({parsed(raw)["References"] for raw in sink.raw}) == 2


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


def test_a_mail_of_ours_sent_back_without_a_word_asks_for_nothing(
    whole_game: Sink,
) -> None:
    # As of a program that marks nothing it quotes, not even where a quote begins.
    one_of_each = {each.notice: each for each in whole_game.letters}.values()
    for each in one_of_each:
        for raw in (reading.plain(each.text), reading.page(each.html)):
            lines = reading.lines(raw)
            assert lines
            for offers in (reading.CARDS, reading.MOVES, reading.PLACEMENTS):
                assert reading.understood(*lines, offers=offers) is Unread.NOTHING


def test_people_are_found_by_the_links_they_were_mailed(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    for each in sink.letters:
        row = links.find(each.url.rsplit("/", 1)[1])
        assert row is not None
        person = people.by_id(row.person_id)
        assert person is not None
        assert person.address == each.to
        asks = each.notice in ("election", "your_turn", "reminder")
        assert (row.decision is not None) == asks
