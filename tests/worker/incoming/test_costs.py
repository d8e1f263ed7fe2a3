"""What a mail costs to be read: no more than its length, whatever it is made of."""

import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

import pytest

from tests.rig.worker import reading
from tests.rig.worker.reading import CARDS, page, plain
from worker.incoming import (
    commands,
    delivery_reports,
    headers,
    html_looks,
    parts,
    signatures,
    spellings,
)

MEGABYTE = 1_000_000

USUAL = plain("yes\r\n\r\n" + "some words that somebody writes\r\n" * 4_000)
"""256 KiB of plain text, as long as is read whole."""

MOST = 16
"""So many times as much as the usual mail any of these may take."""


def nested(depth: int) -> bytes:
    parts = (
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (n - 1, n)
        for n in range(1, depth)
    )
    head = b"Content-Type: multipart/mixed; boundary=b0\r\n\r\n"
    return reading.from_ann(head + b"".join(parts))


def inside_each_other(count: int, end: str = "\n") -> bytes:
    """Parts of which each line is held against all their boundaries."""
    parts = (
        f"Content-Type:multipart/x;boundary={n}{end}{end}--{n}{end}"
        for n in range(count)
    )
    return "".join(parts).encode()


def of_kind(kind: str, lines: str) -> bytes:
    return f"Content-Type: {kind}; boundary=b\n\n{lines}".encode()


HUGE = {
    "one line": plain("yes\r\n" + "a" * MEGABYTE),
    "words": plain("yes\r\n" + "On 1 " * (MEGABYTE // 5)),
    "quoted": plain("yes\r\n" + "> a\n" * (MEGABYTE // 4)),
    "marks": plain("yes\r\n" + ">" * MEGABYTE),
    "empty": plain("yes\r\n" + "\n" * MEGABYTE),
    "attributions": plain("yes\r\n" + "On 1\n" * (MEGABYTE // 5)),
    "heads": plain("yes\r\n" + "From: a\n" * (MEGABYTE // 8)),
    "placements": plain("yes\r\n" + "a 3\n" * (MEGABYTE // 4)),
    "flowing": plain("").replace(b"utf-8", b"utf-8; format=flowed") + b"a \n" * 400_000,
    "100,000 nested": page("<p>yes</p>" + "<div>" * 100_000),
    "never ended": page("yes" + "<" * MEGABYTE),
    "comments": page("yes" + "<!--" * 250_000),
    "attributes": page("<p " + "a=" * 500_000 + ">yes"),
    "entities": page("yes" + "&#" * 500_000),
    "blanks in styles": page(f"<p style='a{' ' * 1_985}b'>" * 158),
    "noughts in styles": page(f"<p style='opacity:{'0' * 1_985}#'>" * 158),
    "ends never ended": page('</a ="> ="' * 26_000),
    "parts": reading.from_ann(
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        + b"--b\r\n\r\n\r\n" * 90_000
    ),
    "ten deep": nested(10) + b"a" * MEGABYTE,
    "3,000 deep": nested(3_000),
    "parameters": plain("yes", "Content-Type: text/plain; " + ";a*0=b" * 150_000),
    "99 deep": inside_each_other(99) + b"\n" * 310_000,
    "99 deep, of returns": b"X: a\r" + inside_each_other(99, "\r") + b"\r" * 310_000,
    "20 deep": inside_each_other(20) + b"a\n" * 150_000,
    "blank reports": of_kind("message/delivery-status", "\n" * 320_000),
    "digest": of_kind("multipart/digest", "--b\n\n" * 64_000),
    "senders": b"From: " + b'"' * MEGABYTE + b"\r\n\r\nyes",
}


@pytest.fixture(autouse=True)
def inside() -> Iterator[None]:
    """No database: what is measured is the reading alone."""
    with reading.speaking():
        yield


def cost(raw: bytes) -> float:
    """Seconds of the processor's time that it takes to read a mail."""
    begin = time.process_time()
    commands.read(reading.letter_of(raw).lines, CARDS, reading.PLACES)
    return time.process_time() - begin


def test_no_mail_costs_much_more_than_one_of_plain_text() -> None:
    commands.read(("yes",), CARDS, reading.PLACES)
    usual = cost(USUAL)

    costs = {name: cost(raw) / usual for name, raw in HUGE.items()}

    assert {name: times for name, times in costs.items() if times > MOST} == {}


STEEPEST: Final = 8.0
"""Four times the length costs four times as much, and sixteen where it costs its
square."""

TRIES: Final = 4
"""The machine has other things to do, too: the fastest is the least disturbed."""


def look(style: str) -> None:
    """What its style says of a tag; often, for the longest is read in a moment."""
    for _ in range(10):
        html_looks.is_quote({"style": style, "class": style})
        html_looks.is_unseen({"style": style, "color": style})


def read(raw: bytes) -> None:
    commands.read(reading.letter_of(raw).lines, CARDS, reading.PLACES)


def read_page(markup: str) -> None:
    read(page(markup))


def read_text(text: str) -> None:
    read(plain(text))


def read_head(head: str) -> None:
    """All that is read of a mail's head, and of a report's."""
    raw = f"{head}\r\n\r\nyes".encode()
    headers.are_plain(raw, headers.of(raw))
    parts.of(raw, first_alone=False)
    delivery_reports.take("", raw)
    signatures.is_signed(raw, "example.org", lambda _: None)


def read_line(line: str) -> None:
    spellings.folded(line)


def hostile(
    reader: Callable[[str], None], length: int, around: str, *repeated: str
) -> Iterator[tuple[Callable[[str], None], int, str, str, str]]:
    """What is repeated between two pieces of text, which `~` parts."""
    for pieces, each in product(around.split("|"), repeated):
        before, after = pieces.split("~")
        yield reader, length, before, each, after


STYLES = ("a~b", "opacity:~#", "opacity:0.~#", "font:~#", "border-left:~")
HOSTILE = (
    *hostile(look, 450, "|".join(STYLES), " ", "\t", "0", "1", "(", "border-left:"),
    *hostile(look, 450, "~", ";left:-1", ";color:rgb(1", "/*", "/*a*", ";opacity:0"),
    *hostile(look, 450, ";unicode-bidi:~#", "a-", "unicode-bidi:"),
    *hostile(read_page, 4_000, "~", '</a ="> ="', "</a ='> =", '<p a="', "<p a='\""),
    *hostile(read_page, 4_000, "~", "<", "</", "<!", "<title></titlx", "&a", "&#1"),
    *hostile(read_page, 4_000, "<p ~>", "a ", "a  =", '="b=\'"', "a=", " ", "'"),
    *hostile(read_text, 4_000, "~", "On 1 ", ">", "-", "\u0301\u0323", "a@b ", "\t"),
    *hostile(read_text, 4_000, "~", "--a\n", "On 1\n", "a: b@c\n", "wrote:\n"),
    *hostile(read_head, 4_000, "From: ~|To: ~|Subject: ~", " ", '"', "=?a?q?"),
    *hostile(read_head, 4_000, "To: ~|X: ~", "+a", "game+a@", "\n ", "\r", "(", "<"),
    *hostile(read_head, 4_000, "Content-Type: ~", " ", ";a*0=b", ';a="', "\\"),
    *hostile(read_head, 4_000, "~", "a: b\n", "content-type:", "Status: \n", ":"),
    *hostile(read_line, 4_000, "~", "\u0301", "-a", "->", " ", ".", "please "),
)
"""What an expression could try again from each of its places, each for every reader."""


def seconds(reader: Callable[[str], None], text: str) -> float:
    """Of the processor's time, as few as it takes."""
    took: list[float] = []
    for _ in range(TRIES):
        begin = time.process_time()
        reader(text)
        took.append(time.process_time() - begin)
    return min(took)


@pytest.mark.parametrize(("reader", "length", "before", "repeated", "after"), HOSTILE)
def test_what_is_four_times_as_long_costs_about_four_times_as_much(
    reader: Callable[[str], None], length: int, before: str, repeated: str, after: str
) -> None:
    count = length // len(repeated)

    short = seconds(reader, before + repeated * count + after)
    long = seconds(reader, before + repeated * 4 * count + after)

    assert long < STEEPEST * short
