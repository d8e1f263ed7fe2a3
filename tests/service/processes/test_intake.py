"""The intake by which web processes leave connections to each other."""

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from service.processes import intake
from service.processes.intake import MOST_BYTES, Intake


@pytest.fixture
def lines() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        yield ours, theirs


@pytest.fixture
def box() -> Iterator[Intake]:
    with closing(Intake()) as made:
        made.beat()
        yield made


def test_whoever_looks_has_the_connection_and_what_came_on_it(
    box: Intake, lines: tuple[socket.socket, socket.socket]
) -> None:
    left = box.put(lines[0], b"GET / HTTP/1.1\r\n\r\n")
    lines[0].close()
    taken = box.take()

    assert left
    assert taken is not None
    with closing(taken[0]) as sock:
        sock.sendall(b"here")
    assert lines[1].recv(9) == b"here"
    assert taken[1] == b"GET / HTTP/1.1\r\n\r\n"
    assert box.take() is None


def test_nothing_is_left_where_nobody_has_looked_yet(
    lines: tuple[socket.socket, socket.socket],
) -> None:
    with closing(Intake()) as box:
        assert not box.put(lines[0], b"")


def test_nothing_is_left_where_nobody_looks_any_more(
    box: Intake, lines: tuple[socket.socket, socket.socket]
) -> None:
    box.retire()

    assert not box.put(lines[0], b"")


def test_nothing_is_left_where_nobody_has_looked_for_long(
    box: Intake,
    lines: tuple[socket.socket, socket.socket],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(intake, "ALIVE_SECONDS", 0.0)

    assert not box.put(lines[0], b"")


def test_what_is_too_long_or_too_much_is_not_left(
    box: Intake, lines: tuple[socket.socket, socket.socket]
) -> None:
    assert not box.put(lines[0], b"a" * (MOST_BYTES + 1))
    left = 0
    while box.put(lines[0], b"a" * MOST_BYTES):
        left += 1
    taken = 0
    while found := box.take():
        found[0].close()
        taken += 1
    assert 1 <= left == taken
