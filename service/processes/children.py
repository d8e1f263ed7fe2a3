"""Child processes of the supervisor, and what keeps each of them running."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

import click

from service.processes import embedded, kernel

_FIRST_DELAY_SECONDS = 0.5
_LONGEST_DELAY_SECONDS = 30.0
_STEADY_SECONDS = 60.0


class Process(Protocol):
    """Something that is to run until the end."""

    @property
    def name(self) -> str:
        """What the log calls it."""

    @property
    def alive(self) -> bool:
        """Whether it runs."""

    def start(self) -> None:
        """Start it; raises ServerError when it can't run."""


def run(command: tuple[str, ...], environ: Mapping[str, str]) -> int:
    """Run a process of our own to its end; returns its exit code."""
    done = subprocess.run(  # noqa: S603 - our own command line
        command, env=environ, preexec_fn=_bound_to_us()
    )
    return done.returncode


def _bound_to_us() -> Callable[[], None]:
    """What a child does first, so that it is killed when this thread ends.

    Killed, because every other end takes time, and one that hangs has no end. Whatever
    it is busy with can be cut off at any point, as by a crash of the machine.
    """
    return partial(kernel.die_with_parent, signal.SIGKILL, os.getpid())


class Child:
    """One process of Kingup's own, with whatever it has started itself.

    It is killed when the thread that started it ends. A `quiet` one says nothing on its
    standard output.
    """

    def __init__(
        self,
        name: str,
        command: tuple[str, ...],
        environ: Mapping[str, str],
        *,
        quiet: bool = False,
    ) -> None:
        self.name = name
        self._command = command
        self._environ = environ
        self._output = subprocess.DEVNULL if quiet else None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process in a group of its own, without what an earlier one left."""
        self.kill()
        self._process = subprocess.Popen(  # noqa: S603 - our own command line
            self._command,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            process_group=0,
            preexec_fn=_bound_to_us(),
        )

    def ask_to_stop(self) -> None:
        """Send the signal to end; returns at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)

    def wait(self, seconds: float) -> None:
        """Wait for the end, at most `seconds`, then kill the whole group."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(max(seconds, 0))
        self.kill()

    def kill(self) -> None:
        """Kill the process and everything in its group."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class ChildWatch:
    """Keeps one process running: each death in a row doubles the pause after it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._delay = _FIRST_DELAY_SECONDS
        self._started = time.monotonic()
        self._due: float | None = None

    def tick(self, now: float) -> None:
        """Look after the process; `now` is monotonic seconds."""
        if self._due is not None:
            if now >= self._due:
                self._start(now)
        elif not self._process.alive:
            self._plan(now, "has ended")
        elif now - self._started > _STEADY_SECONDS:
            self._delay = _FIRST_DELAY_SECONDS

    def _plan(self, now: float, what: str) -> None:
        click.echo(
            f"{self._process.name} {what}; starting it again in {self._delay:g} s"
        )
        self._due = now + self._delay
        self._delay = min(self._delay * 2, _LONGEST_DELAY_SECONDS)

    def _start(self, now: float) -> None:
        self._due, self._started = None, now
        try:
            self._process.start()
        except embedded.ServerError as error:
            self._plan(now, f"can't start ({error})")
