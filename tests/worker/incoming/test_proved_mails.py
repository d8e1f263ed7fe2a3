"""Where proofs are wanted: signed mails act, and those that our server vouches for."""

from datetime import timedelta
from types import SimpleNamespace

import msgspec
import pytest
from dns import resolver
from flask import Flask

from engine.commands import Move
from service import config
from service.present import nouns
from service.store import clock
from service.values import entropy, inbound_addresses
from service.values.mail_settings import InboundAuth
from tests.rig.service import mailing_in, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import signed
from tests.rig.worker.answered import (
    Mailboxes,
    address_of,
    deliver,
    journal,
    mail,
    seat_asked,
    secret_of,
    text_of,
)

SERVER = "mx.play.example"


@pytest.fixture
def strict(
    boxes: Mailboxes, inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> Mailboxes:
    """Mailboxes whose mails have to be proved, and a world with one key in its DNS."""
    mailing_in.open_to(inside, monkeypatch, InboundAuth.REQUIRE)
    named = msgspec.structs.replace(config.of(inside), inbound_authserv_id=SERVER)
    monkeypatch.setitem(inside.config, "KINGUP", named)

    def resolve(name: str, *_: object, **more: object) -> list[SimpleNamespace]:
        text = signed.published("example.org")(name.encode())
        if text is None:
            raise resolver.NXDOMAIN
        # A text longer than 255 bytes comes in pieces.
        return [SimpleNamespace(strings=(text[:255], text[255:]))]

    monkeypatch.setattr(resolver, "resolve", resolve)
    return boxes


def to_move(boxes: Mailboxes) -> tuple[Seated, bytes]:
    """A game in its first ascent, and the mail of the seat that is asked."""
    table = seated.started(3, placement="random", rounds=1)
    seat = seat_asked(table)
    [answer, *_] = [each.answer for each in seated.own(table.game, seat).legal]
    assert isinstance(answer, Move)
    assert address_of(seated.person_on(table.id, seat)).endswith("@example.org")
    name = nouns.name_of(answer.character)
    return table, mail(table, boxes.asked(table, seat), f"move {name}")


def test_a_mail_that_its_domain_has_signed_acts(strict: Mailboxes) -> None:
    table, raw = to_move(strict)
    number = table.decision

    deliver(signed.sign(raw, "evil.example"))
    assert table.decision == number

    deliver(signed.sign(raw.replace(b"Message-ID: <", b"Message-ID: <again.")))
    assert table.decision == number + 1
    assert journal() == ["unauthenticated", "read"]


def test_a_mail_that_our_server_has_found_to_be_true_acts(strict: Mailboxes) -> None:
    table, raw = to_move(strict)
    number = table.decision
    good = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org"
    false = good.replace("pass", "fail")

    deliver(f"{false}\r\n{good}\r\n".encode() + signed.sign(raw))
    assert table.decision == number

    again = raw.replace(b"Message-ID: <", b"Message-ID: <again.")
    deliver(f"{good}\r\n{false}\r\n".encode() + again)
    assert table.decision == number + 1
    assert journal() == ["unauthenticated", "read"]


def test_what_is_forged_uses_up_nothing_of_its_owners_answers(
    strict: Mailboxes,
) -> None:
    table, raw = to_move(strict)
    seat = seat_asked(table)
    asks = raw.replace(b"\r\n\r\nmove ", b"\r\n\r\nWho is ")
    assert asks != raw

    deliver(raw)
    deliver(signed.sign(asks.replace(b"Message-ID: <", b"Message-ID: <again.")))

    assert journal() == ["unauthenticated", "read"]
    assert len(strict.answers(table, seat)) == 2


def test_no_number_of_strangers_mails_keeps_ones_own_from_acting(
    strict: Mailboxes,
) -> None:
    table, raw = to_move(strict)
    number = table.decision
    others = raw.replace(b"From: Somebody <", b"From: Else <else.")
    for index in range(0, 120, 5):
        coming = (b"Message-ID: <%d." % n for n in range(index, index + 5))
        deliver(*(others.replace(b"Message-ID: <", each) for each in coming))
    strangers = journal()

    deliver(signed.sign(raw))

    assert strangers == ["other sender"] * 20 + ["passed over"] * 100
    assert table.decision == number + 1


def secret_in(raw: bytes) -> str:
    """The secret in the address that a mail goes to."""
    (secret,) = inbound_addresses.answer_secrets(raw.decode())
    return secret


def forge(table: Seated, seat: int, secret: str) -> None:
    """As many unproved mails with a secret as name servers are asked for."""
    run(
        "INSERT INTO mail_journal (game_id, seat, kind, secret_hash)"
        " SELECT :g, :s, 'unauthenticated', :h FROM generate_series(1, 100)",
        {"g": table.id, "s": seat, "h": entropy.digest(secret)},
    )


def test_no_number_of_forged_mails_keeps_one_from_acting_that_our_server_vouches_for(
    strict: Mailboxes,
) -> None:
    table, raw = to_move(strict)
    number = table.decision
    forge(table, seat_asked(table), secret_in(raw))
    good = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org"

    deliver(f"{good}\r\n".encode() + raw)

    assert table.decision == number + 1


def test_name_servers_are_asked_for_a_hundred_mails_with_a_secret_an_hour(
    strict: Mailboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, raw = to_move(strict)
    seat, number = seat_asked(table), table.decision
    forge(table, seat, secret_in(raw))
    asked: list[str] = []
    with monkeypatch.context() as heard:
        heard.setattr(resolver, "resolve", lambda name, *_, **more: asked.append(name))
        deliver(signed.sign(raw))
    assert asked == []
    assert table.decision == number
    assert sorted(journal())[0] == "not looked up"

    clock.shift(timedelta(hours=1, minutes=1))
    deliver(signed.sign(raw))
    assert table.decision == number + 1


def test_forged_mails_use_up_no_other_secret_of_the_question(
    strict: Mailboxes,
) -> None:
    table, raw = to_move(strict)
    seat, number = seat_asked(table), table.decision
    secret = secret_in(raw)
    forge(table, seat, secret)
    another = secret_of(table, seat, number)

    deliver(signed.sign(raw.replace(secret.encode(), another.encode())))

    assert table.decision == number + 1


def test_old_secrets_of_a_seat_share_what_name_servers_are_asked(
    strict: Mailboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, raw = to_move(strict)
    seat, number = seat_asked(table), table.decision
    forge(table, seat, secret_of(table, seat, number - 1))
    other = secret_of(table, seat, number - 2).encode()
    asked: list[str] = []
    with monkeypatch.context() as heard:
        heard.setattr(resolver, "resolve", lambda name, *_, **more: asked.append(name))
        deliver(signed.sign(raw.replace(secret_in(raw).encode(), other)))
    assert asked == []

    deliver(signed.sign(raw))
    assert table.decision == number + 1


def test_whose_mails_nobody_looks_up_is_told_once_a_question_to_use_the_link(
    strict: Mailboxes,
) -> None:
    table, raw = to_move(strict)
    seat = seat_asked(table)
    again = (raw.replace(b"Message-ID: <", b"Message-ID: <%d." % n) for n in range(3))
    deliver(raw)
    forge(table, seat, secret_in(raw))

    deliver(*map(signed.sign, again))

    assert journal().count("not looked up") == 3
    first, second = strict.answers(table, seat)
    assert first["Subject"] == second["Subject"]
    assert "Answer by this link" in text_of(second)


def test_no_program_is_told_that_nobody_looks_up_what_it_sends(
    strict: Mailboxes,
) -> None:
    table, raw = to_move(strict)
    seat = seat_asked(table)
    forge(table, seat, secret_in(raw))

    deliver(raw.replace(b"text/plain", b"text/calendar"))

    assert "automatic" in journal()
    assert strict.answers(table, seat) == []
