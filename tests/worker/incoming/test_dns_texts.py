"""Name servers of senders, who choose how long one waits for them."""

from datetime import timedelta
from types import SimpleNamespace

import psycopg
import pytest
from dns import resolver
from dns.exception import Timeout
from flask import Flask

from service.store import clock
from service.values.mail_settings import InboundAuth
from tests.rig.service import mailing_in, seated
from tests.rig.service.seated import run
from tests.rig.worker import signed
from tests.rig.worker.answered import Mailboxes, deliver, journal, mail
from worker.incoming import dns_texts, handling

OCCUPIED = "SELECT pg_advisory_xact_lock(5464874)"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What name servers are asked, of which those of silent ones never answer."""
    found: list[str] = []

    def resolve(name: str, *_: object, **_more: object) -> list[SimpleNamespace]:
        found.append(name)
        if "silent" in name:
            raise Timeout
        return [SimpleNamespace(strings=(b"v=DKIM1",))]

    monkeypatch.setattr(resolver, "resolve", resolve)
    monkeypatch.setattr(dns_texts, "_silent", {})
    return found


def test_a_name_server_that_is_not_there_proves_nothing(
    inside: Flask, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*args: object, **more: object) -> None:
        raise OSError

    del inside, asked
    monkeypatch.setattr(resolver, "resolve", unreachable)

    assert dns_texts.look_up(b"winter._domainkey.example.org.") is None
    assert dns_texts.look_up(b"\xff.") is None


def test_of_a_silent_domain_no_other_key_is_asked_for_a_while(
    inside: Flask, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    del inside
    for selector in (b"one", b"two"):
        name = selector + b"._domainkey.silent.example."
        assert dns_texts.look_up(name) is None
    assert asked == ["one._domainkey.silent.example."]
    assert dns_texts.look_up(b"one._domainkey.example.org.") == b"v=DKIM1"

    monkeypatch.setattr(dns_texts, "SILENT_SECONDS", 0.0)
    dns_texts.look_up(b"two._domainkey.silent.example.")
    assert len(asked) == 3


def test_no_more_silent_domains_are_known_than_some(
    inside: Flask, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    del inside
    monkeypatch.setattr(dns_texts, "_MOST_SILENT", 2)

    for number in (1, 2, 3, 2, 1):
        dns_texts.look_up(b"a._domainkey.silent%d.example." % number)

    assert [name[-10] for name in asked] == ["1", "2", "3", "1"]


def test_one_mail_in_the_instance_waits_for_name_servers_and_others_come_later(
    boxes: Mailboxes,
    inside: Flask,
    outside: psycopg.Connection,
    monkeypatch: pytest.MonkeyPatch,
    asked: list[str],
) -> None:
    mailing_in.open_to(inside, monkeypatch, InboundAuth.REQUIRE)
    table = seated.in_election(3)
    raw = signed.sign(mail(table, boxes.asked(table, 1), "no"))
    outside.execute(OCCUPIED)

    deliver(raw)

    assert asked == []
    assert journal() == []
    assert run("SELECT attempts FROM incoming_mail") == [(0,)]
    outside.rollback()
    clock.shift(timedelta(seconds=6))
    handling.sweep()
    assert len(asked) == 1
    assert journal() == ["unauthenticated"]


def test_whoever_asks_lets_go_with_the_answer(
    inside: Flask, outside: psycopg.Connection, asked: list[str]
) -> None:
    del inside
    dns_texts.look_up(b"a._domainkey.silent.example.")
    dns_texts.look_up(b"a._domainkey.example.org.")

    (free,) = outside.execute(OCCUPIED.replace("pg_", "pg_try_")).fetchone() or ()

    assert free
    assert len(asked) == 2
