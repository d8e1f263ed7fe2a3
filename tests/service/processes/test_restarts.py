"""What keeps a process running: how soon one that has ended is started again."""

import time

import pytest

from service.processes.embedded import ServerError
from service.processes.restarts import ChildWatch


class Stub:
    """A process that lives or not as it is told; it remembers its starts."""

    name = "The stub"

    def __init__(self) -> None:
        self.alive = True
        self.startable = True
        self.starts = 0

    def start(self) -> None:
        self.starts += 1
        if not self.startable:
            raise ServerError("no disk")
        self.alive = True


class Watched:
    """A process and its watch, at moments that the test names."""

    def __init__(self) -> None:
        self.process = Stub()
        self.now = time.monotonic()
        self._watch = ChildWatch(self.process)

    def run(self, seconds: float) -> None:
        self.now += seconds
        self._watch.tick(self.now)

    def pause(self) -> float:
        """Seconds from the death of the process until it is started again."""
        self.process.alive = False
        self.run(0.001)
        before, starts = self.now, self.process.starts
        while self.process.starts == starts:
            self.run(0.125)
            assert self.now - before < 100
        return self.now - before


def test_each_death_in_a_row_doubles_the_pause_up_to_half_a_minute() -> None:
    watched = Watched()

    pauses = [watched.pause() for _ in range(9)]

    assert pauses == pytest.approx([0.5, 1, 2, 4, 8, 16, 30, 30, 30])


def test_a_process_that_ran_for_a_minute_is_started_at_once_again() -> None:
    watched = Watched()
    for _ in range(5):
        watched.pause()

    watched.run(59)
    shaky = watched.pause()
    watched.run(61)
    steady = watched.pause()

    assert (shaky, steady) == (16, 0.5)


def test_a_start_that_fails_is_tried_again_less_and_less() -> None:
    watched = Watched()
    watched.process.startable = False

    pauses = [watched.pause() for _ in range(4)]

    assert pauses == [0.5, 1, 2, 4]


def test_a_process_that_runs_is_left_alone() -> None:
    watched = Watched()

    for _ in range(1000):
        watched.run(0.1)

    assert watched.process.starts == 0
