"""The background batcher: each thing once, in order, as it is last, behind requests."""

import queue
import threading
import time
from collections.abc import Mapping

import pytest

from service.store.background_batcher import BackgroundBatcher


class Load:
    """What was carried, a load at a time; the first one takes as long as it is told."""

    def __init__(self) -> None:
        self.carried: queue.Queue[tuple[tuple[str, int], ...]] = queue.Queue()
        self.held = threading.Event()
        self.held.set()

    def carry(self, left: Mapping[str, int]) -> None:
        self.carried.put(tuple(left.items()))
        self.held.wait(5)


def test_the_first_thing_is_carried_at_once_and_the_rest_together() -> None:
    load = Load()
    load.held.clear()
    batcher = BackgroundBatcher(load.carry, most=10)

    batcher.put("a", 1)
    first = load.carried.get(timeout=5)
    for thing in ("c", "b", "d"):
        batcher.put(thing, 1)
    load.held.set()

    assert first == (("a", 1),)
    assert load.carried.get(timeout=5) == (("c", 1), ("b", 1), ("d", 1))


def test_what_is_left_twice_is_carried_once_with_its_latest_fact() -> None:
    load = Load()
    batcher = BackgroundBatcher(load.carry, most=10, delay=0.3)

    for thing, fact in (("a", 1), ("b", 1), ("a", 2)):
        batcher.put(thing, fact)

    assert load.carried.get(timeout=5) == (("a", 2), ("b", 1))


def test_what_there_is_no_room_for_is_dropped() -> None:
    load = Load()
    batcher = BackgroundBatcher(load.carry, most=2, delay=0.3)

    for thing in ("a", "b", "c"):
        batcher.put(thing, 1)

    assert load.carried.get(timeout=5) == (("a", 1), ("b", 1))


def test_a_batcher_rests_after_each_load() -> None:
    load = Load()
    batcher = BackgroundBatcher(load.carry, most=10, rest=0.5)
    batcher.put("a", 1)
    load.carried.get(timeout=5)
    began = time.monotonic()

    batcher.put("b", 1)
    load.carried.get(timeout=5)

    assert time.monotonic() - began > 0.4


@pytest.mark.parametrize(
    ("things", "most", "rest"), [(1, 1.2, 0.3), (3, 1.2, 0.9), (9, 0.9, 0.9)]
)
def test_the_more_was_carried_the_longer_it_rests_up_to_an_end(
    things: int, most: float, rest: float
) -> None:
    load = Load()
    batcher = BackgroundBatcher(
        load.carry, most=10, delay=0.1, rest=0.3, longest_rest=most
    )
    for thing in range(things):
        batcher.put(str(thing), 1)
    load.carried.get(timeout=5)
    began = time.monotonic()

    batcher.put("b", 1)
    load.carried.get(timeout=5)

    assert time.monotonic() - began > rest - 0.1


def test_what_is_carried_now_is_not_carried_again() -> None:
    load = Load()
    batcher = BackgroundBatcher(load.carry, most=10, delay=0.3)
    batcher.put("a", 1)

    batcher.flush()
    time.sleep(0.5)
    batcher.put("b", 1)

    assert load.carried.get(timeout=5) == (("a", 1),)
    assert load.carried.get(timeout=5) == (("b", 1),)


def test_a_batcher_without_work_has_no_thread() -> None:
    before = set(threading.enumerate())

    batcher = BackgroundBatcher(Load().carry, most=10)
    batcher.flush()

    assert set(threading.enumerate()) <= before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_is_put_after_a_failure_nobody_expected_is_written() -> None:
    written: queue.Queue[tuple[tuple[str, ...], threading.Thread]] = queue.Queue()

    def write(batch: Mapping[str, int]) -> None:
        written.put((tuple(batch), threading.current_thread()))
        if "a" in batch:
            raise LookupError("nobody expected this")

    batcher = BackgroundBatcher(write, most=10)
    batcher.put("a", 1)
    first, thread = written.get(timeout=5)
    thread.join(5)
    batcher.put("b", 1)

    assert first == ("a",)
    assert written.get(timeout=5)[0] == ("b",)
