"""Processes of a service under trial: started, killed and started again."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from random import SystemRandom

from service.processes import kernel
from tests.rig.loaded import Loaded

PATIENCE = 120.0
START_PATIENCE = 180.0
"""How long a process may take to start, on a machine that has much else to do."""

_LONGEST_PAUSE = 0.1

_LANE = int(os.environ.get("PYTEST_XDIST_WORKER", "gw9").removeprefix("gw")) % 10
_FIRST = 20_000 + 1_000 * _LANE
_SHIFT = SystemRandom().randrange(1_000)
_PORTS = (_FIRST + (_SHIFT + number) % 1_000 for number in count())


class Part:
    """One process with all its children; what it says goes to a file.

    A `loaded` one is a fork of a process that has imported all it needs.
    """

    def __init__(
        self,
        name: str,
        command: tuple[str, ...],
        environ: Mapping[str, str],
        log: Path,
        *,
        loaded: bool = False,
    ) -> None:
        self.name = name
        self.log = log
        self._command = command
        self._environ = environ
        self._loaded = loaded
        self._process: subprocess.Popen[bytes] | Loaded | None = None

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The id of the process, and of its group."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        if self._loaded:
            self._process = Loaded(self._command, self._environ, self.log)
            return
        us = os.getpid()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=self._environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
                preexec_fn=lambda: kernel.die_with_parent(signal.SIGKILL, us),
            )

    def kill(self) -> None:
        """End it and its children as a crash of the machine would."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """End it in its clean way; kill what takes longer than ten seconds."""
        self._signal(signal.SIGTERM)
        self.kill()

    def ask_to_stop(self) -> None:
        """Tell it to end in its clean way; returns at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)

    def freeze(self) -> None:
        """Stop it where it is, as a machine that swaps does."""
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        if number is signal.SIGTERM:
            self._process.send_signal(number)
        else:
            self._send(number)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10)

    def printed(self) -> str:
        """The end of what it has said, for whoever asks why a trial failed."""
        return self.log.read_text(errors="replace")[-4000:]


def wait_until(
    true: Callable[[], object],
    what: str,
    seconds: float = PATIENCE,
    *,
    pause: float = 0.01,
) -> float:
    """Wait for something to become true; how many seconds it took.

    Looks ever more seldom: what is waited for needs the machine more than we do.
    """
    started = time.monotonic()
    while not true():
        waited = time.monotonic() - started
        assert waited < seconds, f"{what} did not happen within {seconds:g} s"
        time.sleep(pause)
        pause = max(pause, min(pause * 1.3, _LONGEST_PAUSE))
    return time.monotonic() - started


def members(home: Path, word: str = "") -> list[int]:
    """The process ids of all that run for a folder, with a word in their command."""
    mark = f"KINGUP_HOME={home}\0".encode()
    return processes(
        lambda folder: (
            mark in (folder / "environ").read_bytes() + b"\0"
            and word in (folder / "cmdline").read_text()
        )
    )


def processes(ours: Callable[[Path], bool]) -> list[int]:
    """The ids of the processes that are `ours`, by their folders in /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        # Whoever ends meanwhile, or belongs to somebody else, is none of ours.
        with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            if ours(folder):
                found.append(int(folder.name))
    return sorted(found)


def free_ports(wanted: int) -> list[int]:
    """Ports that nobody listens on.

    None of those that the kernel gives to whoever connects, and in each test process
    other ones, in turn: nobody else takes one before it is used.
    """
    return list(islice(filter(_is_free, _PORTS), wanted))


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("", port)).close()
    except OSError:
        return False
    return True


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False
