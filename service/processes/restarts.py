"""Restarts: a process that ends is started again, later each time in a row."""

import time
from typing import Protocol

import click

from service.processes import embedded

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
