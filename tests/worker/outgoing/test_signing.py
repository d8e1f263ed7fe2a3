"""Mails signed with a key of ours: what a server that takes them can rely on."""

from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import dkim
import msgspec
import pytest
from flask import Flask

from service import config
from service.store import clock
from service.values import dkim_keys
from tests.rig import signing_keys
from tests.rig.service import seated
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, send

KEY = dkim_keys.read(signing_keys.GOOD)


@pytest.fixture
def signing(inside: Flask, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    """This instance has a key."""
    plain = config.of(inside)
    settings = msgspec.structs.replace(plain, dkim_key=KEY, dkim_selector="spring")
    monkeypatch.setitem(inside.config, "KINGUP", settings)
    # Tests live at another time than the machine that verifies.
    verifiers = SimpleNamespace(time=lambda: clock.now().timestamp())
    monkeypatch.setattr(dkim, "time", verifiers)


def published(name: bytes, timeout: int = 5) -> bytes | None:
    """The one record there is in this world's DNS."""
    if name != b"spring._domainkey.localhost.":
        return None
    return f"v=DKIM1; k=rsa; p={KEY.public}".encode()


def holds(mail: bytes) -> bool:
    """Whether a verifier that reads a mail when it was written takes its signature."""
    good: bool = dkim.verify(mail, dnsfunc=published)
    return good


@pytest.mark.usefixtures("signing")
def test_a_mail_that_went_through_a_server_bears_a_signature_that_holds(
    sink: Sink,
) -> None:
    game_id = seated.draft(3)

    send(game_id)

    assert rows.states(game_id) == {"sent": 1}
    assert holds(sink.raw[0])


@pytest.mark.usefixtures("signing")
@pytest.mark.parametrize(
    "name",
    [
        "From",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "Reply-To",
        "List-Unsubscribe",
        "List-Unsubscribe-Post",
    ],
)
def test_nobody_on_the_way_adds_or_changes_what_leads_an_answer(
    sink: Sink, name: str
) -> None:
    send(seated.draft(3))
    mail = sink.raw[0]
    added = f"{name}: <https://evil.example>\r\n".encode()
    old = BytesHeaderParser().parsebytes(mail)[name]

    assert not holds(added + mail)
    assert not holds(mail.replace(b"\r\n\r\n", b"\r\n" + added + b"\r\n", 1))
    if old is not None:
        changed = mail.replace(f"\n{name}: ".encode(), f"\n{name}: x".encode(), 1)
        assert changed != mail
        assert not holds(changed)


@pytest.mark.usefixtures("signing")
def test_the_words_of_a_mail_can_not_be_changed_and_its_spaces_can(sink: Sink) -> None:
    send(seated.draft(3))
    mail = sink.raw[0]
    head, body = mail.split(b"\r\n\r\n", 1)

    assert not holds(head + b"\r\n\r\n" + body.replace(b"table", b"chair", 1))
    assert holds(head + b"\r\n\r\n" + body + b"\r\n\r\n")


@pytest.mark.usefixtures("signing")
def test_a_signature_is_as_old_as_its_mail(sink: Sink) -> None:
    send(seated.draft(3))

    header = BytesHeaderParser().parsebytes(sink.raw[0])
    moment = parsedate_to_datetime(header["Date"])
    assert f"t={int(moment.timestamp())};" in header["DKIM-Signature"]


def test_without_a_key_nothing_is_signed(sink: Sink) -> None:
    send(seated.draft(3))

    assert b"DKIM-Signature" not in sink.raw[0]


@pytest.mark.parametrize("change", [str, lambda pem: pem.replace("\n", "\r\n")])
def test_a_key_is_read_however_its_lines_end(change: type[str]) -> None:
    assert dkim_keys.read(change(signing_keys.GOOD)) == KEY


def test_a_key_is_read_from_one_line_without_its_frame() -> None:
    alone = "".join(signing_keys.GOOD.splitlines()[1:-1])

    assert dkim_keys.read(alone) == KEY
