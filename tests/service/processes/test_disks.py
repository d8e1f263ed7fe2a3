"""A home that takes nothing is told in one sentence, a full disk by readiness."""

import http.client
import signal
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.rig import disks
from tests.rig.parts import wait_until

SERVE = (sys.executable, "-P", "-m", "service.commands.cli", "serve")


def ready(port: int) -> int:
    """What readiness says; 0 where nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with closing(connection), suppress(OSError, http.client.HTTPException):
        connection.request("GET", "/readyz")
        return connection.getresponse().status
    return 0


def test_a_full_disk_is_told_within_half_a_minute_and_got_over(
    tmp_path: Path, free_port: int
) -> None:
    home = tmp_path / "home"
    settings = disks.environ(home, KINGUP_PORT=str(free_port))
    serve = disks.on_disk(home, "size=192m", SERVE, env=settings)
    try:
        wait_until(lambda: ready(free_port) == 200, "readiness", 120)

        filler = disks.fill(disks.seen_by(serve, home))
        waited = wait_until(lambda: ready(free_port) == 503, "the alarm", 60)
        filler.unlink()
        wait_until(lambda: ready(free_port) == 200, "readiness again", 120)
    finally:
        serve.send_signal(signal.SIGTERM)
        said, _ = serve.communicate(timeout=60)

    assert waited < 31
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "options", ["ro", "size=4k", "size=64k", "size=30m", "nr_inodes=3"]
)
def test_a_home_that_takes_nothing_is_told_in_one_sentence(
    tmp_path: Path, free_port: int, options: str
) -> None:
    home = tmp_path / "home"
    settings = disks.environ(home, KINGUP_PORT=str(free_port))

    serve = disks.on_disk(home, options, SERVE, env=settings)
    said, _ = serve.communicate(timeout=120)

    assert serve.returncode == 1
    assert said.startswith("Error: ")
    assert said.count("\n") == 1
    assert str(home) in said


@pytest.mark.parametrize("file", ["", "serve.lock/x", "log", "secret_key/x", "pg"])
def test_a_file_where_a_folder_belongs_or_otherwise_is_told_in_one_sentence(
    tmp_path: Path, free_port: int, file: str
) -> None:
    home = tmp_path / "home"
    wrong = home / file
    wrong.parent.mkdir(parents=True, exist_ok=True)
    wrong.touch()

    ended = subprocess.run(
        SERVE,
        env=disks.environ(home, KINGUP_PORT=str(free_port)),
        capture_output=True,
        text=True,
    )

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("Error: ")
    assert ended.stderr.count("\n") == 1
    assert str(home) in ended.stderr
