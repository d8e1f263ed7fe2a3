"""What is kept for a while alone is erased in the end, and nothing else is."""

from datetime import timedelta

from flask import Flask

from service import accounts, clock
from service.store import kept
from service.store.transactions import transaction
from tests.service import seated
from tests.service.seated import run
from worker import notices, tidying


def test_codes_and_their_mails_are_erased_after_a_day(inside: Flask) -> None:
    table = seated.started(3)
    notices.queue(table.id)
    games = run("SELECT count(*) FROM mail")
    accounts.ask_to_sign_in("rita@example.org")
    clock.shift(timedelta(hours=23))
    tidying.tidy()
    before = run("SELECT address FROM mailed_code")
    clock.shift(timedelta(hours=2))

    tidying.tidy()

    assert before == [("rita@example.org",)]
    assert run("SELECT count(*) FROM mailed_code") == [(0,)]
    assert run("SELECT count(*) FROM mail") == games


def test_kept_answers_are_erased_after_a_week(inside: Flask) -> None:
    with transaction():
        kept.claim(b"somebody", "key", b"what was asked")
    clock.shift(timedelta(days=6))
    tidying.tidy()
    before = run("SELECT key FROM kept_answer")
    clock.shift(timedelta(days=2))

    tidying.tidy()

    assert before == [("key",)]
    assert run("SELECT key FROM kept_answer") == []
