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


def forge(table: Seated, seat: int) -> None:
    """As many unproved mails in a seat's name as name servers are asked for."""
    run(
        "INSERT INTO mail_journal (game_id, seat, kind)"
        " SELECT :g, :s, 'unauthenticated' FROM generate_series(1, 100)",
        {"g": table.id, "s": seat},
    )


def test_no_number_of_forged_mails_keeps_one_from_acting_that_our_server_vouches_for(
    strict: Mailboxes,
) -> None:
    table, raw = to_move(strict)
    number = table.decision
    forge(table, seat_asked(table))
    good = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org"

    deliver(f"{good}\r\n".encode() + raw)

    assert table.decision == number + 1


def test_name_servers_are_asked_for_a_hundred_mails_of_a_seat_an_hour(
    strict: Mailboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, raw = to_move(strict)
    seat, number = seat_asked(table), table.decision
    forge(table, seat)
    asked: list[str] = []
    with monkeypatch.context() as heard:
        heard.setattr(resolver, "resolve", lambda name, *_, **more: asked.append(name))
        deliver(signed.sign(raw))
    assert asked == []
    assert table.decision == number
    assert sorted(journal())[0] == "passed over"

    clock.shift(timedelta(hours=1, minutes=1))
    deliver(signed.sign(raw))
    assert table.decision == number + 1
