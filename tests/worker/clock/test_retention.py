"""What is kept for a while alone is erased in the end, and nothing else is."""

from datetime import timedelta

from flask import Flask

from service.people import accounts
from service.store import (
    clock,
    event_log,
    idempotency,
    incoming_mails,
    outbox,
    people,
    tokens,
)
from service.store.event_log import NoticeRow
from service.store.people import Profile
from service.store.transactions import transaction
from service.values.enums import NoticeKind
from service.values.principals import System
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, link
from worker.clock import retention
from worker.outgoing import delivery


def test_codes_and_their_mails_are_erased_after_a_day(inside: Flask) -> None:
    table = seated.started(3)
    delivery.queue(table.id)
    games = run("SELECT count(*) FROM mail")
    accounts.ask_to_sign_in("rita@example.org", None)
    clock.shift(timedelta(hours=23))
    retention.tidy()
    before = run("SELECT address FROM mailed_code")
    clock.shift(timedelta(hours=2))

    retention.tidy()

    assert before == [("rita@example.org",)]
    assert run("SELECT count(*) FROM mailed_code") == [(0,)]
    assert run("SELECT count(*) FROM mail") == games


def test_kept_answers_are_erased_after_a_week(inside: Flask) -> None:
    with transaction():
        idempotency.claim(b"somebody", "key", b"what was asked")
    clock.shift(timedelta(days=6))
    retention.tidy()
    before = run("SELECT key FROM kept_answer")
    clock.shift(timedelta(days=2))

    retention.tidy()

    assert before == [("key",)]
    assert run("SELECT key FROM kept_answer") == []


def test_tokens_that_are_over_are_erased_after_a_month(inside: Flask) -> None:
    person = people.practiser(Profile("Rita"))
    ends = clock.now() + timedelta(hours=1)
    for_ever = tokens.issue(person, "for ever", ["profile"]).row
    expiring = tokens.issue(person, "expiring", ["profile"], None, ends).row
    revoked = tokens.issue(person, "revoked", ["profile"]).row
    tokens.revoke(person, revoked.id)
    clock.shift(timedelta(days=29))
    retention.tidy()
    before = {row.id for row in tokens.of_person(person)}
    clock.shift(timedelta(days=2))

    retention.tidy()

    assert before == {for_ever.id, expiring.id, revoked.id}
    assert [row.id for row in tokens.of_person(person)] == [for_ever.id]


def _over(days: int) -> Seated:
    """A game whose people were mailed of it, and which has been over for days."""
    table = seated.started(3)
    seated.cancel(table.id, System())
    delivery.queue(table.id)
    run("UPDATE mail SET state = 'sent', settled_at = kingup_now()")
    clock.shift(timedelta(days=days))
    return table


MAILS = "SELECT count(*) FROM mail"
NOTICES = "SELECT count(*) FROM notice"


def test_mails_of_a_game_are_erased_ninety_days_after_its_end(inside: Flask) -> None:
    table = _over(89)
    going_on = seated.started(3)
    delivery.queue(going_on.id)
    everything = run(MAILS)
    retention.tidy()
    before = run(MAILS)
    clock.shift(timedelta(days=2))

    retention.tidy()

    assert before == everything == [(6,)]
    assert run("SELECT DISTINCT game_id FROM mail") == [(going_on.id,)]
    assert run("SELECT DISTINCT game_id FROM notice") == [(going_on.id,)]
    assert run("SELECT status FROM game WHERE id = :g", {"g": table.id}) == [("over",)]


def test_mails_that_nobody_handled_and_lines_of_the_journal_are_erased(
    inside: Flask,
) -> None:
    table = seated.started(3)
    incoming_mails.add(b"rubbish", "")
    of_seat = "INSERT INTO mail_journal (game_id, seat, kind) VALUES (:g, 0, 'read')"
    run(of_seat, {"g": table.id})
    run("INSERT INTO mail_journal (kind) VALUES ('no token')")
    lines = "SELECT kind FROM mail_journal ORDER BY kind"
    found = []
    for days in (3, 2, 1, 2, 5, 49, 30):
        clock.shift(timedelta(days=days))
        retention.tidy()
        [(waiting,)] = run("SELECT count(*) FROM incoming_mail")
        found.append((waiting, *(kind for (kind,) in run(lines))))

    assert found == [
        (1, "no token", "read"),
        (0, "given up", "no token", "read"),
        (0, "given up", "no token", "read"),
        (0, "given up", "read"),
        (0, "read"),
        (0, "read"),
        (0,),
    ]


def test_a_link_outlives_its_mail_and_explains_itself(inside: Flask) -> None:
    table = seated.started(3)
    asked = table.game.asked()[0]
    path = link(table, asked)
    seated.cancel(table.id, System())
    delivery.queue(table.id)
    run("UPDATE mail SET state = 'sent', settled_at = kingup_now()")
    clock.shift(timedelta(days=91))
    before = Visitor(inside).get(path)

    retention.tidy()

    page = Visitor(inside).get(path)
    assert run(MAILS) == [(0,)]
    assert (page.status, page.text) == (before.status, before.text)
    assert "This question is over" in page.text


def test_what_still_waits_keeps_the_mails_of_its_game(inside: Flask) -> None:
    _over(91)
    waiting = "UPDATE mail SET settled_at = {} WHERE id IN (SELECT max(id::text)::uuid"
    run(f"{waiting.format('NULL')} FROM mail)")
    before = run(MAILS)
    retention.tidy()
    kept = run(MAILS)
    run("UPDATE mail SET settled_at = kingup_now()")

    retention.tidy()

    assert kept == before == [(3,)]
    assert run(MAILS) == run(NOTICES) == [(0,)]


def test_no_notice_is_mailed_again_because_its_mail_is_gone(inside: Flask) -> None:
    table = _over(91)

    retention.tidy()

    assert outbox.missed(0, 9) == outbox.Missed((), ())
    assert delivery.queue(table.id) == ()


def test_what_is_told_later_is_erased_in_its_turn(inside: Flask) -> None:
    table = _over(91)
    retention.tidy()
    person = seated.person_on(table.id, 0)
    row = NoticeRow("later", person, 0, NoticeKind.EXPIRED, None, None)
    with transaction():
        event_log.notify(table.id, (row,))
    retention.tidy()
    notices = run(NOTICES)
    delivery.queue(table.id)
    run("UPDATE mail SET state = 'sent', settled_at = kingup_now()")

    retention.tidy()

    assert notices == [(1,)]
    assert run(MAILS) == run(NOTICES) == [(0,)]


def test_outages_are_erased_when_no_decision_can_have_seen_them(inside: Flask) -> None:
    for ago in ("731 days", "729 days"):
        for given_back in ("kingup_now()", "NULL"):
            run(
                f"""INSERT INTO outage (began_at, ended_at, credited_at)
                SELECT kingup_now() - interval '{ago}' - interval '1 hour',
                    kingup_now() - interval '{ago}', {given_back}"""
            )

    retention.tidy()

    kept = """SELECT extract(days FROM kingup_now() - ended_at)::int,
        credited_at IS NULL FROM outage ORDER BY number"""
    assert run(kept) == [(731, True), (729, False), (729, True)]
