"""A `kingup serve` under trial: started, asked, loaded and killed."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from service import config
from service.processes import kernel
from tests.rig.api import Program
from tests.rig.parts import processes

SERVE = (sys.executable, "-P", "-m", "service.commands.cli", "serve")

GONE_SECONDS = 10.0
"""How soon after the death of a supervisor nothing of it runs any more."""

SOON_SECONDS = 15.0
"""How soon a supervisor that is asked to end has ended."""

_PLAYERS = 4


class Service:
    """A `kingup serve` in a folder and on a port of its own."""

    def __init__(self, home: Path, port: int) -> None:
        self.home = home
        self.port = port
        self._process: subprocess.Popen[str] | None = None

    def spawn(self, **more: str) -> subprocess.Popen[str]:
        settings = {
            "KINGUP_HOME": str(self.home),
            "KINGUP_PORT": str(self.port),
            "KINGUP_RATE_LIMITS": "0",
            **more,
        }
        return subprocess.Popen(
            SERVE,
            env=config.child_environ(settings, {"PATH": os.defpath}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def begin(self) -> None:
        """Start it, and don't wait for anything."""
        self._process = self.spawn()

    def start(self) -> None:
        self.begin()
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

    def ended_by(self, number: signal.Signals) -> str:
        """What it says after one signal, which has to end every process soon."""
        asked = time.monotonic()
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=60)
        assert self.process.returncode == 0
        assert time.monotonic() - asked < SOON_SECONDS
        assert self.left() == []
        kernel.take_lock(self.home / "servers.lock").close()
        return said

    def members(self, word: str = "") -> list[int]:
        """The process ids of supervisor, web and worker, which know the folder."""
        mark = f"KINGUP_HOME={self.home}\0".encode()
        return processes(
            lambda folder: (
                mark in (folder / "environ").read_bytes() + b"\0"
                and word in (folder / "cmdline").read_text()
            )
        )

    def servers(self) -> list[int]:
        """The process ids of Postgres and Valkey, which work in the folder."""
        return processes(
            lambda folder: (folder / "cwd").readlink().is_relative_to(self.home)
        )

    def left(self) -> list[int]:
        return sorted({*self.members(), *self.servers()})

    def assert_gone(self) -> None:
        """Soon nothing of it runs any more."""
        assert self.seconds_until_gone() < GONE_SECONDS

    def seconds_until_gone(self) -> float:
        """How long something of it runs on; those that stay are killed in the end."""
        started = time.monotonic()
        while left := self.left():
            if time.monotonic() > started + GONE_SECONDS:
                processes = [_told(number) for number in left]
                self.kill()
                raise AssertionError(f"still there: {processes}")
            time.sleep(0.05)
        return time.monotonic() - started

    def kill(self) -> None:
        """End whatever is left of it."""
        for number in self.left():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()

    def killed_early(self, seconds: float) -> float:
        """Kill the supervisor so soon after its start; how long the rest runs on."""
        self.begin()
        time.sleep(seconds)
        self.end(signal.SIGKILL)
        return self.seconds_until_gone()

    def killed_under_load(self, seconds: float = 2) -> float:
        """The same when it has been asked by many, and its worker has played."""
        self.start()
        with self.asked():
            time.sleep(seconds)
            self.end(signal.SIGKILL)
            return self.seconds_until_gone()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Have practice games played without a pause."""
        over = threading.Event()
        players = [
            threading.Thread(target=_practise, args=(self.port, over))
            for _ in range(_PLAYERS)
        ]
        for player in players:
            player.start()
        try:
            yield
        finally:
            over.set()
            for player in players:
                player.join()

    def status(self, path: str = "/healthz") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        connection.request("GET", path)
        status = connection.getresponse().status
        connection.close()
        return status


def _told(number: int) -> str:
    folder = Path(f"/proc/{number}")
    with suppress(OSError):
        command = (folder / "cmdline").read_text().replace("\0", " ")
        state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        return f"{number} {state} {command}"
    return f"{number}"


def _practise(port: int, over: threading.Event) -> None:
    """Play as fast as it goes, until it is over."""
    program = Program([f"http://127.0.0.1:{port}"], "")
    game = ""
    while not over.is_set():
        # Whoever is refused tries again, and so does whoever's line breaks.
        with suppress(OSError):
            game = _moved(program, game) if game else _begun(program)
    program.hang_up()


def _begun(program: Program) -> str:
    """A practice game, if there is one to be had."""
    status, body = program.call("POST", "/v1/practice-games")
    if status != http.HTTPStatus.CREATED:
        return ""
    made = json.loads(body)
    program.token = made["token"]
    return str(made["game"])


def _moved(program: Program, game: str) -> str:
    """The game to go on with, after a look and perhaps an answer."""
    status, body = program.call("GET", f"/v1/games/{game}/view")
    if status != http.HTTPStatus.OK:
        return game
    view = json.loads(body)
    if view.get("legal"):
        number = view["decision"]["number"]
        program.answer(game, number, view["legal"][0]["answer"])
    return "" if view["status"] == "over" else game
