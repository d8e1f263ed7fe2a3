"""The worker as a process: killed, without its broker, and with a slow mail server."""

from datetime import timedelta

from flask import Flask

from engine.board import Card
from service.monitoring import health
from service.processes import command_lines
from service.store import clock
from tests.rig.parts import wait_until
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from tests.rig.worker.processes import Workers


def resolved(table: Seated) -> bool:
    found = run(
        "SELECT 1 FROM event WHERE game_id = :g AND type = 'election_resolved'",
        {"g": table.id},
    )
    return bool(found)


LIGHT = command_lines.worker_with_beat("WARNING")


def test_the_light_worker_plays_bots_sends_mails_and_beats(
    workers: Workers, app: Flask
) -> None:
    workers.start(LIGHT)
    table = seated.started(3, bots=2, rounds=1)
    if 0 in table.game.asked():
        table.answer(0, seated.own(table.game, 0).legal[0].answer)

    wait_until(lambda: table.game.asked() == (0,), "the bots' moves")
    wait_until(workers.beats, "a heartbeat")
    wait_until(lambda: workers.mails() >= 1, "a mail")

    assert health.database(app)["worker"] == "ok"


def test_many_workers_and_one_beat_do_the_same(workers: Workers) -> None:
    workers.start(
        command_lines.worker("WARNING", concurrency=2), command_lines.beat("WARNING")
    )
    table = seated.started(3, bots=2, rounds=1)
    if 0 in table.game.asked():
        table.answer(0, seated.own(table.game, 0).legal[0].answer)

    wait_until(lambda: table.game.asked() == (0,), "the bots' moves")
    wait_until(workers.beats, "a heartbeat")


def test_an_election_of_a_dead_worker_is_resolved_soon_after_its_restart(
    workers: Workers,
) -> None:
    workers.start(LIGHT)
    wait_until(workers.beats, "the worker's start")
    table = seated.in_election(3)
    workers.parts[0].kill()
    table.lay([Card.NO, Card.YES, Card.YES])

    run("DELETE FROM sign_of_life")
    workers.parts[0].start()
    # How long an interpreter takes to start is the machine's matter.
    wait_until(workers.beats, "its start")
    waited = wait_until(lambda: resolved(table), "the resolution")

    assert waited < 10


def test_without_a_broker_games_go_on_and_mails_are_sent(workers: Workers) -> None:
    workers.start(LIGHT)
    wait_until(workers.beats, "the worker's start")
    table = seated.in_election(3)
    workers.stop_broker()
    before = workers.mails()
    table.lay([Card.NO, Card.YES, Card.YES])

    waited = wait_until(lambda: resolved(table), "the resolution")
    wait_until(lambda: workers.mails() > before, "the mails")

    assert waited < 10


def test_a_worker_starts_before_its_broker(workers: Workers) -> None:
    workers.stop_broker()
    table = seated.in_election(3)
    table.lay([Card.NO, Card.YES, Card.YES])

    workers.start(LIGHT)

    wait_until(lambda: resolved(table), "the resolution")


def test_a_deadline_is_at_most_half_a_minute_late(workers: Workers) -> None:
    workers.start(LIGHT)
    wait_until(workers.beats, "the worker's start")
    table = seated.started(3)
    first = table.decision
    # One that came late by mail might be answered later.
    wait_until(lambda: rows.asked(table.id, first), "the question")
    [(left,)] = run("SELECT deadline - kingup_now() FROM game")
    clock.shift(left - timedelta(seconds=2))
    assert table.decision == first

    waited = wait_until(lambda: table.decision == first + 1, "the clock's answer")

    assert 1 < waited < 30
