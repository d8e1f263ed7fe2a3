"""What a bounce tells: the return path it went to, and whether it is for good."""

import time

import pytest

from tests.rig.worker.reports import report
from worker.incoming import delivery_reports

TOKEN = "abcdefghijklmnopqrstuvwxyz"
PATH = f"game+b.{TOKEN}@play.example.org"


@pytest.mark.parametrize(
    ("raw", "envelope", "expected"),
    [
        (b"", PATH, TOKEN),
        (b"", PATH.upper(), TOKEN),
        (report(to=PATH), "", TOKEN),
        (b"Delivered-To: " + PATH.encode() + b"\n\nbody", "", TOKEN),
        (b"", f"game+{TOKEN}@play.example.org", None),
        (report(to="game@play.example.org"), "", None),
        # Who quotes one in the text, or names two, has sent none back.
        (b"To: game@play.example.org\n\n" + PATH.encode(), "", None),
        (report(to=f"{PATH}>, <game+b.{'z' * 26}@play.example.org"), "", None),
        (report(to=PATH), f"game+{TOKEN}@play.example.org", None),
    ],
)
def test_a_bounce_is_what_went_to_a_return_path(
    raw: bytes, envelope: str, expected: str | None
) -> None:
    assert delivery_reports.token(raw, envelope) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (report("5.1.1"), {"5"}),
        (report("5.7.26"), {"5"}),
        (report("4.2.2", "delayed"), {"4"}),
        (report("2.0.0", "delivered"), {"2"}),
        (report("2.1.5\r\n\r\nStatus: 5.1.1"), {"2", "5"}),
        (report("five"), set()),
        (report().replace(b"multipart/report", b"multipart/mixed"), set()),
        (b"Subject: Undelivered\r\n\r\nStatus: 5.1.1\r\n", set()),
        (b"Content-Type: multipart/report\r\n\r\nStatus: 5.1.1\r\n", set()),
        (b"\x00\xff" * 1000, set()),
        (b"", set()),
    ],
)
def test_only_the_statuses_of_a_report_for_programs_count(
    raw: bytes, expected: set[str]
) -> None:
    assert set(delivery_reports._statuses(raw)) == expected


def nested(inner: bytes, depth: int) -> bytes:
    """Parts inside each other in what says that it is a report."""
    head = b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n"
    return head + inner * depth


PARTS = b"".join(
    b"Content-Type: multipart/report; boundary=%d\n\n--%d\n" % (each, each)
    for each in range(900)
)


@pytest.mark.parametrize(
    "raw",
    [
        nested(b"Content-Type: message/rfc822\r\n\r\n", 1500),
        PARTS + b"\n" * 4_900,
        nested(b"Content-Type: message/delivery-status\r\n\r\n", 1) + b"\n" * 60_000,
        nested(b"Content-Type: message/delivery-status\r\r", 1) + b"\r" * 60_000,
    ],
    ids=["mails", "parts", "lines", "returns"],
)
def test_what_was_made_to_keep_its_reader_busy_is_no_report(raw: bytes) -> None:
    before = time.process_time()

    assert delivery_reports._statuses(raw) == frozenset()

    assert time.process_time() - before < 0.5


def test_what_the_library_stumbles_over_is_no_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delivery_reports, "_MOST_NESTING", 10_000)

    raw = nested(b"Content-Type: message/rfc822\r\n\r\n", 1500)

    assert delivery_reports._statuses(raw) == frozenset()
