"""How mails look: the ask first, one whole link, constant subjects, harmless names."""

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser

import msgspec
import pytest

from engine.board import Card
from engine.commands import Ballot
from service import handlers
from service.store import links, people
from tests.service import seated
from tests.service.seated import run
from tests.worker.conftest import Sink, send

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
        handlers.remind(game_id, table.decision)
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


def test_each_mail_has_one_link_whole_in_the_raw_bytes(whole_game: Sink) -> None:
    for each in whole_game.letters:
        url = each.url
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


def test_the_castle_has_one_line_a_floor_in_both_parts(sink: Sink) -> None:
    table = seated.in_election(3)
    send(table.id)
    board = table.game.board
    election = [each for each in sink.letters if each.subject.startswith("Election")][0]

    lines = election.text.splitlines()
    floors = lines[lines.index("The castle:") + 1 :][:7]

    names = [
        "10 King's throne",
        "5 Nobles",
        "4 Dignitaries",
        "3 Officers",
        "2 Traders",
        "1 Craftsmen",
        "0 Servants",
    ]
    keys = ["throne", "5", "4", "3", "2", "1", "0"]
    for line, name, key in zip(floors, names, keys, strict=True):
        label, _, people_there = line.partition("   ")
        assert label.strip() == name
        told = [] if people_there.strip() == "-" else people_there.strip().split(", ")
        assert [each[0] for each in told] == list(board.on(key))
    cells = Cells()
    cells.feed(election.html)
    assert [row[1] for row in cells.rows[:7]] == [n.split(" ", 1)[1] for n in names]


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


def test_what_happened_since_starts_behind_ones_own_answer(sink: Sink) -> None:
    table = seated.started(3)
    send(table.id)
    sink.raw.clear()
    for _ in range(3):
        (seat,) = table.game.asked()
        table.answer(seat, seated.own(table.game, seat).legal[0].answer)
        send(table.id)

    (again,) = [e for e in sink.letters if e.subject.startswith("Your turn")][-1:]

    since = [line for line in again.text.splitlines() if line.startswith("- ")]
    assert len(since) == 2
    me = again.text.split(", ")[1].split(":")[0]
    assert not any(line.startswith(f"- {me}") for line in since)


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (
            datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
            "Sunday 25 October, 02:30 Central European Summer Time",
        ),
        (
            datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
            "Sunday 25 October, 02:30 Central European Standard Time",
        ),
    ],
)
def test_a_deadline_is_told_on_the_readers_clock(
    moment: datetime, told: str, sink: Sink
) -> None:
    table = seated.started(3)
    run("UPDATE person SET zone = 'Europe/Zurich'")
    run("UPDATE game SET deadline = :d", {"d": moment})

    send(table.id)

    asked = [each for each in sink.letters if each.subject.startswith("Your turn")]
    assert f"There is time until {told}." in asked[0].text


def test_a_zone_nobody_knows_is_utc(sink: Sink) -> None:
    table = seated.started(3)
    run("UPDATE person SET zone = 'Moon/Sea'")

    send(table.id)

    asked = [each for each in sink.letters if each.subject.startswith("Your turn")]
    assert re.search(r"There is time until .*, [0-9]{2}:[0-9]{2} UTC\.", asked[0].text)


def test_an_invitation_holds_the_seal_of_the_seed(sink: Sink) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    ((public,),) = run("SELECT public FROM event WHERE record = 1")
    seal = msgspec.json.decode(public)["seed"]

    send(game_id)

    assert len(seal) == 64
    for each in sink.letters:
        assert seal in each.text.splitlines()
        assert seal in each.html


def test_a_showing_stands_only_in_mails_that_die_with_it(sink: Sink) -> None:
    table = seated.started(3, rounds=2)
    send(table.id)
    table.nominate()
    send(table.id)
    table.lay([Card.NO, Card.YES, Card.YES])
    table.resolve()
    sink.raw.clear()

    send(table.id)

    assert len(sink.raw) == 3
    for each in sink.letters:
        assert "- The cards: Rachel No, Simon Yes, Terry Yes." in each.text


def test_the_next_election_mail_shows_who_was_laid_for_only_after_a_reminder(
    sink: Sink,
) -> None:
    table = seated.in_election(3)
    table.answer(0, Ballot(Card.YES))

    send(table.id)

    assert all("a card was laid" not in each.text for each in sink.letters)


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
