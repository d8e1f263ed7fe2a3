"""Rubbish for mails: whatever the bytes, they are read, and nothing is raised."""

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service import config
from tests.rig.service.environs import COMPLETE
from tests.rig.worker import generated_mails, reading, signed
from worker.incoming import commands

SERVER = "mx.play.example"
REQUIRE = msgspec.structs.replace(config.load(COMPLETE), inbound_authserv_id=SERVER)

WHOLE = [path.read_bytes() for path in sorted(reading.MAILS.iterdir())]
WHOLE += [generated_mails.generate(number).raw for number in range(12)]
WHOLE += [
    signed.sign(WHOLE[0]),
    f"Authentication-Results: {SERVER}; dkim=pass (a) header.d=a.b\r\n".encode()
    + WHOLE[0],
]

_SIGNS = rb"""" \ < > ( ; : = @ -- =?utf-8?B? ?= <!-- --> <style> &# &#x110000; &#xD800;
    From: Content-Type: multipart/ message/rfc822 text/html boundary= charset= utf-16
    charset*0*=utf-8''%FF format=flowed Content-Transfer-Encoding: base64 x-uuencode
    Content-Disposition: attachment filename*0*= b= d= h="""

PIECES = [
    *_SIGNS.split(),
    *(b"\r\n", b"\n", b"\r", b"\0", b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xae"),
    *(b" " * 50, b"begin 644 a\r\n", b"<p hidden>"),
]
"""What means something somewhere in a mail, and is put where it isn't expected."""

CHANGE = st.tuples(
    st.integers(0, 3_000), st.integers(0, 60), st.sampled_from(PIECES) | st.binary()
)
"""Where something is taken out, how much, and what is put there."""


BYTES = settings(
    deadline=None,
    derandomize=True,
    # The words are the same for all examples.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(autouse=True)
def inside() -> Iterator[None]:
    """No database: what is read here is anything."""
    with reading.speaking():
        yield


def read(raw: bytes) -> None:
    """Read bytes as far as a mail is read; what comes of it can be kept as text."""
    found = reading.letter_of(raw)
    for offers in (reading.CARDS, reading.MOVES, reading.PLACEMENTS):
        commands.read(found.lines, offers, reading.PLACES, reading.DESTINATIONS)
    said = (commands.said_alone(found.lines), found.sender, found.message_id)
    reading.is_proved(raw, "ann@example.org", REQUIRE, lambda _: signed.record())

    assert all(line and "\n" not in line for line in found.lines)
    "\n".join((*found.lines, *said)).encode()


@BYTES
@given(st.binary(max_size=2_000))
def test_bytes_that_are_no_mail_are_read(raw: bytes) -> None:
    read(raw)


@BYTES
@given(st.sampled_from(WHOLE), st.lists(CHANGE, min_size=1, max_size=8))
def test_mails_that_are_broken_are_read(
    raw: bytes, changes: list[tuple[int, int, bytes]]
) -> None:
    for position, less, more in changes:
        at = position % len(raw)
        raw = raw[:at] + more + raw[at + less :] or b"\n"

    read(raw)
