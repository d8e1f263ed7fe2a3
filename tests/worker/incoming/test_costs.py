"""What a mail costs to be read: no more than its length, whatever it is made of."""

import time
from collections.abc import Iterator

import pytest

from tests.rig.worker import reading
from tests.rig.worker.reading import CARDS, page, plain
from worker.incoming import commands

MEGABYTE = 1_000_000

USUAL = plain("yes\r\n\r\n" + "some words that somebody writes\r\n" * 8_000)
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
