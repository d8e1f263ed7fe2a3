"""Ten mails as real programs write them, from their bytes to what comes of them."""

import re
import threading
from typing import Final, NamedTuple

import msgspec
import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot, Move
from engine.state import Kind
from service import config
from service.people import incoming_mail
from service.store.people import Profile
from service.tables import creation
from service.tables.confirmation import TableRequest
from service.values.mail_settings import InboundAuth
from tests.rig.service import kept_tables, mailing_in, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.answered import (
    MAILS,
    Mailboxes,
    deliver,
    journal,
    secret_of,
)
from worker.incoming import handling

_NUMBER: Final = "a question that is over"
_SECRET: Final = re.compile(rb"(game\+)([a-z2-7]{26})(@)", re.IGNORECASE)

PEOPLE: Final = ("rita", "juergen.voss", "chiara.neri", "renee.lefevre")


class Case(NamedTuple):
    """A mail of the set: whose, in an election or whom it moves, and what comes of it.

    `answered` is how many mails it is answered with; `kind` is what the journal says.
    """

    name: str
    seat: int
    moves: str
    counts: bool
    answered: int
    kind: str


CASES: Final = (
    Case("gmail_en_top_reply", 0, "O", True, 0, "read"),
    Case("outlook_de_header_block", 1, "D", True, 0, "read"),
    Case("iphone_fr_vote", 3, "", True, 1, "read"),
    Case("thunderbird_de_bottom_post", 1, "", True, 1, "read"),
    Case("quoted_only_en", 0, "O", False, 1, "read"),
    Case("out_of_office_exchange_de", 1, "", False, 0, "automatic"),
    Case("vacation_without_headers_fr", 3, "", False, 0, "automatic"),
    Case("gmail_reaction", 0, "", False, 0, "automatic"),
    Case("late_reply_to_old_ballot_en", 0, _NUMBER, False, 1, "over"),
)


def table_of_four() -> Seated:
    """Rita's table, with the people who write the mails, and always the same deal."""
    with kept_tables.chance_of("the ten mails"):
        return started()


def started() -> Seated:
    """The table as it begins."""
    guests = tuple(
        creation.Guest(f"{name}@example.org", name.partition(".")[0].title())
        for name in PEOPLE[1:]
    )
    game_id = creation.draft(
        creation.HostWish("rita@example.org", Profile("Rita")),
        creation.TableWish(
            guests, decision_time=seated.PACE, spare=0, placement="random"
        ),
        asking=TableRequest("2001:db8:ffff::1"),
    )
    seated.confirm(game_id)
    for seat in range(1, 4):
        seated.accept(game_id, seat, PEOPLE[seat].partition(".")[0].title())
    return Seated(game_id)


def climbing(seat: int, character: str) -> Seated:
    """A game in which a seat is asked for a move, and may move a character."""
    table = table_of_four()
    for _ in range(400):
        game = table.game
        if game.decision is not None and game.decision.kind is Kind.ELECTION:
            table.lay([Card.YES] * 4)
            table.resolve()
            continue
        asked = game.asked()[0]
        legal = [each.answer for each in seated.own(game, asked).legal]
        if asked == seat and Move(character) in legal:
            return table
        others = [each for each in legal if each != Move(character)]
        table.answer(asked, (others or legal)[0])
    raise AssertionError(character)


def voting() -> Seated:
    """An election in which nobody has laid a card, and one before it."""
    table = table_of_four()
    table.nominate()
    table.lay([Card.NO, Card.YES, Card.YES, Card.YES])
    table.resolve()
    table.nominate()
    return table


def place(case: Case) -> tuple[Seated, bytes]:
    """The game that a mail is for, and the mail with a secret of that game."""
    table = climbing(case.seat, case.moves) if len(case.moves) == 1 else voting()
    decision = table.decision
    if case.moves == _NUMBER:
        decision = table.game.elections[0].decision
    secret = secret_of(table, case.seat, decision).encode()
    return table, with_secret(case.name, secret)


def with_secret(name: str, secret: bytes) -> bytes:
    """A mail of the set, to another address; in capitals where it was so."""
    raw = (MAILS / f"{name}.eml").read_bytes()

    def put(found: re.Match[bytes]) -> bytes:
        return found[1] + (secret.upper() if found[2].isupper() else secret) + found[3]

    return _SECRET.sub(put, raw)


def answer_of(table: Seated, case: Case, decision: int) -> list[bytes]:
    """What a seat has answered to a question."""
    rows = run(
        "SELECT answer FROM answer WHERE game_id = :g AND seat = :s AND decision = :d",
        {"g": table.id, "s": case.seat, "d": decision},
    )
    return [bytes(row[0]) for row in rows]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_counts_is_asked_back_or_is_passed_over(
    boxes: Mailboxes, case: Case
) -> None:
    table, raw = place(case)
    decision = table.decision

    deliver(raw, b"\xff\xfe\x00\x00", raw)

    wanted = Move(case.moves) if len(case.moves) == 1 else Ballot(Card.YES)
    given = [msgspec.json.encode(wanted)] if case.counts else []
    assert answer_of(table, case, decision) == given
    assert len(boxes.answers(table, case.seat)) == case.answered
    again = "automatic" if case.kind == "automatic" else "duplicate"
    assert sorted(journal()) == sorted([case.kind, again, "no token"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_none_acts_where_senders_have_to_be_proved(
    boxes: Mailboxes, inside: Flask, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    mailing_in.open_to(inside, monkeypatch, InboundAuth.REQUIRE)
    table, raw = place(case)
    decision = table.decision

    deliver(raw)

    assert answer_of(table, case, decision) == []
    assert len(boxes.answers(table, case.seat)) == (case.kind != "automatic")
    told = "automatic" if case.kind == "automatic" else "unauthenticated"
    assert journal() == [told]


def test_the_same_mail_much_later_moves_nobody(boxes: Mailboxes) -> None:
    case = CASES[0]
    table, raw = place(case)
    secret = _SECRET.search(raw)
    assert secret is not None
    deliver(raw)
    table.play_until(case.seat)
    decision = table.decision

    deliver(with_secret("same_mail_delivered_again", secret[2]))

    assert table.decision == decision
    assert journal() == ["read", "duplicate"]
    assert boxes.answers(table, case.seat) == []


def test_all_ten_twice_with_two_workers_double_nothing(
    boxes: Mailboxes, inside: Flask
) -> None:
    table = voting()
    decision, old = table.decision, table.game.elections[0].decision
    for case in CASES:
        number = old if case.moves == _NUMBER else decision
        raw = with_secret(case.name, secret_of(table, case.seat, number).encode())
        for _ in range(2):
            incoming_mail.take(raw, "")

    def work() -> None:
        with inside.app_context():
            handling.sweep()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    handling.sweep()

    assert run("SELECT count(*) FROM incoming_mail") == [(0,)]
    assert run("SELECT seat FROM answer WHERE decision = :d", {"d": decision}) != []
    twice = "SELECT seat FROM answer GROUP BY decision, seat HAVING count(*) > 1"
    assert run(twice) == []
    kinds = journal()
    assert kinds.count("automatic") == 6
    assert kinds.count("duplicate") == 6
    for seat in (0, 1, 3):
        assert len(boxes.answers(table, seat)) <= 2
    assert config.of(inside).inbound_auth is InboundAuth.ACCEPT
