"""`kingup serve`: one process tree that starts, heals and ends together."""

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import config
from service.running import kernel
from tests.rig.parts import wait_until

SERVE = (sys.executable, "-P", "-m", "service.commands.cli", "serve")


class Service:
    """A `kingup serve` in a folder and on a port of its own."""

    def __init__(self, home: Path, port: int) -> None:
        self.home = home
        self.port = port
        self._process: subprocess.Popen[str] | None = None

    def spawn(self) -> subprocess.Popen[str]:
        settings = {"KINGUP_HOME": str(self.home), "KINGUP_PORT": str(self.port)}
        return subprocess.Popen(
            SERVE,
            env=config.child_environ(settings, {"PATH": os.defpath}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def start(self) -> None:
        self._process = self.spawn()
        self.wait_for("Kingup is running")

    @property
    def process(self) -> subprocess.Popen[str]:
        assert self._process is not None
        return self._process

    def wait_for(self, words: str) -> None:
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if words in line:
                return
        raise AssertionError("".join(lines))

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        code = self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def members(self, word: str = "") -> list[int]:
        """The process ids of web and worker, which carry the folder's name."""
        mark = f"KINGUP_HOME={self.home}\0".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                ours = mark in (folder / "environ").read_bytes() + b"\0"
                command = (folder / "cmdline").read_text()
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
            if ours and word in command:
                found.append(int(folder.name))
        return sorted(found)

    def assert_gone(self) -> None:
        """Within five seconds nothing of it runs any more."""
        kernel.take_lock(self.home / "servers.lock", seconds=5).close()
        patience = time.monotonic() + 5
        while self.members() and time.monotonic() < patience:
            time.sleep(0.05)
        assert self.members() == []

    def status(self, path: str = "/healthz") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        connection.request("GET", path)
        status = connection.getresponse().status
        connection.close()
        return status


@pytest.fixture(params=["home"])
def service(
    request: pytest.FixtureRequest, tmp_path: Path, free_port: int
) -> Iterator[Service]:
    service = Service(tmp_path / request.param, free_port)
    service.start()
    yield service
    if service.process.poll() is None:
        service.end(signal.SIGTERM)
    service.assert_gone()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_every_process(
    service: Service, number: signal.Signals
) -> None:
    assert service.status() == 200

    started = time.monotonic()
    code = service.end(number)

    assert code == 0
    assert time.monotonic() - started < 15
    assert service.members() == []
    kernel.take_lock(service.home / "servers.lock").close()


@pytest.mark.parametrize("service", ["a #%20?; 'b\" ö"], indirect=True)
def test_a_home_of_any_spelling_gets_ready(service: Service) -> None:
    wait_until(lambda: service.status("/readyz") == 200, "all checks ok")


def test_a_second_serve_on_the_same_folder_says_so(service: Service) -> None:
    second = service.spawn()
    output, _ = second.communicate(timeout=10)

    assert second.returncode == 1
    assert f"Kingup already runs on {service.home}" in output
    assert f"http://127.0.0.1:{service.port}" in output
    assert service.status() == 200


def test_a_taken_port_is_named(service: Service, tmp_path: Path) -> None:
    other = Service(tmp_path / "other", service.port).spawn()
    output, _ = other.communicate(timeout=10)

    assert other.returncode == 1
    assert f"Port {service.port} is taken" in output


def test_killed_it_leaves_nothing_behind_and_starts_again(service: Service) -> None:
    service.end(signal.SIGKILL)

    service.assert_gone()
    service.start()
    assert service.status() == 200


@pytest.mark.parametrize(
    ("word", "name"), [("gunicorn", "The web server"), ("celery", "The worker")]
)
def test_a_killed_part_is_started_again(service: Service, word: str, name: str) -> None:
    killed = service.members(word)
    assert killed

    for number in killed:
        os.kill(number, signal.SIGKILL)
    service.wait_for(f"{name} has ended; starting it again")

    patience = time.monotonic() + 10
    while not service.members(word) and time.monotonic() < patience:
        time.sleep(0.05)
    assert service.members(word)
    assert not set(killed) & set(service.members(word))


def test_the_secret_is_made_once_and_kept_to_oneself(service: Service) -> None:
    file = service.home / "secret_key"
    secret = file.read_text(encoding="ascii")

    service.end(signal.SIGINT)
    service.start()

    assert len(secret) >= config.SECRET_MIN_LENGTH
    assert file.read_text(encoding="ascii") == secret
    assert file.stat().st_mode & 0o777 == 0o600
    assert service.home.stat().st_mode & 0o777 == 0o700
