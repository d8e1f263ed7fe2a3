"""The concurrency limit: whoever waits for a turn waits a while, health for none."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from service.live import concurrency
from service.live.concurrency import ConcurrencyLimit
from service.values import public_urls
from service.values.errors import Busy

Environ = dict[str, Any]


@pytest.fixture(params=[True, False], ids=["known", "stranger"])
def one_turn(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> ConcurrencyLimit:
    """A limit that lets one request in, and has little patience."""
    monkeypatch.setattr(concurrency, "TURN_SECONDS", 0.1)
    return ConcurrencyLimit(1, 100, lambda _environ: bool(request.param))


def no_server(*_: object) -> Callable[[bytes], object]:
    raise AssertionError("nobody here begins an answer")


def ask(
    at: ConcurrencyLimit, view: Callable[[], object], path: str = "/v1/games"
) -> str:
    """What is answered to a request, in a word; `view` runs inside."""

    def inside(environ: Environ, _start: object) -> list[bytes]:
        del environ
        view()
        return [b"served"]

    def says(word: bytes) -> Callable[..., list[bytes]]:
        return lambda _environ, _start: [word]

    guarded = at.guard(inside, says(b"broken off"), says(b"turned away"))
    [word] = guarded({"PATH_INFO": path}, no_server)
    return word.decode()


@contextmanager
def somebody_inside(at: ConcurrencyLimit, path: str = "/v1/games") -> Iterator[None]:
    """Somebody whose request takes long."""
    there, over = threading.Event(), threading.Event()

    def stay() -> None:
        there.set()
        over.wait(10)

    thread = threading.Thread(target=ask, args=(at, stay, path))
    thread.start()
    there.wait(10)
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_whoever_gets_no_turn_in_time_is_turned_away(
    one_turn: ConcurrencyLimit,
) -> None:
    with somebody_inside(one_turn):
        answer = ask(one_turn, lambda: None)

    assert answer == "turned away"
    assert ask(one_turn, lambda: None) == "served"


@pytest.mark.parametrize("comes", ["/known", "/stranger"])
@pytest.mark.parametrize("inside", ["/known", "/stranger"])
def test_whoever_is_turned_away_takes_nobodys_turn(
    monkeypatch: pytest.MonkeyPatch, inside: str, comes: str
) -> None:
    monkeypatch.setattr(concurrency, "TURN_SECONDS", 0.1)
    at = ConcurrencyLimit(1, 100, lambda environ: environ["PATH_INFO"] == "/known")

    with somebody_inside(at, inside):
        told = ask(at, lambda: None, comes)

    assert told == "turned away"
    assert ask(at, lambda: None, "/stranger") == "served"
    assert ask(at, lambda: None, "/known") == "served"


@pytest.mark.parametrize("path", [public_urls.ALIVE, public_urls.READY])
def test_whoever_asks_for_health_needs_no_turn(
    one_turn: ConcurrencyLimit, path: str
) -> None:
    with somebody_inside(one_turn):
        answer = ask(one_turn, lambda: None, path)

    assert answer == "served"


def test_whoever_comes_back_to_no_turn_is_told_and_takes_nobodys(
    one_turn: ConcurrencyLimit,
) -> None:
    left, inside, over = threading.Event(), threading.Event(), threading.Event()

    def stay() -> None:
        inside.set()
        over.wait(10)

    def come() -> None:
        left.wait(10)
        ask(one_turn, stay)

    def go_out_and_in() -> None:
        with one_turn.left():
            left.set()
            inside.wait(10)

    def refused() -> None:
        with pytest.raises(Busy):
            go_out_and_in()

    other = threading.Thread(target=come)
    other.start()
    answer = ask(one_turn, refused)
    over.set()
    other.join()

    assert answer == "served"
    assert ask(one_turn, lambda: None) == "served"
