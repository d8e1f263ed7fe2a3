"""Mails a second through one worker, beside a bare loop that sends the same bytes."""

import smtplib
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from service.processes import command_lines
from tests.bench import stage, tables
from tests.rig import signing_keys
from tests.rig.parts import free_ports

_GAMES = 150
_SEATS = 4
_FIRST = 40
"""So many mails are sent before the time is taken: the worker has just started."""


def measure(environ: Mapping[str, str]) -> dict[str, float]:
    """Mails a second of both, and their ratio, unsigned and signed.

    The worker finds the notices of games that have just begun: it composes, checks,
    renders, perhaps signs, keeps each mail's bytes, hands it over, and notes that.
    """
    unsigned = _rates(environ, 3000)
    signed = _rates({**environ, "DKIM_KEY": signing_keys.GOOD}, 4000)
    return {**unsigned, **{f"{name}, signed": rate for name, rate in signed.items()}}


def _rates(environ: Mapping[str, str], start: int) -> dict[str, float]:
    """The same in one of both ways, among people with numbers from `start` on."""
    with tempfile.TemporaryDirectory(prefix="kingup-mails-") as folder:
        ours, bare = Path(folder) / "ours", Path(folder) / "bare"
        people, _tokens = tables.seated_people(_SEATS, start)
        for _ in range(_GAMES):
            tables.started_game(people)
        with _sink(environ, ours) as port:
            settings = {
                **environ,
                "SMTP_URL": f"smtp://127.0.0.1:{port}",
                "MAIL_SETTLE_SECONDS": "0",
            }
            with stage.process(command_lines.worker_with_beat("WARNING"), settings):
                _wait(ours, _GAMES * _SEATS)
        bodies = [file.read_bytes() for file in _mails(ours)]
        with _sink(environ, bare) as port:
            _send_all(port, bodies)
            _wait(bare, len(bodies))
        found, yardstick = _a_second(ours), _a_second(bare)
    return {
        "mails a second": found,
        "bare smtplib loop": yardstick,
        "mails : bare loop": found / yardstick,
    }


@contextmanager
def _sink(environ: Mapping[str, str], folder: Path) -> Iterator[int]:
    """A mail server that keeps mails in a folder; its port."""
    folder.mkdir()
    [port] = free_ports(1)
    command = (sys.executable, "-m", "tests.bench.sink", str(port), str(folder))
    with stage.process(command, environ):
        _await(port)
        yield port


def _await(port: int) -> None:
    for _ in range(200):
        try:
            smtplib.SMTP("127.0.0.1", port, timeout=5).quit()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(port)


def _send_all(port: int, bodies: list[bytes]) -> None:
    with smtplib.SMTP("127.0.0.1", port) as server:
        for body in bodies:
            server.sendmail("games@example.org", "player@example.org", body)


def _mails(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def _wait(folder: Path, count: int) -> None:
    until = time.monotonic() + 120
    while len(_mails(folder)) < count:
        if time.monotonic() > until:
            raise TimeoutError(f"{len(_mails(folder))} of {count} mails")
        time.sleep(0.1)


def _a_second(folder: Path) -> float:
    arrived = sorted(file.stat().st_mtime_ns for file in _mails(folder))[_FIRST:]
    return (len(arrived) - 1) / ((arrived[-1] - arrived[0]) / 1e9)
