"""What is held up until the hour is over: mailed once, with the next mail, or never."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from flask import Flask

from service.store import clock, outbox
from service.store.people import PersonRow
from service.tables import creation, expiry, joining, seat_changes
from service.tables.creation import OpenSeat, TableWish
from tests.rig.service.seated import run
from tests.rig.worker.mail_caps import come_and_go, open_table, post, sent
from tests.rig.worker.mail_server import Sink, deliver_due
from tests.rig.worker.people import somebody
from worker.outgoing import delivery

pytestmark = pytest.mark.usefixtures("sink")


def test_what_was_held_up_comes_once_when_the_hour_is_over(sink: Sink) -> None:
    game_id, guest = open_table(), somebody("Simon")
    come_and_go(game_id, guest)
    post(game_id)
    for _ in range(5):
        come_and_go(game_id, guest)
        post(game_id)
    clock.shift(timedelta(minutes=59))
    delivery.sweep()
    before = len(sink.raw)
    clock.shift(timedelta(minutes=2))

    delivery.sweep()
    clock.shift(timedelta(hours=5))
    delivery.sweep()

    assert (before, len(sink.raw)) == (1, 2)
    assert run("SELECT 1 FROM notice WHERE mail_id IS NULL") == []


def test_what_was_held_up_is_dropped_when_it_is_untrue_by_then(sink: Sink) -> None:
    game_id, guest = open_table(), somebody("Simon")
    for _ in range(2):
        come_and_go(game_id, guest)
        post(game_id)
    seat_changes.bot(game_id, 1, "steady")
    seat_changes.bot(game_id, 2, "steady")
    run("DELETE FROM due")
    clock.shift(timedelta(minutes=61))

    delivery.sweep()

    assert sent("declined") == [1]


def test_what_was_held_up_goes_with_the_next_mail_that_asks(sink: Sink) -> None:
    game_id, guest = open_table(), somebody("Simon")
    for _ in range(3):
        come_and_go(game_id, guest)
        post(game_id)
    run("UPDATE game SET expiry_at = kingup_now()")

    expiry.step(game_id)
    post(game_id)

    kinds = run(
        "SELECT array_agg(kind ORDER BY kind) FROM notice GROUP BY mail_id"
        " ORDER BY count(*)"
    )
    assert kinds == [(["declined"],), (["declined", "declined", "expiring"],)]
    assert len(sink.raw) == 2


def test_a_mail_that_a_dead_server_held_up_counts_from_when_it_was_sent(
    sink: Sink,
) -> None:
    game_id, guest = open_table(), somebody("Simon")
    sink.data = ["451 not now"]
    come_and_go(game_id, guest)
    post(game_id)
    clock.shift(timedelta(minutes=50))
    deliver_due()
    come_and_go(game_id, guest)
    clock.shift(timedelta(minutes=50))
    post(game_id)
    before = len(sink.raw)
    clock.shift(timedelta(minutes=11))

    delivery.sweep()

    assert (before, len(sink.raw)) == (1, 2)


def test_composers_at_once_make_no_second_mail_of_an_hour(inside: Flask) -> None:
    names = ("Anna", "Bert", "Carl", "Dora")
    host, guests = somebody("Rachel"), [somebody(name) for name in names]
    game_id = creation.open_table(host.id, "", TableWish((OpenSeat(),) * 5))
    barrier = threading.Barrier(4)

    def race(guest: PersonRow) -> None:
        with inside.app_context():
            for _ in range(3):
                barrier.wait(30)
                seat = joining.take(game_id, guest, None, "", "")
                joining.leave(game_id, guest.id, seat)
                delivery.post(game_id)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(race, guest) for guest in guests]:
            done.result()
    deliver_due()

    assert sent("declined") == [1]


def test_a_notice_that_waits_is_looked_at_by_no_sweep(sink: Sink) -> None:
    game_id, guest = open_table(), somebody("Simon")
    for _ in range(2):
        come_and_go(game_id, guest)
        post(game_id)

    found = outbox.missed(0, 50).games

    assert found == ()
