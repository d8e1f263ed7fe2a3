"""Whether a mail is from whom it says: what our server found, or who has signed it."""

import time
from collections.abc import Callable

import dkim
import msgspec
import pytest

from service import config
from service.values.mail_settings import InboundAuth
from tests.rig.service.environs import COMPLETE
from tests.rig.worker import reading, signed

ANN = "ann@example.org"
REQUIRE = config.load(COMPLETE)
ACCEPT = config.load(COMPLETE | {"INBOUND_AUTH": "accept"})
SERVER = "mx.play.example"

MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: game@play.example.org\r\n"
    b"Subject: Re: Your vote\r\nContent-Type: text/plain\r\n\r\nyes\r\n"
)

Lookup = Callable[[bytes], bytes | None]


@pytest.fixture(autouse=True)
def inside() -> None:
    """No database: a mail is bytes."""


def nowhere(name: bytes) -> bytes | None:
    """A name server that knows nothing."""
    return None


def forbidden(name: bytes) -> bytes | None:
    """A name server that nobody is to ask."""
    raise AssertionError(name)


def proved(
    *findings: str,
    sender: str = ANN,
    auth: InboundAuth = InboundAuth.REQUIRE,
    server: str | None = SERVER,
) -> bool:
    """Whether a mail without a signature is believed for what its headers say."""
    said = "".join(f"Authentication-Results: {each}\r\n" for each in findings)
    settings = msgspec.structs.replace(
        REQUIRE, inbound_auth=auth, inbound_authserv_id=server
    )
    return reading.is_proved(said.encode() + MAIL, sender, settings, nowhere)


def is_signed(mail: bytes, look_up: Lookup, sender: str = ANN) -> bool:
    return reading.is_proved(mail, sender, REQUIRE, look_up)


@pytest.mark.parametrize(
    "finding",
    [
        f"{SERVER}; dmarc=pass header.from=example.org",
        f"{SERVER.upper()} 1; DMARC=PASS (p=none) header.From=Example.org",
        f"{SERVER};\r\n\tspf=fail smtp.mailfrom=x@y.z;\r\n\tdmarc=pass"
        " (p=REJECT sp=REJECT) header.from=example.org",
        f"{SERVER}; dkim=pass header.d=example.org",
        f"{SERVER}; dkim=pass header.i=@example.org header.s=a",
        f"{SERVER}; dkim=fail header.d=example.org; dkim=pass header.d=example.org",
        f"{SERVER}; spf=pass smtp.mailfrom=ann@example.org",
        f"{SERVER}; spf=pass smtp.mailfrom=example.org",
        f"{SERVER}; dmarc=none header.from=example.org; dkim=pass header.d=example.org",
    ],
)
def test_what_our_server_has_found_proves_a_mail(finding: str) -> None:
    assert proved(finding)


@pytest.mark.parametrize(
    "finding",
    [
        f"{SERVER}; dmarc=fail header.from=example.org; dkim=pass header.d=example.org",
        f"{SERVER}; dmarc=pass header.from=example.com",
        f"{SERVER}; dmarc=pass",
        f"{SERVER}; dmarc=pass header.from=example.org header.from=example.org",
        f"{SERVER}; dmarc=pass header.from=example.org; dmarc=pass header.from=b.org",
        f"{SERVER}; dkim=pass header.d=example.com",
        f"{SERVER}; dkim=pass header.d=ample.org",
        f"{SERVER}; dkim=pass header.d=sub.example.org",
        f"{SERVER}; dkim=pass header.d=org",
        f"{SERVER}; dkim=pass header.d=",
        f"{SERVER}; dkim=neutral header.d=example.org",
        f"{SERVER}; dkim=none (dkim=pass header.d=example.org)",
        f'{SERVER}; dkim=none reason="x; dkim=pass header.d=example.org"',
        f"{SERVER}; spf=softfail smtp.mailfrom=ann@example.org",
        f"{SERVER}; spf=pass smtp.helo=example.org",
        f"{SERVER}; spf=pass smtp.mailfrom=example.org@evil.example",
        f"{SERVER}; arc=pass header.d=example.org; iprev=pass",
        f"{SERVER}; none",
        f"{SERVER}",
        f"{SERVER}.evil.example; dmarc=pass header.from=example.org",
        "; dmarc=pass header.from=example.org",
        "dmarc=pass header.from=example.org",
        f"{SERVER}; dkim=pass header.d=example.org" + " (a)" * 2000,
        f"{SERVER}; " + "(" * 3_900,
        f"{SERVER} " + "(" * 3_900,
    ],
)
def test_anything_else_proves_nothing(finding: str) -> None:
    assert not proved(finding)


def test_only_the_topmost_findings_are_believed_and_only_our_servers() -> None:
    good = f"{SERVER}; dmarc=pass header.from=example.org"

    assert proved(good, "mx.evil.example; dmarc=fail header.from=example.org")
    assert not proved("mx.evil.example; dmarc=pass header.from=example.org", good)
    assert not proved(f"{SERVER}; dmarc=fail header.from=example.org", good)
    assert not proved("not to be read", good)
    assert not proved(good, server=None)
    assert not proved(good, server="mx.other.example")


def test_what_our_server_has_found_is_about_the_senders_domain() -> None:
    good = f"{SERVER}; dmarc=pass header.from=xn--bcher-kva.example"

    assert proved(good, sender="ann@bücher.example")
    assert not proved(good, sender="ann@bucher.example")
    assert proved(f"{SERVER}; dkim=pass header.d=example.org", sender="a@b.example.org")


def test_accepting_takes_what_nobody_has_proved_and_not_what_was_found_false() -> None:
    accept = InboundAuth.ACCEPT

    assert proved(auth=accept)
    assert proved("mx.evil.example; dmarc=fail header.from=example.org", auth=accept)
    assert proved(f"{SERVER}; dmarc=none header.from=example.org", auth=accept)
    assert not proved(f"{SERVER}; dmarc=fail header.from=example.org", auth=accept)
    assert not proved(auth=accept, sender="")


def test_a_mail_signed_by_its_senders_domain_is_proved() -> None:
    mail = signed.sign(MAIL)

    assert is_signed(mail, signed.published())
    assert is_signed(mail, signed.published(), sender="ANN@Example.ORG")
    assert not is_signed(mail, nowhere)
    assert not is_signed(MAIL, signed.published())


def test_a_signature_holds_for_a_domain_below_and_for_no_other() -> None:
    mail = signed.sign(MAIL.replace(b"ann@example.org", b"ann@sub.example.org"))

    assert is_signed(mail, signed.published(), sender="ann@sub.example.org")
    below = signed.sign(MAIL, "sub.example.org")
    assert not is_signed(below, forbidden)
    assert not is_signed(signed.sign(MAIL, "evil.example"), forbidden)
    assert not is_signed(signed.sign(MAIL, "org"), forbidden)


def test_one_good_signature_among_others_is_enough() -> None:
    good = signed.sign(signed.sign(MAIL, "list.example"))

    assert is_signed(good, signed.published())
    assert is_signed(signed.sign(good, "other.example"), signed.published())


@pytest.mark.parametrize("signatures", [0, 3])
def test_a_mail_is_taken_apart_once_however_many_have_signed_it(
    monkeypatch: pytest.MonkeyPatch, signatures: int
) -> None:
    mail = signed.sign(MAIL, "list.example").removesuffix(MAIL) * signatures + MAIL
    parse, parsed = dkim.rfc822_parse, []

    def count(raw: bytes) -> object:
        parsed.append(raw)
        return parse(raw)

    monkeypatch.setattr(dkim, "rfc822_parse", count)

    assert not is_signed(mail, signed.published())
    assert len(parsed) == 1


def test_no_more_than_a_few_keys_are_asked_for() -> None:
    asked = []

    def count(name: bytes) -> bytes | None:
        asked.append(name)
        return None

    signature = signed.sign(MAIL).removesuffix(MAIL)
    others = signed.sign(MAIL, "list.example").removesuffix(MAIL)

    assert not is_signed(signature * 50 + MAIL, count)

    assert len(asked) == 3
    assert is_signed(others * 9 + signature + MAIL, signed.published())
    assert not is_signed(others * 10 + signature + MAIL, signed.published())


@pytest.mark.parametrize(
    "change",
    [
        (b"yes", b"no!"),
        (b"yes\r\n", b"yes\r\nand more\r\n"),
        (b"ann@example.org", b"bob@example.org"),
        (b"Re: Your", b"Re: Our"),
        (b"From:", b"From: Bob <bob@example.org>\r\nFrom:"),
        (b"\r\n\r\nyes", b"\r\nFrom: bob@example.org\r\n\r\nyes"),
    ],
)
def test_a_signature_is_of_the_mail_as_it_was_sent(change: tuple[bytes, bytes]) -> None:
    mail = signed.sign(MAIL)
    at = mail.rindex(MAIL)

    assert not is_signed(mail[:at] + MAIL.replace(*change, 1), signed.published())


def test_a_signature_of_a_part_of_the_body_proves_nothing() -> None:
    assert not is_signed(signed.sign(MAIL, length=True), signed.published())


def test_a_signature_that_leaves_out_the_sender_proves_nothing() -> None:
    mail = signed.sign(MAIL, without=[b"from"])

    assert not is_signed(mail, signed.published())


def test_a_signature_that_is_over_proves_nothing() -> None:
    day = 24 * 60 * 60
    over, lasting = (
        signed.sign(MAIL, more={b"t": b"1", b"x": str(int(time.time()) + n).encode()})
        for n in (-day, day)
    )

    assert not is_signed(over, signed.published())
    assert is_signed(lasting, signed.published())


def test_a_short_key_proves_nothing() -> None:
    mail = signed.sign(MAIL, key=signed.SHORT)
    short = signed.published(text=signed.record(signed.SHORT))

    assert signed.SHORT.modulus.bit_length() < 1024
    assert not is_signed(mail, short)


def test_an_old_hash_proves_nothing() -> None:
    mail = signed.sign(MAIL, algorithm=b"rsa-sha1")

    assert not is_signed(mail, signed.published())


@pytest.mark.parametrize(
    ("record", "taken"),
    [
        (signed.record(flags="t=s; "), True),
        (signed.record(flags="t=y; "), False),
        (signed.record(flags="t = s : y; "), False),
        (signed.record() + b"; n=" + b"a" * 1000, False),
        (b"v=DKIM1; p=", False),
        (b"v=DKIM2; k=rsa; p=AAAA", False),
        (b"k=ed25519; p=AAAA", False),
        (b"p=" + b"A" * 300, False),
        (b"\xff;;;=", False),
        (b"", False),
    ],
)
def test_a_key_on_trial_or_broken_proves_nothing(record: bytes, taken: bool) -> None:
    mail = signed.sign(MAIL)

    assert is_signed(mail, lambda name: record) is taken


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n\r\n",
        b" folded before anything\r\n\r\nyes",
        b"DKIM-Signature: \r\nFrom: a\r\n\r\nyes",
        b"DKIM-Signature: d=example.org; v=1\r\n\r\nyes",
        b"DKIM-Signature: v=1; a=rsa-sha256; b=AA; bh=AA; d=; h=from; s=; i=\r\n\r\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; b=A A=; bh==; d=example.org; h=:; s=\xff"
        b"\r\n\r\n",
        b"garbage\r\n" + MAIL,
        b"Authentication-Results: \xff\xfe;=;(\r\n" + MAIL,
    ],
)
def test_no_bytes_stop_a_proof(raw: bytes) -> None:
    settings = msgspec.structs.replace(REQUIRE, inbound_authserv_id=SERVER)

    assert not reading.is_proved(raw, ANN, settings, signed.published())


@pytest.mark.parametrize(
    "raw",
    [
        signed.sign(MAIL) + b" " * 1_000_000 + b"a",
        signed.sign(MAIL) + b"\t \t" * 100,
        signed.sign(b"X: " + b"\r\n a" * 30_000 + b"\r\n" + MAIL),
        b"X: a" + b"\r\n \t" * 5_000 + b"a\r\n" + signed.sign(MAIL),
    ],
    ids=["a long run", "a run", "a long head", "a run in the head"],
)
def test_what_would_take_too_long_to_check_proves_nothing(raw: bytes) -> None:
    assert not is_signed(raw, signed.published())
