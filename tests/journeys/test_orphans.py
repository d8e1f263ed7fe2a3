"""What a killed process has forked goes with it, however busy it is."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask

from service.processes import command_lines
from tests.rig.house import House, running
from tests.rig.parts import START_PATIENCE, Part, members, wait_until
from tests.rig.service import seated
from tests.rig.sse import Stream

FORKS = {
    "pool": command_lines.worker("WARNING", concurrency=2),
    "beat": command_lines.worker_with_beat("WARNING"),
}


def test_a_killed_server_takes_its_streams_with_it(
    inside: Flask, tmp_path: Path, environ: dict[str, str]
) -> None:
    table = seated.started(3)
    built = House(tmp_path, environ, webs=1, workers=0, loaded=False)
    with running(built) as house, Stream(house.urls[0], str(table.id)) as stream:
        next(stream.messages())
        wait_until(lambda: len(members(tmp_path, "gunicorn")) == 3, "all its workers")

        os.kill(house.webs[0].pid, signal.SIGKILL)

        wait_until(lambda: not members(tmp_path, "gunicorn"), "its workers' end", 5)


@pytest.mark.parametrize("kind", FORKS)
def test_a_killed_worker_takes_its_forks_with_it(
    tmp_path: Path, environ: dict[str, str], database: str, kept: ExitStack, kind: str
) -> None:
    environ = {**environ, "KINGUP_HOME": str(tmp_path)}
    worker = Part(kind, FORKS[kind], environ, tmp_path / "log")
    worker.start()
    kept.callback(worker.kill)
    wait_until(
        lambda: len(members(tmp_path, "celery")) > 1,
        "the worker's forks",
        START_PATIENCE,
    )
    for number in members(tmp_path, "celery"):
        if number != worker.pid:
            os.kill(number, signal.SIGSTOP)

    os.kill(worker.pid, signal.SIGKILL)

    wait_until(lambda: not members(tmp_path, "celery"), "the end of its forks", 5)
