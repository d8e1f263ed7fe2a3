"""The machine room of a measurement: private servers, and processes beside them."""

import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from service import config
from service.processes import command_lines, embedded
from tests.rig.parts import free_ports

_READY_SECONDS = 30


@contextmanager
def servers(home: Path) -> Iterator[Mapping[str, str]]:
    """Private Postgres and Valkey; the environment that points a process at them."""
    private = embedded.Servers(home)
    private.start()
    environ = {
        "DATABASE_URL": private.database_url,
        "REDIS_URL": private.redis_url,
        "SECRET_KEY": secrets.token_hex(32),
        "PUBLIC_URL": "http://127.0.0.1:8000",
        "KINGUP_HOME": str(home),
        "KINGUP_MAILBOX": str(home / "mailbox"),
        "KINGUP_WEB_THREADS": "4",
        "KINGUP_INVITATIONS_A_DAY": "1000000",
        "KINGUP_RATE_LIMITS": "0",
        "LOG_LEVEL": "WARNING",
    }
    try:
        run(command_lines.migrate(), environ)
        yield environ
    finally:
        private.stop()


def run(command: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """Run a command to its end; what it printed. Raises CalledProcessError."""
    done = subprocess.run(
        command,
        env=config.child_environ(environ),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


@contextmanager
def process(command: tuple[str, ...], environ: Mapping[str, str]) -> Iterator[None]:
    """A process for as long as the block lasts."""
    child = subprocess.Popen(
        command, env=config.child_environ(environ), start_new_session=True
    )
    try:
        yield
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


@contextmanager
def kingup_web(environ: Mapping[str, str]) -> Iterator[int]:
    """Our web, two workers of four threads and strangers' own; its port."""
    [port] = free_ports(1)
    command = command_lines.web(f"127.0.0.1:{port}", workers=2, grace=2)
    with process(command, environ):
        _await(f"http://127.0.0.1:{port}/healthz")
        yield port


@contextmanager
def bare_web(environ: Mapping[str, str]) -> Iterator[int]:
    """The yardstick, on the same server in as many processes; its port."""
    [port] = free_ports(1)
    url = environ["DATABASE_URL"].replace("postgresql+psycopg", "postgresql")
    command = (
        *(sys.executable, "-m", "gunicorn"),
        *("-c", "python:tests.bench.bare_config"),
        *("--bind", f"127.0.0.1:{port}", "--workers", "3", "--graceful-timeout", "2"),
        "tests.bench.bare:create_app()",
    )
    with process(command, {**environ, "BARE_DATABASE_URL": url}):
        _await(f"http://127.0.0.1:{port}/")
        yield port


def _await(url: str) -> None:
    until = time.monotonic() + _READY_SECONDS
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(url)
