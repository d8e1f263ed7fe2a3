"""Mails that come back: counted at a return path of their own, on two days."""

from datetime import timedelta
from uuid import UUID

import pytest
from flask import Flask

from service.people import incoming_mail
from service.store import bounces, clock
from service.store.transactions import transaction
from tests.rig.service import mailing_in, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, deliver_due, send
from tests.rig.worker.reports import report
from worker.incoming import delivery_reports, handling

DAY = timedelta(days=1)
SIMON = 1


@pytest.fixture
def inbound(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    mailing_in.open_to(inside, monkeypatch)


def to_simon(sink: Sink) -> list[str]:
    """The return paths of what was mailed to seat 1."""
    pairs = zip(sink.letters, sink.return_paths, strict=True)
    return [path for letter, path in pairs if letter.to.startswith("simon")]


def bounce(path: str, status: str = "5.1.1") -> bool:
    raw = report(status, to=path)
    with transaction():
        token = delivery_reports.token(raw, path)
        return token is not None and delivery_reports.take(token, raw)


def test_without_an_address_for_them_mails_come_back_to_the_sender(sink: Sink) -> None:
    send(seated.draft(3))

    assert sink.return_paths == ["kingup@localhost"]


@pytest.mark.usefixtures("inbound")
def test_every_mail_has_a_return_path_of_its_own_that_it_does_not_show(
    sink: Sink,
) -> None:
    send(seated.started(3).id)

    tokens = [mailing_in.token_in(path) for path in sink.return_paths]
    assert len(set(tokens)) == len(sink.raw) == 3
    assert all(path.startswith("game+b.") for path in sink.return_paths)
    for token in tokens:
        assert not [raw for raw in sink.raw if token.encode() in raw]


@pytest.mark.usefixtures("inbound")
def test_a_mail_that_is_tried_again_has_another_one(sink: Sink) -> None:
    sink.data.append("451 later")
    game_id = seated.draft(3)
    send(game_id)
    run("UPDATE mail SET claim_at = kingup_now()")

    deliver_due()

    assert rows.states(game_id) == {"sent": 1}
    assert bounce(sink.return_paths[0])


@pytest.mark.usefixtures("inbound")
def test_a_bounce_counts_once_and_a_forged_one_does_nothing(sink: Sink) -> None:
    send(seated.started(3).id)
    path = sink.return_paths[0]
    forged = path.replace(mailing_in.token_in(path), "a" * 26)

    assert not bounce(forged)
    assert not bounce(path, "4.2.2")
    assert run("SELECT count(*) FROM mail WHERE bounced_at IS NOT NULL") == [(0,)]
    assert [bounce(path), bounce(path)] == [True, False]


@pytest.mark.usefixtures("inbound")
def test_a_report_that_comes_in_is_counted_and_dropped(sink: Sink) -> None:
    send(seated.started(3).id)
    path = sink.return_paths[0]

    for raw in (report(to=path), report(to=path.replace("+b.", "+b.z"))):
        incoming_mail.take(raw, "")
    handling.sweep()

    assert run("SELECT count(*) FROM mail WHERE bounced_at IS NOT NULL") == [(1,)]
    assert run("SELECT kind FROM mail_journal ORDER BY kind") == [
        ("automatic",),
        ("bounce",),
    ]
    assert run("SELECT count(*) FROM incoming_mail") == [(0,)]
    deliver_due()
    assert len(sink.raw) == 3


@pytest.mark.usefixtures("inbound")
def test_two_mails_of_one_day_are_no_two_days_whenever_they_come_back(
    sink: Sink,
) -> None:
    clock.shift(timedelta(days=1) - timedelta(seconds=past_midnight()))
    table = seated.started(3)
    send(table.id)
    mailed(table)
    first, second = to_simon(sink)[-2:]
    assert bounce(first)
    clock.shift(DAY)

    assert bounce(second)

    assert bounces.retry_at(simon(table)) is None


def past_midnight() -> float:
    """How many seconds of the day are over, in UTC."""
    sql = "SELECT extract(epoch FROM kingup_now())::float8"
    return float(run(sql)[0][0]) % 86_400


@pytest.mark.usefixtures("inbound")
def test_after_ten_days_a_return_path_is_dead(sink: Sink) -> None:
    send(seated.started(3).id)
    clock.shift(timedelta(days=10, minutes=1))

    assert not bounce(sink.return_paths[0])


def came_back(sink: Sink, days: int) -> Seated:
    """A table whose Simon was mailed once on each of some days, in vain."""
    table = seated.started(3)
    send(table.id)
    for day in range(days):
        assert bounce(to_simon(sink)[-1])
        if day < days - 1:
            clock.shift(DAY)
            mailed(table)
    return table


def mailed(table: Seated) -> int:
    """Have Simon asked to the table's question once more; how many mails are sent."""
    before = run("SELECT count(*) FROM mail WHERE state = 'sent'")[0][0]
    run(
        "INSERT INTO notice (game_id, key, person_id, seat, kind)"
        " SELECT :g, gen_random_uuid(), person_id, 1, 'game_over'"
        " FROM seat WHERE game_id = :g AND number = 1",
        {"g": table.id},
    )
    send(table.id)
    return int(run("SELECT count(*) FROM mail WHERE state = 'sent'")[0][0]) - before


def simon(table: Seated) -> UUID:
    return seated.person_on(table.id, SIMON)


@pytest.mark.usefixtures("inbound")
def test_on_one_day_it_was_a_full_mailbox(sink: Sink) -> None:
    table = came_back(sink, 1)

    assert bounces.retry_at(simon(table)) is None
    assert mailed(table) == 1
    assert bounce(to_simon(sink)[-1])
    assert bounces.retry_at(simon(table)) is None


@pytest.mark.usefixtures("inbound")
def test_on_two_days_one_is_tried_once_a_day_and_nobody_else_waits(sink: Sink) -> None:
    table = came_back(sink, 2)
    others = len(sink.raw) - len(to_simon(sink))

    assert mailed(table) == 0
    clock.shift(DAY - timedelta(minutes=1))
    deliver_due()
    assert len(to_simon(sink)) == 2
    clock.shift(timedelta(hours=1, minutes=2))
    deliver_due()

    assert len(to_simon(sink)) == 3
    assert mailed(table) == 0
    assert len(sink.raw) - len(to_simon(sink)) == others


@pytest.mark.usefixtures("inbound")
def test_a_question_is_tried_before_what_asks_nothing(sink: Sink) -> None:
    table = came_back(sink, 2)
    table.nominate()
    assert len(to_simon(sink)) == 2
    clock.shift(DAY + timedelta(minutes=1))

    send(table.id)

    (latest,) = [e for e in sink.letters if e.to.startswith("simon")][2:]
    assert "/d/" in latest.url


@pytest.mark.usefixtures("inbound")
def test_a_mail_that_stays_away_for_a_day_clears_it(sink: Sink) -> None:
    table = came_back(sink, 2)
    clock.shift(DAY + timedelta(hours=2))
    assert mailed(table) == 1
    assert bounces.retry_at(simon(table)) is not None

    clock.shift(DAY + timedelta(minutes=1))

    assert bounces.retry_at(simon(table)) is None
    assert [mailed(table), mailed(table)] == [1, 1]


@pytest.mark.usefixtures("inbound")
def test_what_is_asked_for_on_a_page_is_tried_at_once(sink: Sink) -> None:
    table = came_back(sink, 2)
    run(
        "INSERT INTO notice (game_id, key, person_id, seat, kind)"
        " SELECT :g, 'asked', person_id, 1, 'remember'"
        " FROM seat WHERE game_id = :g AND number = 1",
        {"g": table.id},
    )

    send(table.id)

    assert len(to_simon(sink)) == 3
