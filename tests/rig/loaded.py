"""Processes that find all they import loaded already: a start costs a fork.

They run the same code as by their command lines, but for what Python does before it.
Processes that are looked for by command line or environment aren't found among them.
"""

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from service.processes import kernel

_LOADED = ("gunicorn.app.wsgiapp", "celery.bin.worker", "worker.tasks", "aiosmtpd.smtp")


@cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.rig.bound", __name__, *_LOADED])
    return context


class Loaded:
    """What a command line of Python's would do, in a group of its own.

    It has of `subprocess.Popen` what one needs to watch and to end it.
    """

    def __init__(
        self, command: tuple[str, ...], environ: Mapping[str, str], log: Path
    ) -> None:
        how = next(each for each in command if each in _WAYS)
        told = (how, command[command.index(how) + 1 :], dict(environ), log)
        self._process: BaseProcess = _context().Process(target=_become, args=told)
        self._process.start()
        # Or whoever kills the group at once would find none.
        with suppress(ProcessLookupError):
            while os.getpgid(self.pid) != self.pid:
                time.sleep(0.001)

    @property
    def pid(self) -> int:
        """The id of the process, and of its group."""
        found = self._process.pid
        assert found is not None
        return found

    def poll(self) -> int | None:
        """How it ended, as a number; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float) -> None:
        """Wait for its end. Raises TimeoutExpired after so many seconds."""
        self._process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)


def _become(
    how: str, command: Sequence[str], environ: Mapping[str, str], log: Path
) -> None:
    kernel.die_with_parent(signal.SIGKILL, os.getppid())
    os.setpgid(0, 0)
    with log.open("ab") as said:
        os.dup2(said.fileno(), sys.stdout.fileno())
        os.dup2(said.fileno(), sys.stderr.fileno())
    os.environ.clear()
    os.environ.update(environ)
    what, *arguments = command
    sys.argv = [what if how == "-m" else how, *arguments]
    _WAYS[how](what)


def _run_module(name: str) -> None:
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _run_code(code: str) -> None:
    exec(code, {"__name__": "__main__"})


_WAYS: Mapping[str, Callable[[str], None]] = {"-m": _run_module, "-c": _run_code}
"""What Python may be told to run: a module, or some lines."""
