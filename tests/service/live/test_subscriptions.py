"""Subscriptions: whatever comes while somebody waits is heard, at whatever moment."""

import itertools
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from uuid import UUID

import pytest

from service.live.subscriptions import News, Subscription

AT_ONCE = 10.0
LONG = 30.0
"""Far longer than anything takes here, even where others use up the machine."""

FIRST, SECOND = (News(UUID(int=number), frozenset()) for number in (1, 2))


class Moment:
    """Something that another thread does just before the so-manieth line of a wait."""

    def __init__(self, line: int, act: Callable[[], None]) -> None:
        self._left = line
        self._other = threading.Thread(target=act)

    @property
    def has_come(self) -> bool:
        """Whether the wait has that many lines."""
        return self._left <= 0

    def heard(self, subscription: Subscription) -> tuple[News, ...]:
        """What a wait finds meanwhile."""
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            found = subscription.wait(LONG)
        finally:
            sys.settrace(before)
        if self.has_come:
            self._other.join()
        return found

    def _trace(self, frame: FrameType, event: str, _: object) -> object:
        if frame.f_code is not Subscription.wait.__code__:
            return None
        if event == "line":
            self._left -= 1
            if self._left == 0:
                self._other.start()
                # Where whoever waits holds a lock, the other one is done after it.
                self._other.join(0.1)
        return self._trace


def news(subscription: Subscription) -> None:
    subscription.notify(SECOND)


@pytest.mark.parametrize("call", [news, Subscription.wake])
def test_what_comes_at_any_moment_of_a_wait_ends_it_or_the_next_at_once(
    call: Callable[[Subscription], None],
) -> None:
    for line in itertools.count(1):
        subscription = Subscription(0, None)
        subscription.notify(FIRST)
        moment = Moment(line, lambda to=subscription: call(to))  # type: ignore[misc]  # each its own
        heard = moment.heard(subscription)
        if not moment.has_come:
            break
        began = time.monotonic()
        if heard == (FIRST,):
            heard = subscription.wait(LONG)

        assert SECOND in heard if call is news else heard == (), line
        assert time.monotonic() - began < AT_ONCE, line
    assert line > 5
