"""Child processes of the supervisor: started, stopped, killed with all they began."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from functools import partial

from service.processes import kernel


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
