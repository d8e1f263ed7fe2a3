"""`kingup serve`: one process tree that starts, heals and ends together."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.values.setting import SECRET_MIN_LENGTH
from tests.rig.house import answers
from tests.rig.parts import START_PATIENCE, free_ports, wait_until
from tests.rig.served import GONE_SECONDS, Service


@pytest.fixture
def service(made: Path, tmp_path: Path, free_port: int) -> Iterator[Service]:
    """One that has not been started yet, on a home that has been made before."""
    service = Service(shutil.copytree(made, tmp_path / "home"), free_port)
    yield service
    service.kill()


@pytest.fixture
def started(service: Service) -> Service:
    service.start()
    return service


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One that runs on a home that it has made itself, for tests that let it run."""
    home = tmp_path_factory.mktemp("first") / "a #%20?; 'b\" ö"
    (port,) = free_ports(1)
    first = Service(home, port)
    first.start()
    yield first
    first.kill()


def test_a_home_of_any_spelling_gets_ready(first: Service) -> None:
    wait_until(lambda: first.status("/readyz") == 200, "all checks ok")


def test_the_secret_is_made_at_the_first_start_and_kept_to_oneself(
    first: Service,
) -> None:
    file = first.home / "secret_key"

    assert len(file.read_text(encoding="ascii")) >= SECRET_MIN_LENGTH
    assert file.stat().st_mode & 0o777 == 0o600
    assert first.home.stat().st_mode & 0o777 == 0o700


def test_a_second_serve_on_the_same_folder_says_so(first: Service) -> None:
    second = first.spawn()
    output, _ = second.communicate(timeout=60)

    assert second.returncode == 1
    assert f"Kingup already runs on {first.home}" in output
    assert f"http://127.0.0.1:{first.port}" in output
    assert first.status() == 200


def test_a_taken_port_is_named(first: Service, tmp_path: Path) -> None:
    other = Service(tmp_path / "other", first.port).spawn()
    output, _ = other.communicate(timeout=60)

    assert other.returncode == 1
    assert f"Port {first.port} is taken" in output


@pytest.mark.parametrize(
    ("word", "name"), [("gunicorn", "The web server"), ("celery", "The worker")]
)
def test_a_killed_part_is_started_again(first: Service, word: str, name: str) -> None:
    killed = first.members(word)
    assert killed

    for number in killed:
        os.kill(number, signal.SIGKILL)
    first.wait_for(f"{name} has ended; starting it again")

    wait_until(lambda: first.members(word), "its next start", 10)
    assert not set(killed) & set(first.members(word))
    wait_until(lambda: answers(first.port), "an answer", START_PATIENCE)


def test_killed_under_load_it_leaves_nothing_starts_again_and_an_interrupt_ends_it_all(
    service: Service,
) -> None:
    assert service.killed_under_load() < GONE_SECONDS
    secret = (service.home / "secret_key").read_bytes()

    service.start()

    assert service.status() == 200
    assert (service.home / "secret_key").read_bytes() == secret
    service.ended_by(signal.SIGINT)


def test_killed_it_leaves_nothing_behind_that_hangs(started: Service) -> None:
    for number in started.members():
        if number != started.process.pid:
            os.kill(number, signal.SIGSTOP)

    started.end(signal.SIGKILL)

    started.assert_gone()


@pytest.mark.parametrize(
    "seconds",
    [
        pytest.param(0.4, marks=pytest.mark.proof),
        1.0,
        pytest.param(2.0, marks=pytest.mark.proof),
    ],
)
def test_killed_while_it_starts_it_leaves_nothing_behind(
    tmp_path: Path, free_port: int, seconds: float
) -> None:
    fresh = Service(tmp_path / "home", free_port)

    assert fresh.killed_early(seconds) < GONE_SECONDS


def test_a_web_server_that_dies_early_gets_another_try_and_a_signal_ends_all(
    service: Service,
) -> None:
    service.begin()
    process = service.process
    wait_until(lambda: service.members("gunicorn"), "the web server", 120)

    for number in service.members("gunicorn"):
        os.kill(number, signal.SIGKILL)

    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "Kingup is running" in line:
            break
    rest = service.ended_by(signal.SIGTERM)
    assert "The web server has ended; starting it again" in "".join(said)
    assert "Kingup is running" in said[-1]
    assert "Traceback" not in "".join([*said, rest])


def test_a_web_server_that_never_starts_is_told_in_one_sentence(
    service: Service,
) -> None:
    # Gunicorn reads it, and refuses what it doesn't know.
    process = service.spawn(GUNICORN_CMD_ARGS="--no-such-option")

    said, _ = process.communicate(timeout=200)

    assert process.returncode == 1
    assert said.splitlines()[-1] == "Error: The web server can't start; see above."
    assert "Traceback" not in said
    service.assert_gone()
