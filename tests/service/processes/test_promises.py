"""What the docs promise of processes: web, worker, beat and serve keep it alike."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import redis

from service import config
from tests.rig.house import answers
from tests.rig.parts import wait_until

KINGUP = (sys.executable, "-P", "-m", "service.commands.cli")
CRASHES = """
import sys, threading, warnings
from service.monitoring import logs
logs.take_over("INFO")
warnings.warn("of some library")
def thread():
    raise LookupError("the ballot is no")
running = threading.Thread(target=thread)
running.start()
running.join()
class Sulking:
    def __del__(self):
        raise LookupError("the ballot is no")
Sulking()
raise LookupError("the ballot is no")
"""


class Said:
    """A process of `kingup`, and what it has said."""

    def __init__(
        self, folder: Path, command: tuple[str, ...], environ: Mapping[str, str]
    ) -> None:
        self.out, self.err = folder / "out", folder / "err"
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                (*KINGUP, *command), env=environ, stdout=out, stderr=err
            )

    def __enter__(self) -> "Said":
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind, whatever failed."""
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.err.read_text().splitlines()]


@pytest.fixture
def settings_of_parts(
    tmp_path: Path, environ: dict[str, str], database: str, free_port: int
) -> dict[str, str]:
    """Settings that hold what no line may tell."""
    given = {
        "KINGUP_HOME": str(tmp_path / "home"),
        "KINGUP_PORT": str(free_port),
        "LOG_LEVEL": "INFO",
        "SMTP_URL": "smtp://someone:hunter2@127.0.0.1:1",
    }
    return config.child_environ(given, environ)


def web_answers(_web: Said, settings: Mapping[str, str]) -> bool:
    return answers(int(settings["KINGUP_PORT"]))


def worker_is_ready(worker: Said, _settings: Mapping[str, str]) -> bool:
    return "ready." in worker.err.read_text()


def beat_beats(_beat: Said, settings: Mapping[str, str]) -> bool:
    with redis.Redis.from_url(settings["REDIS_URL"]) as client:
        return bool(client.exists("celery"))


@pytest.mark.parametrize(
    ("command", "works"),
    [
        (("web", "--workers", "1"), web_answers),
        (("worker", "--concurrency", "1"), worker_is_ready),
        (("beat",), beat_beats),
    ],
    ids=["web", "worker", "beat"],
)
def test_each_part_says_lines_of_json_and_ends_well(
    tmp_path: Path,
    settings_of_parts: dict[str, str],
    command: tuple[str, ...],
    works: Callable[[Said, Mapping[str, str]], bool],
) -> None:
    settings = settings_of_parts
    with Said(tmp_path, command, settings) as part:
        wait_until(lambda: works(part, settings), f"{command[0]} at work", 120)

        code = part.end()

    assert code == 0
    assert part.out.read_bytes() == b""
    for line in part.lines():
        assert {"event", "level", "logger", "timestamp"} <= set(line)
    for secret in ("hunter2", "someone", settings["SECRET_KEY"]):
        assert secret not in part.err.read_text()


def test_serve_says_to_its_user_in_words_and_for_the_log_in_json(
    bare: Path, tmp_path: Path, free_port: int
) -> None:
    settings = {
        "KINGUP_HOME": str(shutil.copytree(bare, tmp_path / "home")),
        "KINGUP_PORT": str(free_port),
        "LOG_LEVEL": "INFO",
        "PATH": os.defpath,
    }
    with Said(tmp_path, ("serve",), config.child_environ(settings, {})) as serve:
        wait_until(lambda: "is running" in serve.out.read_text(), "the start", 120)
        wait_until(lambda: "ready." in serve.err.read_text(), "the worker", 120)

        code = serve.end()

    assert code == 0
    said = serve.out.read_text().splitlines()
    assert [line.partition(":")[0] for line in said] == [
        "Kingup is running",
        "Kingup is stopping ...",
    ]
    loggers = {str(line["logger"]).partition(".")[0] for line in serve.lines()}
    assert {"gunicorn", "celery", "alembic"} <= loggers


def test_what_nobody_caught_is_a_line_without_its_words() -> None:
    ended = subprocess.run(
        (sys.executable, "-c", CRASHES), capture_output=True, text=True
    )

    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    assert ended.returncode == 1
    assert [line["logger"] for line in lines] == [
        "py.warnings",
        *["service.monitoring.logs"] * 3,
    ]
    assert all(line["exception"]["type"] == "LookupError" for line in lines[1:])
    assert "ballot" not in ended.stderr
