"""Workers that die, freeze, come late and are told the same again: each thing once."""

import sys
import time
from datetime import timedelta

import psycopg
from celery import Celery

from engine.board import Card
from service.game import task_hints
from service.processes import command_lines
from service.store import clock
from tests.rig.parts import wait_until
from tests.rig.service import seated
from tests.rig.service.deadlines import deadline
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from tests.rig.worker.processes import Workers
from worker.clock import retention

PACE = timedelta(seconds=seated.PACE)
VISIBILITY = 5

_IMPATIENT = f"""
from service.game import task_hints
task_hints.TRANSPORT = {{**task_hints.TRANSPORT, "visibility_timeout": {VISIBILITY}}}
"""
_TWO_HOURS_AHEAD = """
import time
right = time.time
time.time = lambda: right() + 7200
"""
_CELERY = """
from celery.__main__ import main
main()
"""


def worker(setting: str = "") -> tuple[str, ...]:
    """A worker whose tasks are soon handed out anew, after what else is set."""
    usual = command_lines.worker("WARNING", concurrency=2)
    options = usual[usual.index("celery") + 1 :]
    return (sys.executable, "-P", "-c", setting + _IMPATIENT + _CELERY, *options)


def by_clock(table: Seated) -> list[int]:
    """The decisions that the clock has answered, once for each answer."""
    found = run(
        "SELECT decision FROM answer WHERE game_id = :g AND source = 'clock'"
        " ORDER BY decision",
        {"g": table.id},
    )
    return [int(decision) for (decision,) in found]


def test_deadlines_pass_by_themselves_and_late_ones_are_nobodys_fault(
    workers: Workers,
) -> None:
    patient = seated.started(4, decision_time=7 * 24 * 60 * 60)
    table = seated.started(4, misses=1)
    first = table.decision
    workers.start(command_lines.worker_with_beat("WARNING"))
    wait_until(lambda: rows.asked(table.id, table.decision), "the first question")

    clock.shift(PACE + timedelta(seconds=1))
    waited = wait_until(lambda: table.decision == first + 1, "the clock's answer")
    wait_until(lambda: rows.asked(table.id, table.decision), "the next question")
    assert waited < 60
    assert rows.events(table.id, "bot_seated") == 1

    workers.parts[0].kill()
    clock.shift(PACE + timedelta(hours=6))
    back_at = clock.now()
    workers.parts[0].start()
    wait_until(lambda: table.decision == first + 2, "the late answer")

    assert deadline(table) > back_at + PACE
    assert by_clock(table) == [first, first + 1]
    assert rows.events(table.id, "bot_seated") == 1
    clock.shift(timedelta(days=6, hours=12) - 2 * PACE - timedelta(hours=6))
    retention.tidy()
    assert patient.decision == 1
    assert by_clock(patient) == []
    assert deadline(patient) > clock.now()


def test_whatever_is_handed_out_again_and_whoever_dies_each_thing_happens_once(
    workers: Workers, outside: psycopg.Connection
) -> None:
    table = seated.in_election(3)
    election = table.decision
    table.lay([Card.YES, Card.NO, Card.YES])
    outside.execute("SELECT FROM game WHERE id = %s FOR UPDATE", [table.id])
    workers.start(worker(), worker(), worker(_TWO_HOURS_AHEAD))
    wait_until(lambda: workers.listening() >= 3, "three workers")
    hints = Celery("hints", broker=workers.broker_url, set_as_current=False)

    for _ in range(5):
        hints.send_task(task_hints.FOLLOW_UP, args=([[str(table.id), election]],))
    wait_until(lambda: workers.in_hand() >= 2, "workers that have the task")
    workers.parts[0].kill()
    workers.parts[1].freeze()
    outside.rollback()
    wait_until(lambda: table.decision == election + 1, "the resolution")
    wait_until(lambda: rows.asked(table.id, table.decision), "the next question")
    clock.shift(PACE / 2 + timedelta(seconds=1))
    wait_until(lambda: rows.reminders(table.id, election + 1) == 1, "the reminder")
    clock.shift(PACE / 2)
    wait_until(lambda: table.decision == election + 2, "the clock's answer")
    workers.parts[1].thaw()
    time.sleep(VISIBILITY)
    wait_until(lambda: workers.in_hand() == 0, "the end of all tasks")

    assert rows.events(table.id, "election_resolved") == 1
    assert by_clock(table) == [election + 1]
    assert rows.reminders(table.id, election + 1) == 1
    assert table.decision == election + 2
    [(mails, letters)] = run(
        "SELECT count(*), count(DISTINCT message_id) FROM mail WHERE state = 'sent'"
    )
    assert mails == letters == workers.mails()
