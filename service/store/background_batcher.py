"""The background batcher: a thread carries on what requests leave behind.

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
    """Carries what was left, all of it together.

    `carry` gets each thing once, in the order in which they came, with the latest fact
    about it. It begins `delay` seconds after the first of them came, and after it the
    porter rests `rest` seconds. More than `most` things at a time are dropped.

    The thread begins with the first thing: a process that has left none yet may fork.
    """

    def __init__(
        self,
        carry: Callable[[Mapping[_Thing, _Fact]], None],
        *,
        most: int,
        delay: float = 0,
        rest: float = 0,
    ) -> None:
        self._carry = carry
        self._most = most
        self._delay = delay
        self._rest = rest
        self._left: dict[_Thing, _Fact] = {}
        self._arrived = threading.Condition()
        self._thread: threading.Thread | None = None

    def leave(self, thing: _Thing, fact: _Fact) -> None:
        """Leave something to be carried; never waits, never fails."""
        with self._arrived:
            if len(self._left) >= self._most:
                return
            self._left[thing] = fact
            self._arrived.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def carry_now(self) -> None:
        """Carry what is there, on the thread of whoever asks, if there is anything."""
        with self._arrived:
            left, self._left = self._left, {}
        if left:
            self._carry(left)

    def _run(self) -> None:
        while True:
            with self._arrived:
                self._arrived.wait_for(lambda: self._left)
            time.sleep(self._delay)
            self.carry_now()
            time.sleep(self._rest)
