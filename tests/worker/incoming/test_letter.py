"""Mails as they come: who sent them, to which token, and what they wrote."""

from collections.abc import Iterator

import pytest

from engine.commands import Answer, Move
from tests.rig.worker import reading
from tests.rig.worker.reading import CARDS, MAILS, YES
from worker.incoming import letter
from worker.incoming.commands import Unread

CLIMB = tuple(map(Move, "ACDO"))
VOTE = CARDS[:2]

OUTCOMES: dict[str, tuple[tuple[Answer, ...], Answer | Unread | None]] = {
    "gmail_en_top_reply": (CLIMB, Move("O")),
    "outlook_de_header_block": (CLIMB, Move("D")),
    "iphone_fr_vote": (VOTE, YES),
    "thunderbird_de_bottom_post": (VOTE, YES),
    "quoted_only_en": (CLIMB, Unread.NOTHING),
    "out_of_office_exchange_de": (VOTE, None),
    "vacation_without_headers_fr": (VOTE, None),
    "gmail_reaction": (VOTE, None),
    "same_mail_delivered_again": (CLIMB, Move("O")),
    "late_reply_to_old_ballot_en": (VOTE, YES),
}
"""What each mail was sent to, and what it asks for; None: no person sent it."""

TOKEN = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture(autouse=True)
def inside() -> Iterator[None]:
    """No database: what is read here is a mail alone."""
    with reading.speaking():
        yield


def read(name: str) -> letter.Letter:
    return reading.letter_of((MAILS / f"{name}.eml").read_bytes())


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_mail_asks_for_what_its_writer_wrote(name: str) -> None:
    offers, outcome = OUTCOMES[name]

    found = read(name)

    assert found.automatic is (outcome is None)
    if outcome is not None:
        assert reading.understood(*found.lines, offers=offers) == outcome


def test_the_answers_of_machines_would_ask_for_nothing_either() -> None:
    machines = [name for name, (_, outcome) in OUTCOMES.items() if outcome is None]

    asked = [
        reading.understood(*read(name).lines, offers=CARDS[:2]) for name in machines
    ]

    assert asked == [Unread.NOTHING] * 3


def test_every_mail_of_the_set_is_read() -> None:
    assert {path.stem for path in MAILS.iterdir()} == set(OUTCOMES)


def test_a_mail_delivered_again_has_the_same_id_and_text() -> None:
    first, again = read("gmail_en_top_reply"), read("same_mail_delivered_again")

    assert first == again
    assert first.message_id


def test_a_token_in_capitals_is_the_same_token() -> None:
    found = read("thunderbird_de_bottom_post")

    assert found.token == "juergenvotesonballotthreea"


def test_a_mail_is_for_whom_its_writer_says_and_went_there() -> None:
    ours, another = (f"game+{each}@play.example.org" for each in (TOKEN, TOKEN[::-1]))
    raw = reading.plain("yes", f"To: King Up! <{ours}>")

    assert reading.letter_of(raw).token == TOKEN
    assert reading.letter_of(raw, ours.upper()).token == TOKEN
    assert reading.letter_of(raw, another).token == ""
    assert reading.letter_of(raw, "game@play.example.org").token == ""


def test_a_mail_to_somebody_else_that_is_sent_on_has_no_token() -> None:
    ours = f"game+{TOKEN}@play.example.org"
    raw = reading.plain("yes", "To: bob@example.org", f"Delivered-To: {ours}")

    assert reading.letter_of(raw).token == ""
    assert reading.letter_of(raw, ours).token == ""


@pytest.mark.parametrize(
    "to",
    [
        f"game+{TOKEN}@play.example.org, game+{TOKEN[::-1]}@play.example.org",
        f"game+b.{TOKEN}@play.example.org",
        f"game+{TOKEN}a@play.example.org",
        "game@play.example.org",
    ],
)
def test_two_tokens_are_none_nor_is_what_only_looks_like_one(to: str) -> None:
    assert reading.letter_of(reading.plain("yes", f"To: {to}")).token == ""


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "auto-submitted: AUTO-GENERATED; type=x",
        "Precedence: bulk",
        "Precedence: Auto_Reply",
        "Return-Path: <>",
        "X-Autoreply: yes",
        "X-Failed-Recipients: ann@example.org",
        "List-Id: <people.example.org>",
    ],
)
def test_a_machine_says_that_it_is_one(header: str) -> None:
    found = reading.letter_of(reading.plain("yes", header))

    assert found.automatic


def test_a_machine_is_one_however_often_it_says_so() -> None:
    twice = reading.plain("yes", "Auto-Submitted: no", "Auto-Submitted: auto-replied")

    assert reading.letter_of(twice).automatic


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "Precedence: normal",
        "X-Auto-Response-Suppress: All",
        "Return-Path: <ann@example.org>",
        "X-Mailer: a mailer",
        "List-Unsubscribe: <https://example.org>",
    ],
)
def test_a_person_is_no_machine(header: str) -> None:
    assert not reading.letter_of(reading.plain("yes", header)).automatic


def test_a_bounce_is_automatic_whatever_its_headers_say() -> None:
    status = b"Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n"
    raw = reading.from_ann(reading.parted("report", reading.part("yes"), status))

    assert reading.letter_of(raw).automatic


def test_whoever_attaches_a_date_is_no_machine() -> None:
    date = b"Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\n"
    attached = b"Content-Disposition: attachment\r\n" + date

    for part, automatic in ((date, True), (attached, False)):
        raw = reading.from_ann(reading.parted("mixed", reading.part("yes"), part))
        assert reading.letter_of(raw).automatic is automatic


def test_the_writers_own_name_at_the_end_names_no_character() -> None:
    raw = b"From: Dario Rossi <ann@example.org>\r\n\r\nmove Odessa\r\n\r\nDario\r\n"

    assert reading.letter_of(raw).lines == ("move Odessa",)


def test_a_name_alone_is_no_signature() -> None:
    raw = b"From: Dario <ann@example.org>\r\n\r\nDario\r\n"

    assert reading.letter_of(raw).lines == ("Dario",)


@pytest.mark.parametrize(
    ("twice", "kept"),
    [(("Message-ID: <a@x>",), "<a@x>"), (("Message-ID: <a@x>",) * 2, "")],
)
def test_a_mail_with_two_ids_has_none(twice: tuple[str, ...], kept: str) -> None:
    assert reading.letter_of(reading.plain("yes", *twice)).message_id == kept


def test_of_a_mail_that_is_too_long_the_first_text_alone_is_read() -> None:
    long = "x " * (letter.WHOLE_BYTES // 2)
    parts = (reading.part("yes"), reading.part("no"), reading.part(long))
    raw = reading.from_ann(reading.parted("mixed", *parts))

    assert len(raw) > letter.WHOLE_BYTES
    assert reading.letter_of(raw).lines == ("yes",)
    short = reading.from_ann(reading.parted("mixed", *parts[:2]))
    assert reading.letter_of(short).lines == ("yes", "no")
