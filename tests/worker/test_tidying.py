"""What is kept for a while alone is erased in the end, and nothing else is."""

from datetime import timedelta

from flask import Flask

from service import clock
from service.models import db
from service.people import accounts
from service.store import kept, people, tokens
from service.store.people import Profile
from service.store.transactions import transaction
from tests.service import seated
from tests.service.seated import run
from worker import notices, tidying


def test_codes_and_their_mails_are_erased_after_a_day(inside: Flask) -> None:
    table = seated.started(3)
    notices.queue(table.id)
    games = run("SELECT count(*) FROM mail")
    accounts.ask_to_sign_in("rita@example.org", None)
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


def test_tokens_that_are_over_are_erased_after_a_month(inside: Flask) -> None:
    person = people.practiser(Profile("Rita"))
    ends = clock.now() + timedelta(hours=1)
    for_ever = tokens.issue(person, "for ever", ["profile"]).row
    expiring = tokens.issue(person, "expiring", ["profile"], None, ends).row
    revoked = tokens.issue(person, "revoked", ["profile"]).row
    tokens.revoke(person, revoked.id)
    db.session.commit()
    clock.shift(timedelta(days=29))
    tidying.tidy()
    before = {row.id for row in tokens.of_person(person)}
    clock.shift(timedelta(days=2))

    tidying.tidy()

    assert before == {for_ever.id, expiring.id, revoked.id}
    assert [row.id for row in tokens.of_person(person)] == [for_ever.id]
