"""A mail acts once, for its seat and its question alone; whatever else is answered."""

import threading
from uuid import UUID

import psycopg
import pytest
from flask import Flask

from engine.board import Card
from service.game import table_acts
from service.people import incoming_mail
from tests.rig.service import held, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.answered import (
    Mailboxes,
    deliver,
    journal,
    mail,
    seat_asked,
    text_of,
    to_move,
)
from worker.incoming import handling


def test_one_line_moves_a_character(boxes: Mailboxes) -> None:
    table, seat, name = to_move()
    to, number = boxes.asked(table, seat), table.decision

    deliver(mail(table, to, f"Move {name.upper()}!\r\n\r\nCheers"))

    assert table.decision == number + 1
    assert journal() == ["read"]
    assert boxes.answers(table, seat) == []
    assert run("SELECT source FROM answer WHERE decision = :d", {"d": number}) == [
        ("person",)
    ]


def test_the_same_mail_again_is_passed_over_in_silence(boxes: Mailboxes) -> None:
    table, seat, name = to_move()
    raw = mail(table, boxes.asked(table, seat), f"move {name}")

    deliver(raw, raw)
    deliver(b"Received: from elsewhere\r\n" + raw)

    assert journal() == ["read", "duplicate", "duplicate"]
    assert boxes.answers(table, seat) == []
    assert run("SELECT count(*) FROM incoming_mail") == [(0,)]


def test_without_a_message_id_it_is_known_by_what_it_says(boxes: Mailboxes) -> None:
    table, seat, name = to_move()
    raw = mail(table, boxes.asked(table, seat), f"move {name}", Message_ID="")

    deliver(raw, raw)

    assert journal() == ["read", "duplicate"]


@pytest.mark.parametrize(("words", "acts"), [("move {}", 1), ("say: I think", 0)])
def test_two_workers_do_what_two_copies_say_once(
    boxes: Mailboxes,
    inside: Flask,
    outside: psycopg.Connection,
    words: str,
    acts: int,
) -> None:
    table, seat, name = to_move()
    number = table.decision
    raw = mail(table, boxes.asked(table, seat), words.format(name))
    for _ in range(2):
        incoming_mail.take(raw, "")
    mails = [row[0] for row in run("SELECT id FROM incoming_mail")]
    # Both have found that no such mail was read, and wait for the game.
    outside.execute("SELECT FROM game WHERE id = %s FOR UPDATE", (table.id,))

    def work(number: UUID) -> None:
        with inside.app_context():
            handling.handle(number)

    workers = [threading.Thread(target=work, args=(each,)) for each in mails]
    for worker in workers:
        worker.start()
    held.until_somebody_waits(outside, 2)
    outside.rollback()
    for worker in workers:
        worker.join()

    assert table.decision == number + acts
    assert len(run("SELECT FROM message")) == 1 - acts
    assert sorted(journal()) == ["duplicate", "read"]
    assert run("SELECT count(*) FROM incoming_mail") == [(0,)]


def test_what_is_no_command_is_answered_once_a_question(boxes: Mailboxes) -> None:
    table, seat, _ = to_move()
    to, number = boxes.asked(table, seat), table.decision

    deliver(mail(table, to, "Who shall it be?"))
    deliver(mail(table, to, "I really don't know"))

    (told,) = boxes.answers(table, seat)
    assert "didn't count" in told["Subject"]
    assert table.decision == number
    assert journal() == ["read", "read"]
    assert "Can move:" in text_of(told)
    assert ".If" not in text_of(told)


def test_the_answer_to_a_mail_can_be_answered(boxes: Mailboxes) -> None:
    table, seat, name = to_move()
    deliver(mail(table, boxes.asked(table, seat), "Hm"))
    number = table.decision
    assert len(boxes.answers(table, seat)) == 1

    deliver(mail(table, boxes.asked(table, seat), name))

    assert table.decision == number + 1


def test_another_sender_counts_nothing_and_the_seat_is_asked_once(
    boxes: Mailboxes,
) -> None:
    table, seat, name = to_move()
    to, number = boxes.asked(table, seat), table.decision

    for _ in range(3):
        other = "Somebody <else@example.org>"
        deliver(mail(table, to, f"move {name}", From=other))

    assert table.decision == number
    assert journal() == ["other sender"] * 3
    (told,) = boxes.answers(table, seat)
    assert "Was that you?" in told["Subject"]


def test_a_stranger_with_ones_coming_message_id_blocks_nobody(
    boxes: Mailboxes,
) -> None:
    table, seat, name = to_move()
    to, number = boxes.asked(table, seat), table.decision
    coming = "<coming@mail.example.org>"
    stranger = "Else <else@example.org>"

    deliver(mail(table, to, f"move {name}", From=stranger, Message_ID=coming))
    deliver(mail(table, to, f"move {name}", Message_ID=coming))

    assert table.decision == number + 1
    assert journal() == ["other sender", "read"]


def test_a_mail_to_a_question_that_is_over_is_told_so_and_counts_for_no_other(
    boxes: Mailboxes,
) -> None:
    table = seated.in_election(3)
    to = boxes.asked(table, 1)
    table.lay([Card.NO] * 3)
    table.resolve()
    table.nominate()

    deliver(mail(table, to, "yes"))

    assert journal() == ["over"]
    assert len(table.game.asked()) == 3
    (told,) = boxes.answers(table, 1)
    assert "Nothing was done by your mail" in told["Subject"]


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"Return_Path": "<>"},
    ],
    ids=str,
)
def test_what_no_person_sent_is_never_answered(
    boxes: Mailboxes, header: dict[str, str]
) -> None:
    table = seated.in_election(3)

    deliver(mail(table, boxes.asked(table, 0), "yes", **header))

    assert journal() == ["automatic"]
    assert len(table.game.asked()) == 3
    assert boxes.answers(table, 0) == []


@pytest.mark.parametrize(("ours", "kind"), [(True, "automatic"), (False, "no token")])
def test_without_a_secret_of_ours_no_more_than_the_headers_is_read(
    boxes: Mailboxes, ours: bool, kind: str
) -> None:
    table = seated.in_election(3)
    to = {} if ours else {"To": "game@play.example.org"}
    raw = mail(table, boxes.asked(table, 0), "yes", **to)

    # That no person sent it, its body alone says.
    deliver(raw.replace(b"text/plain", b"text/calendar"))

    assert journal() == [kind]


def test_without_a_secret_of_ours_nobody_is_answered(boxes: Mailboxes) -> None:
    table = seated.in_election(3)
    to = boxes.asked(table, 0)

    for made_up in ("a" * 26, to.token[:-1] + ("b" if to.token[-1] == "a" else "a")):
        address = f"game+{made_up}@play.example.org"
        deliver(mail(table, to, "yes", To=address))
    deliver(b"", b"\xff\xfe\x00", b"To: game@play.example.org\r\n\r\nyes")

    assert journal() == ["no token"] * 5
    assert len(table.game.asked()) == 3
    assert boxes.answers(table, 0) == []


def test_an_answer_to_what_asks_nothing_brings_the_open_question(
    boxes: Mailboxes,
) -> None:
    table = seated.in_election(3)
    boxes.asked(table, 0)
    table.lay([Card.NO] * 3)
    table.resolve()
    asked = seat_asked(table)
    other = (asked + 1) % 3
    to = boxes.asked(table, other, "reply-ask")
    table.nominate()
    before = len(boxes.sink.raw)

    deliver(mail(table, to, "yes"))

    assert journal() == ["read"]
    assert len(table.game.asked()) == 3
    boxes.asked(table, other)
    assert len(boxes.sink.raw) > before


def test_votes_are_laid_and_the_last_one_resolves(boxes: Mailboxes) -> None:
    table = seated.in_election(3)
    number = table.decision
    for seat, words in enumerate(("yes", "My card is NO.", "oui")):
        deliver(mail(table, boxes.asked(table, seat), words))

    assert table.game.election_complete
    assert journal() == ["read"] * 3
    assert {row[0] for row in run("SELECT outcome FROM mailed_vote")} == {"counted"}
    table.resolve()
    assert table.decision == number + 1


def test_what_is_said_with_an_answer_is_said_at_the_table(boxes: Mailboxes) -> None:
    table, seat, name = to_move()

    deliver(mail(table, boxes.asked(table, seat), f"{name}\r\nsay: Up you go"))

    assert run("SELECT line, seat FROM message") == [("Up you go", seat)]


def test_what_is_said_alone_is_said_and_answers_nothing(boxes: Mailboxes) -> None:
    table, seat, _ = to_move()
    number = table.decision

    deliver(mail(table, boxes.asked(table, seat), "say: Let me think"))

    assert run("SELECT line, seat FROM message") == [("Let me think", seat)]
    assert table.decision == number
    assert boxes.answers(table, seat) == []


def test_what_cannot_be_said_holds_the_answer_back(boxes: Mailboxes) -> None:
    table, seat, name = to_move()
    number = table.decision
    words = f"{name}\r\nsay: see https://evil.example/x"

    deliver(mail(table, boxes.asked(table, seat), words))

    assert table.decision == number
    assert len(boxes.answers(table, seat)) == 1


def test_of_one_seat_twenty_mails_an_hour_are_read(boxes: Mailboxes) -> None:
    table, seat, name = to_move()
    to, number = boxes.asked(table, seat), table.decision
    for index in range(20):
        other = {"From": "Else <else@example.org>"} if index < 5 else {}
        deliver(mail(table, to, "Hm", **other))
    for _ in range(5):
        deliver(mail(table, to, "Hm"))

    deliver(mail(table, to, name))

    assert journal() == ["other sender"] * 5 + ["read"] * 20 + ["too many"]
    assert table.decision == number
    (told,) = (
        each for each in boxes.answers(table, seat) if "wasn't read" in each["Subject"]
    )
    assert "The question is still open." in text_of(told)


def test_an_answer_to_an_invitation_is_told_that_its_link_is_for_that(
    boxes: Mailboxes,
) -> None:
    table = Seated(seated.draft(3))
    seated.confirm(table.id)
    to = boxes.asked(table, 1, "reply-ask")

    deliver(mail(table, to, "yes, gladly"))

    assert seated.seats(table.id)[1][2] == "invited"
    (told,) = boxes.answers(table, 1)
    assert "by the link of the mail that asks you" in text_of(told)
    assert "when it is your turn" not in text_of(told)


def test_whose_seat_a_bot_keeps_is_promised_no_turn(boxes: Mailboxes) -> None:
    table = seated.in_election(3)
    boxes.asked(table, 1)
    table.lay([Card.NO] * 3)
    table.resolve()
    (asked,) = table.game.asked()
    other = (asked + 1) % 3
    to = boxes.asked(table, other, "reply-ask")
    table.nominate()
    table_acts.depart(table.id, table.holder(other), other)

    deliver(mail(table, to, "yes"))

    (told,) = boxes.answers(table, other)
    assert "Nothing is asked of you now." in text_of(told)
    assert "when it is your turn" not in text_of(told)


def test_an_answer_to_the_end_of_a_game_is_told_that_nothing_is_asked(
    boxes: Mailboxes,
) -> None:
    table = seated.started(3, placement="random", rounds=1)
    table.finish()
    to = boxes.asked(table, 1, "reply-ask")

    for _ in range(2):
        deliver(mail(table, to, "Well played"))

    (told,) = boxes.answers(table, 1)
    assert "Nothing is asked of you now." in text_of(told)
    assert journal() == ["read", "read"]
