"""What others would have a seat do: their words are never taken for its own."""

import textwrap
from collections.abc import Iterator

import pytest

from engine.commands import Answer, Move, Placement
from tests.rig.worker import reading, signed
from tests.rig.worker.reading import CARDS, MOVES, NO, PLACEMENTS, YES, page, plain
from worker.incoming import commands
from worker.incoming.commands import Command, Unread

WROTE = "On 12/2/26 07:12, King Up! wrote:"
LONG = "- Bob: whoever wants to have fun tonight ought to vote with me now, so"


@pytest.fixture(autouse=True)
def inside() -> Iterator[None]:
    """No database: what is read here are mails alone."""
    with reading.speaking():
        yield


def asks(raw: bytes, offers: tuple[Answer, ...] = CARDS) -> Answer | Unread:
    return reading.understood(*reading.lines(raw), offers=offers)


@pytest.mark.parametrize(
    "text",
    [
        # A program wraps what it has marked, and Bob has counted its letters.
        f"{WROTE}\n> {LONG}\nyes\n",
        f"{WROTE}\n> {LONG}\n{LONG}\nyes\n",
        f"{WROTE}\n> - Bob: hello\n{'vote:' * 15}yes\n",
        # Ends of lines that only some programs know.
        f"{WROTE}\n> - Bob: look\u2028yes\n",
        f"{WROTE}\n> - Bob: look\x0byes\n",
        f"{WROTE}\n> - Bob: look\x85yes\n",
        # An answer to Bob, who has asked on purpose.
        f"{WROTE}\n> - Bob: will you come on Sunday?\n\nyes\n\n> The castle:\n",
        # Marks that are no ">".
        "KU> yes\nyes (cut)",
        "| yes\n| yes",
        # Programs that mark nothing.
        f"\n{WROTE}\nyes\n",
        "----- King Up! <game+x@play.example.org> wrote: -----\nyes\n",
        "--- Original ---\nyes",
        "-- \nAnn\nyes\n",
        "Sent from my iPhone\n\nFrom: King Up!\nSent: today\nTo: Ann\nyes\n",
    ],
)
def test_a_quoted_command_is_not_given(text: str) -> None:
    assert asks(plain(text)) is Unread.NOTHING


@pytest.mark.parametrize("width", [60, 66, 72, 76, 78])
def test_no_wrapping_of_what_is_quoted_makes_a_command_of_it(width: int) -> None:
    said = [f"> - Bob: {'aaaa ' * 40}"[:at] + " move Odessa" for at in range(40, 180)]
    texts = (f"{WROTE}\n{textwrap.fill(each, width)}\n" for each in said)

    assert {asks(plain(text), MOVES) for text in texts} == {Unread.NOTHING}


@pytest.mark.parametrize(
    "markup",
    [
        "<blockquote>yes</blockquote>",
        "<blockquote>a</blockquote><p>yes</p><blockquote>b</blockquote>",
        '<span style="display:none">yes</span>',
        '<span style="color:#fff">yes</span><p>hello',
        "<p style='font-size:0'>yes</p>hello",
        "<del>yes</del>",
        "<bdo dir=rtl>no</bdo>",
        '<span style="unicode-bidi:bidi-override;direction:rtl">no</span>',
        "<img alt='yes'><input value='yes'>",
        "<!-- --><!-- > yes --><style>yes</style>",
        "<textarea></p>yes</textarea><p>hello",
        "hello&#10;yes",
        "<div id=divRplyFwdMsg></div>yes",
    ],
)
def test_what_a_page_quotes_hides_or_takes_back_is_not_given(markup: str) -> None:
    assert asks(page(markup)) is Unread.NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "\N{CYRILLIC SMALL LETTER EN}\N{CYRILLIC SMALL LETTER O}",
        "n\N{GREEK SMALL LETTER OMICRON}",
        "\u202eon",
        "\u202dno",
        "n\u0336o\u0336",
        "n\u0338o",
        "№",
        "no\N{WAVING BLACK FLAG}",
    ],
)
def test_what_only_looks_like_a_command_is_none(text: str) -> None:
    assert asks(plain(text)) is Unread.NOTHING


def test_a_file_of_somebody_elses_is_not_read() -> None:
    held = b"Content-Type: text/plain; name=a.txt\r\n\r\nyes"
    shown = b"Content-Disposition: inline; filename=a.txt\r\n\r\nyes"

    for file in (held, shown):
        raw = reading.from_ann(reading.parted("mixed", reading.part(""), file))
        assert asks(raw) is Unread.NOTHING


def test_nothing_is_said_below_a_comment_where_a_quote_may_have_begun() -> None:
    text = "yes\nsay: long live the king\nGood night\nsay: I am a fool\n"

    found = commands.read(reading.lines(plain(text)), CARDS, reading.PLACES)

    assert found == Command(YES, "long live the king")
    alone = reading.lines(plain("Good night\n\nJa?\nsay: I am a fool\n"))
    assert commands.said_alone(alone) == ""


def test_a_mail_to_somebody_else_is_not_sent_on_to_us() -> None:
    mail = b"From: ann@example.org\r\nTo: bob@example.org\r\n\r\nno\r\n"
    to_us = mail.replace(b"bob@example.org", b"game@play.example.org")
    settings, look_up = reading.REQUIRE, signed.published()

    sent_on = signed.sign(mail).removesuffix(mail) + to_us

    assert not reading.is_proved(sent_on, "ann@example.org", settings, look_up)


@pytest.mark.parametrize(
    ("text", "offers", "answer"),
    [
        (f"no\n\n{WROTE}\n> {LONG}\nyes\n", CARDS, NO),
        (f"{WROTE}\n> - Bob: come on Sunday?\n> The castle:\n\nno\n", CARDS, NO),
        ("O>3", PLACEMENTS, Placement("O", "3")),
        ("Odessa > 3", PLACEMENTS, Placement("O", "3")),
        ("move Odessa\n\n-- \nDario\n", MOVES, Move("O")),
    ],
)
def test_ones_own_command_is_given_all_the_same(
    text: str, offers: tuple[Answer, ...], answer: Answer
) -> None:
    assert asks(plain(text), offers) == answer
