"""What can't work is refused by each command before it starts anything."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.commands import cli
from tests.rig.service.environs import BAD, COMPLETE

COMMANDS = ("serve", "web", "worker", "beat", "migrate", "token")


def run(command: str, environ: Mapping[str, str]) -> tuple[int, str]:
    """What a command says that is to be refused, and its exit code."""
    args = [command, *(["rachel@example.org"] if command == "token" else [])]
    mine = dict.fromkeys([*os.environ], None) | {"PATH": os.defpath, **environ}
    outcome = CliRunner().invoke(cli.main, args, env=mine)
    return outcome.exit_code, outcome.output


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", BAD)
def test_no_command_starts_with_a_setting_that_cannot_work(
    tmp_path: Path, command: str, name: str
) -> None:
    home = {"KINGUP_HOME": str(tmp_path / "home")}
    value = next(v for v in BAD[name] if "\udcff" not in v)

    code, said = run(command, COMPLETE | home | {name: value})

    assert code == 1
    assert said.startswith(f"Error: {name} ")
    assert said.count("\n") == 1
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("command", ["web", "worker", "beat", "migrate"])
@pytest.mark.parametrize(
    "name", ["DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PUBLIC_URL"]
)
def test_no_part_starts_without_what_it_needs(command: str, name: str) -> None:
    environ = {each: value for each, value in COMPLETE.items() if each != name}

    assert run(command, environ) == (1, f"Error: {name} is not set.\n")


@pytest.mark.parametrize(
    ("bind", "why"),
    [
        ("host.invalid", "host.invalid can't be used"),
        ("127.0.0.1:http:", "127.0.0.1:http: is no HOST:PORT"),
        ("127.0.0.1:70000", "127.0.0.1:70000 is no HOST:PORT"),
        ("host.invalid:8000", "host.invalid:8000 can't be used"),
        ("203.0.113.1:8000", "203.0.113.1:8000 can't be used"),
    ],
)
def test_a_place_to_listen_that_cannot_work_is_refused(bind: str, why: str) -> None:
    outcome = CliRunner().invoke(cli.main, ["web", "--bind", bind], env=COMPLETE)

    assert outcome.exit_code == 1
    assert outcome.output == f"Error: {why}. Choose another: --bind ...\n"


@pytest.mark.parametrize("place", ["127.0.0.1:{}", "0.0.0.0:{}", ":{}"])
def test_a_port_that_is_taken_is_told_so(place: str) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        bind = place.format(taken.getsockname()[1])

        outcome = CliRunner().invoke(cli.main, ["web", "--bind", bind], env=COMPLETE)

    assert outcome.output == f"Error: {bind} is taken. Choose another: --bind ...\n"


def test_a_web_server_without_a_process_is_refused() -> None:
    outcome = CliRunner().invoke(cli.main, ["web", "--workers", "0"], env=COMPLETE)

    assert outcome.exit_code == 2
    assert "--workers" in outcome.output


@pytest.mark.parametrize("command", ["serve", "web", "worker", "beat", "migrate"])
def test_a_process_that_is_refused_says_one_line(tmp_path: Path, command: str) -> None:
    environ = COMPLETE | {
        "KINGUP_HOME": str(tmp_path),
        "SMTP_URL": "smtp://mail?tls",
        "PATH": os.defpath,
    }

    ended = subprocess.run(
        (sys.executable, "-P", "-m", "service.commands.cli", command),
        env=environ,
        capture_output=True,
        text=True,
    )

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "Error: SMTP_URL has an option that isn't known: tls.\n"
