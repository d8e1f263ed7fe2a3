"""An outage is nobody's fault: what people lost by it is given back to each game."""

import threading
from datetime import datetime, timedelta

import psycopg
import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot
from service.game import pace, table_acts
from service.store import clock, outages
from tests.rig.parts import wait_until
from tests.rig.service import absent, seated
from tests.rig.service.deadlines import deadline
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from worker.clock import outages as giving_back
from worker.clock import sweeper

PACE = timedelta(seconds=seated.PACE)
HOUR = timedelta(hours=1)
MOMENT = timedelta(seconds=20)

BLOCKED = """SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE '%sign_of_life%'"""


@pytest.fixture(autouse=True)
def serving(inside: Flask) -> None:
    """A web process has served before."""
    absent.serve()


def reminders(table: Seated) -> dict[str, datetime]:
    found = run("SELECT kind, due_at FROM due WHERE game_id = :g", {"g": table.id})
    return dict(found)


def placed(table: Seated) -> int:
    return rows.events(table.id, "placed")


def recorded() -> list[timedelta]:
    return [
        ended - began for began, ended in run("SELECT began_at, ended_at FROM outage")
    ]


def near(one: datetime, other: datetime) -> bool:
    return abs(one - other) < MOMENT


def test_the_first_start_of_all_is_no_outage() -> None:
    run("DELETE FROM sign_of_life")

    assert absent.serve() is None
    assert recorded() == []


def test_a_minute_without_a_sign_of_life_is_an_outage_and_less_is_none() -> None:
    absent.go_away(timedelta(seconds=50))
    assert absent.serve() is None

    absent.go_away(timedelta(seconds=61))

    ended = absent.serve()
    assert ended is not None
    assert recorded() == [ended]
    assert abs(ended - timedelta(seconds=61)) < MOMENT


def test_web_processes_that_come_back_together_write_one_outage(
    inside: Flask, outside: psycopg.Connection
) -> None:
    absent.go_away(3 * HOUR)
    found: list[timedelta | None] = []

    def come_back() -> None:
        with inside.app_context():
            found.append(absent.serve())

    outside.execute("SELECT FROM sign_of_life FOR UPDATE")
    threads = [threading.Thread(target=come_back) for _ in range(3)]
    for thread in threads:
        thread.start()
    wait_until(lambda: run(BLOCKED) == [(3,)], "three that have looked, and wait")
    outside.rollback()
    for thread in threads:
        thread.join()

    assert len([each for each in found if each is not None]) == 1
    assert len(recorded()) == 1


def test_an_outage_is_added_to_the_deadline_and_to_every_reminder() -> None:
    table = seated.started(3)
    before = reminders(table)
    absent.pass_by(HOUR)
    absent.go_away(3 * HOUR)
    absent.serve()

    giving_back.give_back()

    after = reminders(table)
    assert set(after) == {"deadline", "reminder", "last_reminder"}
    assert all(near(after[kind], before[kind] + 3 * HOUR) for kind in after)
    assert deadline(table) == after["deadline"]


def test_it_is_added_once_however_often_and_by_how_many(inside: Flask) -> None:
    tables = [seated.started(3) for _ in range(3)]
    before = [deadline(table) for table in tables]
    absent.go_away(3 * HOUR)
    absent.serve()
    barrier = threading.Barrier(4)

    def race() -> None:
        with inside.app_context():
            barrier.wait()
            absent.sweep()

    racers = [threading.Thread(target=race) for _ in range(4)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    run("UPDATE outage SET credited_at = NULL")
    absent.sweep()

    for table, moment in zip(tables, before, strict=True):
        assert near(deadline(table), moment + 3 * HOUR)


def test_each_of_several_outages_is_added() -> None:
    table = seated.started(3)
    before = deadline(table)
    for hours in (2, 3):
        absent.go_away(hours * HOUR)
        absent.serve()
        absent.pass_by(HOUR)

    absent.sweep()

    assert near(deadline(table), before + 5 * HOUR)


def test_a_decision_that_opens_after_an_outage_has_nothing_to_get_back() -> None:
    absent.go_away(3 * HOUR)
    absent.serve()
    absent.pass_by(timedelta(minutes=1))
    table = seated.started(3)
    before = deadline(table)

    absent.sweep()

    assert deadline(table) == before
    assert run("SELECT count(*) FROM credit") == [(0,)]


def test_a_decision_that_opens_in_an_outage_gets_back_what_is_left_of_it() -> None:
    absent.go_away(HOUR)
    table = seated.started(3)
    before = deadline(table)
    absent.go_away(2 * HOUR)
    absent.serve()

    absent.sweep()

    assert near(deadline(table), before + 2 * HOUR)


def test_no_deadline_passes_while_nobody_could_answer() -> None:
    table = seated.started(3)
    absent.pass_by(PACE - HOUR)
    absent.go_away(5 * HOUR)

    sweeper.sweep()
    assert placed(table) == 0
    absent.serve()
    absent.sweep()

    assert placed(table) == 0
    assert near(deadline(table), clock.now() + HOUR)
    absent.pass_by(HOUR + MOMENT)
    absent.sweep()
    assert placed(table) == 1


def test_no_reminder_comes_while_nobody_could_answer() -> None:
    table = seated.in_election(3)
    absent.pass_by(PACE / 2 - HOUR)
    absent.go_away(5 * HOUR)
    absent.sweep()
    absent.serve()
    absent.sweep()
    assert run("SELECT laid FROM game") == [(None,)]
    absent.pass_by(HOUR + MOMENT)

    absent.sweep()

    assert run("SELECT laid FROM game") == [([],)]
    assert table.game.decision is not None


def test_a_deadline_in_the_first_minute_without_a_web_process_waits_for_one() -> None:
    table = seated.started(3)
    absent.pass_by(PACE - MOMENT)
    absent.go_away(2 * MOMENT)

    sweeper.sweep()
    assert placed(table) == 0
    run("UPDATE due SET claim_at = due_at")
    absent.serve()
    sweeper.sweep()

    assert placed(table) == 1
    assert recorded() == []


def test_what_was_tried_in_vain_is_dealt_with_at_once_when_its_time_has_come() -> None:
    table = seated.started(3)
    absent.pass_by(PACE - MOMENT)
    absent.go_away(HOUR)
    run("UPDATE due SET claim_at = due_at, attempts = 40")
    sweeper.sweep()
    absent.serve()
    giving_back.give_back()
    absent.pass_by(2 * MOMENT)

    sweeper.sweep()

    assert placed(table) == 1


def test_spare_time_is_not_used_for_what_an_outage_took() -> None:
    table = seated.started(3, spare=2)
    absent.pass_by(PACE - HOUR)
    absent.go_away(5 * HOUR)

    sweeper.sweep()
    absent.serve()
    absent.sweep()

    assert run("SELECT sum(spare_used) FROM seat") == [(0,)]
    assert placed(table) == 0


def test_an_outage_after_the_deadline_moves_nothing() -> None:
    table = seated.started(3)
    absent.pass_by(PACE + HOUR)
    absent.go_away(3 * HOUR)
    absent.serve()
    before = deadline(table)

    giving_back.give_back()
    assert deadline(table) == before
    sweeper.sweep()

    assert placed(table) == 1


def test_a_game_without_a_pace_has_nothing_to_get_back() -> None:
    seated.started(3, decision_time=None)
    absent.go_away(3 * HOUR)
    absent.serve()

    absent.sweep()

    assert run("SELECT deadline FROM game") == [(None,)]
    assert outages.pending() == ()


def test_ballots_laid_move_nothing_that_an_outage_gives_back() -> None:
    laid, owing = seated.in_election(3), seated.in_election(3)
    laid.answer(1, Ballot(Card.YES))
    before = [deadline(table) for table in (laid, owing)]
    absent.serve()
    absent.go_away(3 * HOUR)
    absent.serve()

    absent.sweep()

    moved = [deadline(t) - b for t, b in zip((laid, owing), before, strict=True)]
    assert abs(moved[0] - moved[1]) < timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("lasts", "left", "days"), [(0.5, 20, 0), (3, 20, 1), (3, 1, 1)]
)
def test_a_daily_deadline_stays_on_its_hour(lasts: float, left: int, days: int) -> None:
    """Half an hour more or less of nearly a day is not worth another day."""
    hour = f"{clock.now() - HOUR:%H:%M}"
    daily = {"decision_time": pace.USUAL, "daily_at": hour, "zone": "UTC"}
    table = seated.started(3, **daily)
    before = deadline(table)
    absent.pass_by(before - clock.now() - left * HOUR)
    absent.go_away(lasts * HOUR)
    absent.serve()

    absent.sweep()

    assert deadline(table) == before + timedelta(days=days)


def test_what_falls_into_a_pause_is_nobodys_time() -> None:
    table = seated.started(3)
    before = deadline(table)
    table_acts.pause(table.id, table.holder(1), 7)
    absent.serve()
    absent.go_away(3 * HOUR)
    absent.serve()
    absent.pass_by(HOUR)
    absent.sweep()
    table_acts.resume(table.id, table.holder(1))

    absent.sweep()

    assert near(deadline(table), before + 4 * HOUR)
    assert run("SELECT by_outages FROM credit") == [(timedelta(),)]


def test_what_was_lost_before_a_pause_is_given_back_before_it() -> None:
    table = seated.started(3)
    before = deadline(table)
    absent.go_away(3 * HOUR)
    absent.serve()
    table_acts.pause(table.id, table.holder(1), 7)
    absent.pass_by(HOUR)
    table_acts.resume(table.id, table.holder(1))

    absent.sweep()

    assert near(deadline(table), before + 4 * HOUR)
