"""The worker as a process: killed, without its broker, and with a slow mail server."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from engine.board import Card
from service import config
from service.config import child_environ
from service.monitoring import health
from service.processes import command_lines, embedded
from service.store import clock
from tests.rig.house import BOT_DELAY
from tests.rig.parts import Part, wait_until
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run


class Workers:
    """Worker processes on the test's database, with a broker of their own."""

    def __init__(self, folder: Path, environ: dict[str, str]) -> None:
        (folder / "home").mkdir()
        self._broker = embedded.Servers(folder / "home")
        self._broker.start(postgres=False, valkey=True)
        self._folder = folder
        self.redis_url = self._broker.redis_url
        self._environ = child_environ(
            {
                "REDIS_URL": self.redis_url,
                "KINGUP_HOME": str(folder),
                "KINGUP_BOT_DELAY": str(BOT_DELAY),
            },
            environ,
        )
        self.parts: list[Part] = []

    def start(self, *commands: tuple[str, ...]) -> None:
        for number, command in enumerate(commands, start=len(self.parts)):
            name = f"part{number}"
            log = self._folder / f"{name}.log"
            part = Part(name, command, self._environ, log)
            self.parts.append(part)
            part.start()

    def stop_broker(self) -> None:
        self._broker.stop()

    def stop(self) -> None:
        for part in self.parts:
            part.kill()
        self._broker.stop()

    def beats(self) -> bool:
        return bool(run("SELECT 1 FROM sign_of_life WHERE name = 'worker'"))

    def mails(self) -> int:
        return len(list((self._folder / "mailbox" / "new").glob("*")))


@pytest.fixture
def workers(
    tmp_path: Path,
    environ: dict[str, str],
    inside: Flask,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Workers]:
    built = Workers(tmp_path, environ)
    # What the test itself opens waits for bots as the workers do.
    quick = msgspec.structs.replace(config.of(inside), bot_delay=BOT_DELAY)
    monkeypatch.setitem(inside.config, "KINGUP", quick)
    yield built
    built.stop()


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
    clock.shift(timedelta(seconds=seated.PACE - 2))
    assert table.decision == first

    waited = wait_until(lambda: table.decision == first + 1, "the clock's answer")

    assert 1 < waited < 30
