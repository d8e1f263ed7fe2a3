"""A mail that somebody got proves nothing of another that they make of it."""

import dkim
import msgspec
import pytest

from service.values.mail_settings import InboundAuth
from tests.rig.worker import reading, signed
from worker.incoming import headers

SERVER = "mx.play.example"
FOUND = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org\r\n"

TO_BOB = (
    b"From: Ann <ann@example.org>\r\nTo: bob@example.com\r\nSubject: Re: lunch?\r\n"
    b"Message-ID: <1@example.org>\r\n\r\nNo\r\n"
)
TO_US = TO_BOB.replace(b"bob@example.com", b"game@play.example.org")

ONCE = [
    "From",
    "To",
    "Cc",
    "Date",
    "Subject",
    "Message-ID",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
]

GOOGLES = (
    b"to:subject:message-id:date:from:mime-version:from:to:cc:subject:date:message-id"
    b":reply-to"
).split(b":")
"""What Google's servers sign: no Content-Type."""


@pytest.fixture(autouse=True)
def inside() -> None:
    """No database: a mail is bytes."""


def is_signed(raw: bytes, sender: str = "ann@example.org") -> bool:
    look_up = signed.published()
    return reading.is_proved(raw, sender, reading.REQUIRE, look_up)


def is_vouched_for(raw: bytes, auth: InboundAuth = InboundAuth.REQUIRE) -> bool:
    """Whether a mail is proved by what stands at its top in our server's name."""
    settings = msgspec.structs.replace(
        reading.REQUIRE, inbound_auth=auth, inbound_authserv_id=SERVER
    )
    return reading.is_proved(raw, "ann@example.org", settings, lambda name: None)


def by_google(mail: bytes) -> bytes:
    signature: bytes = dkim.DKIM(mail).sign(
        signed.SELECTOR,
        b"example.org",
        signed.GOOD.pem,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=GOOGLES,
    )
    return signature + mail


HIDDEN = [
    b"From : <ann@example.org>\r\n",
    b"From\t: <ann@example.org>\r\n",
    b"X-A: a\rFrom: <ann@example.org>\r\n",
    b"X-A: a\r\rNo\r\n -- \r\n",
    b"X-A: a\r\r\n",
    b"X-A: a\0\r\n",
    b" folded\r\n",
    b"From ann@example.org Mon Nov 30 10:00:00 2026\r\n",
    b"no header\r\n",
    b": \r\n",
    b"\xc3\xa4: a\r\n",
]


@pytest.mark.parametrize("line", HIDDEN)
def test_a_head_that_two_programs_read_differently_proves_nothing(line: bytes) -> None:
    assert is_signed(signed.sign(TO_US))
    assert not is_signed(line + signed.sign(TO_US))
    assert is_vouched_for(FOUND.encode() + TO_US)
    assert not is_vouched_for(line + FOUND.encode() + TO_US)
    assert not is_vouched_for(line + TO_US, InboundAuth.ACCEPT)


def test_a_sender_stands_in_a_from_alone_and_above_the_text() -> None:
    near = headers.of(b"From : <ann@example.org>\r\nFrom: bob@example.org\r\n\r\n")
    ended = headers.of(b"X-A: a\r\rNo\r\nFrom: bob@example.org\r\n\r\n")

    assert headers.sender(near).address == "bob@example.org"
    assert headers.sender(ended).address == "bob@example.org"


@pytest.mark.parametrize("name", ONCE)
def test_what_says_who_wrote_what_to_whom_stands_once(name: str) -> None:
    line = f"{name}: a\r\n".encode()
    twice = line if name.encode() in TO_US else line * 2

    assert is_vouched_for(FOUND.encode() + b"Received: a\r\n" * 2 + TO_US)
    assert not is_vouched_for(FOUND.encode() + twice + TO_US)
    assert not is_vouched_for(twice.lower() + TO_US, InboundAuth.ACCEPT)


@pytest.mark.parametrize("name", ["To", "Cc"])
def test_a_mail_to_somebody_else_is_not_sent_on_with_us_on_top(name: str) -> None:
    on_top = f"{name}: game@play.example.org\r\n".encode()

    assert is_signed(signed.sign(TO_BOB))
    assert not is_signed(on_top + signed.sign(TO_BOB))


@pytest.mark.parametrize("name", ONCE)
def test_what_is_not_signed_is_anybodys(name: str) -> None:
    line = f"{name}: a\r\n".encode()
    mail = TO_US if name.encode() in TO_US else line + TO_US

    assert is_signed(signed.sign(mail))
    assert not is_signed(signed.sign(mail, without=[name.lower().encode()]))


def test_no_other_part_of_a_signed_mail_is_put_in_front() -> None:
    mail = TO_US.replace(b"No\r\n", b"Yes\r\n\r\n--cut\r\n\r\nNo\r\n--cut--\r\n")
    cut = b"Content-Type: multipart/mixed; boundary=cut\r\n"

    for sign in (signed.sign, by_google):
        assert is_signed(sign(mail))
        assert not is_signed(cut + sign(mail))


def test_a_kind_that_is_not_signed_is_the_one_that_its_body_shows() -> None:
    kind = b'Content-Type: multipart/alternative; boundary="000a"\r\n'
    mail = kind + TO_US.replace(b"No\r\n", b"--000a\r\n\r\nNo\r\n--000a--\r\n")
    sent = by_google(mail)

    assert is_signed(sent)
    for other in (b"text/plain", b'multipart/alternative; boundary="cut"'):
        assert not is_signed(sent.replace(kind, b"Content-Type: " + other + b"\r\n"))
    two = kind.replace(b'"000a"', b'"000a"; boundary="cut"')
    assert not is_signed(sent.replace(kind, two))
    assert not is_signed(sent.replace(kind, kind * 2))


@pytest.mark.parametrize(
    "spf",
    ["none smtp.helo=[1.2.3.4]", "none smtp.mailfrom=a@b.c smtp.helo=[1.2.3.4]"],
)
def test_what_our_server_found_and_nobody_can_read_is_no_pass(spf: str) -> None:
    said = f"{SERVER}; dmarc=fail header.from=example.org; spf={spf}"
    findings = [said, said.upper(), f"{SERVER}; dmarc=fail" + " (a)" * 2_000]

    for each in findings:
        raw = f"Authentication-Results: {each}\r\n".encode() + TO_US
        assert not is_vouched_for(raw, InboundAuth.ACCEPT)
    other = b"Authentication-Results: mx.evil.example; spf=none smtp.helo=[1]\r\n"
    assert is_vouched_for(other + TO_US, InboundAuth.ACCEPT)
