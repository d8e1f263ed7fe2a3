"""The background batcher: a thread writes what requests put into it.

No request waits for it. What is still there when a process ends is lost.
"""

import threading
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

_Thing = TypeVar("_Thing", bound=Hashable)
_Fact = TypeVar("_Fact")


# To publish a task costs more than to write an answer, and a broker that is down or
# hangs must cost a request nothing: so many things leave together, in the background.
class BackgroundBatcher(Generic[_Thing, _Fact]):
    """Writes what was put into it, all of it together.

    `write` gets each thing once, in the order in which they came, with the latest fact
    about it. It begins `delay` seconds after the first of them came, and after it the
    thread rests `rest` seconds for each thing that it wrote, though no longer than
    `longest_rest` or, without one, `rest`: where little comes the next goes soon, and
    where much comes more goes together. More than `most` at a time are dropped.

    The thread begins with the first thing: a process that has left none yet may fork.
    """

    def __init__(
        self,
        write: Callable[[Mapping[_Thing, _Fact]], None],
        *,
        most: int,
        delay: float = 0,
        rest: float = 0,
        longest_rest: float | None = None,
    ) -> None:
        self._write = write
        self._most = most
        self._delay = delay
        self._rest = rest
        self._longest_rest = rest if longest_rest is None else longest_rest
        self._batch: dict[_Thing, _Fact] = {}
        self._arrived = threading.Condition()
        self._thread: threading.Thread | None = None

    def put(self, thing: _Thing, fact: _Fact) -> None:
        """Put something into the next batch; never waits, never fails."""
        with self._arrived:
            if len(self._batch) >= self._most:
                return
            self._batch[thing] = fact
            self._arrived.notify()
            if self._thread is None:
                self._start()

    def flush(self) -> int:
        """Write what is there, on the thread of whoever asks; how much it was."""
        with self._arrived:
            batch, self._batch = self._batch, {}
        if batch:
            self._write(batch)
        return len(batch)

    def _run(self) -> None:
        try:
            self._write_for_ever()
        finally:
            # It failed by something that `write` didn't expect, and the log says so.
            # What came meanwhile, or comes later, is written all the same.
            with self._arrived:
                self._thread = None
                if self._batch:
                    self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _write_for_ever(self) -> None:
        while True:
            with self._arrived:
                self._arrived.wait_for(lambda: self._batch)
            time.sleep(self._delay)
            written = self.flush()
            time.sleep(min(self._rest * written, self._longest_rest))
