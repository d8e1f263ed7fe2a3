"""Mails with codes go the way of all mails: kept, repeated to the byte, superseded."""

import re
from datetime import timedelta

from flask import Flask

from service.auth import bearer
from service.people import accounts
from service.people.accounts import Arrival
from service.store import clock, code_mails, outbox
from tests.rig.service.seated import run
from tests.rig.worker.mail_server import Sink, deliver_due
from worker.outgoing import delivery
from worker.outgoing.code_mails import _WORDS

ARRIVAL = Arrival("sign-in", None, None)


def code_in(text: str) -> str:
    (found,) = re.findall(r"^[A-Z]{4}-[A-Z]{4}", text, re.MULTILINE)
    code: str = found
    return code


def test_a_repeat_brings_the_same_code_under_the_same_message_id(sink: Sink) -> None:
    asked = accounts.ask_to_sign_in("rita@example.org", None)
    sink.cut = True
    deliver_due()
    first = sink.letters[0]
    clock.shift(timedelta(minutes=1))

    deliver_due()

    assert sink.raw[1] == first.raw
    assert first.message_id == sink.letters[1].message_id
    assert accounts.sign_in(asked, code_in(first.text), ARRIVAL).token


def test_a_server_that_puts_a_code_off_gets_it_again_while_it_is_good(
    sink: Sink,
) -> None:
    accounts.ask_to_sign_in("rita@example.org", None)
    sink.data = ["451 later", "451 later"]
    deliver_due()
    clock.shift(timedelta(minutes=1))
    deliver_due()
    clock.shift(timedelta(minutes=20))

    deliver_due()

    assert sink.raw == []
    assert run("SELECT state, body FROM mailed_code") == [("superseded", None)]


def test_a_code_that_was_used_is_not_mailed_again(sink: Sink) -> None:
    asked = accounts.ask_to_sign_in("rita@example.org", None)
    sink.cut = True
    deliver_due()
    accounts.sign_in(asked, code_in(sink.letters[0].text), ARRIVAL)
    clock.shift(timedelta(minutes=1))

    deliver_due()

    assert len(sink.raw) == 1
    assert run("SELECT state FROM mailed_code") == [("superseded",)]


def test_a_refused_address_ends_its_mail_alone(sink: Sink) -> None:
    accounts.ask_to_sign_in("rita@example.org", None)
    accounts.ask_to_sign_in("simon@example.org", None)
    sink.recipients["rita@example.org"] = "550 nobody"

    deliver_due()

    assert [letter.to for letter in sink.letters] == ["simon@example.org"]
    assert sorted(run("SELECT state FROM mailed_code")) == [("failed",), ("sent",)]


def test_who_claims_a_code_s_mail_has_it_alone(inside: Flask) -> None:
    accounts.ask_to_sign_in("rita@example.org", None)
    (key,) = outbox.missed(0, 10).mails

    claims = [code_mails.claim(key.id, 10), code_mails.claim(key.id, 10)]

    assert claims[0] is not None
    assert claims[1] is None
    assert outbox.claim(key, 10) is None
    delivery.deliver(key)
    assert run("SELECT attempts FROM mailed_code") == [(1,)]


def test_every_scope_has_words() -> None:
    assert set(_WORDS) == set(bearer.SCOPES)
