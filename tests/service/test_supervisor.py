"""`kingup serve`: one process tree that starts, heals and ends together."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import config
from service.running import kernel
from tests.rig.parts import wait_until
from tests.rig.served import GONE_SECONDS, Service


@pytest.fixture
def fresh(tmp_path: Path, free_port: int) -> Iterator[Service]:
    """One that has not been started yet."""
    fresh = Service(tmp_path / "home", free_port)
    yield fresh
    fresh.kill()


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
    output, _ = second.communicate(timeout=60)

    assert second.returncode == 1
    assert f"Kingup already runs on {service.home}" in output
    assert f"http://127.0.0.1:{service.port}" in output
    assert service.status() == 200


def test_a_taken_port_is_named(service: Service, tmp_path: Path) -> None:
    other = Service(tmp_path / "other", service.port).spawn()
    output, _ = other.communicate(timeout=60)

    assert other.returncode == 1
    assert f"Port {service.port} is taken" in output


def test_killed_it_leaves_nothing_behind_and_starts_again(service: Service) -> None:
    service.end(signal.SIGKILL)

    service.assert_gone()
    service.start()
    assert service.status() == 200


def test_killed_it_leaves_nothing_behind_that_hangs(service: Service) -> None:
    for number in service.members():
        if number != service.process.pid:
            os.kill(number, signal.SIGSTOP)

    service.end(signal.SIGKILL)

    service.assert_gone()


def test_killed_at_any_moment_it_leaves_nothing_behind(fresh: Service) -> None:
    early = [fresh.killed_early(seconds) for seconds in (0.4, 1.0, 2.0)]
    busy = [fresh.killed_under_load() for _ in range(2)]

    assert max(early + busy) < GONE_SECONDS


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


def test_a_web_server_that_dies_while_it_starts_gets_another_try(
    tmp_path: Path, free_port: int
) -> None:
    service = Service(tmp_path / "home", free_port)
    process = service.spawn()
    wait_until(lambda: service.members("gunicorn"), "the web server", 120)

    for number in service.members("gunicorn"):
        os.kill(number, signal.SIGKILL)

    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "Kingup is running" in line:
            break
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=60)
    assert "The web server has ended; starting it again" in "".join(said)
    assert "Kingup is running" in said[-1]
    assert "Traceback" not in "".join([*said, rest])


def test_a_web_server_that_never_starts_is_told_in_one_sentence(
    tmp_path: Path, free_port: int
) -> None:
    service = Service(tmp_path / "home", free_port)
    # Gunicorn reads it, and refuses what it doesn't know.
    process = service.spawn(GUNICORN_CMD_ARGS="--no-such-option")

    said, _ = process.communicate(timeout=200)

    assert process.returncode == 1
    assert said.splitlines()[-1] == "Error: The web server can't start; see above."
    assert "Traceback" not in said
    service.assert_gone()
