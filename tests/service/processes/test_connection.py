"""What is sent to a client waits for room only when there is none."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.live.client_socket import ClientSocket
from service.processes import connection
from service.processes.connection import Sender

PIECE = b"x" * 1000


@pytest.fixture
def sender() -> Iterator[Sender]:
    """A line to a client who reads nothing."""
    with ExitStack() as stack:
        ours, theirs = socket.socketpair()
        stack.enter_context(theirs)
        sender = Sender(ours.family, ours.type, ours.proto, fileno=ours.detach())
        sender.setblocking(False)
        yield stack.enter_context(sender)


def fill(sender: Sender, *, wholly: bool) -> None:
    """Send until the kernel says it has little room, or has none."""
    while wholly or ClientSocket(sender).ready(0):
        try:
            sender.send(PIECE)
        except BlockingIOError:
            return


def test_a_piece_that_fits_waits_for_nothing(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SEND_SECONDS", 0.0)
    fill(sender, wholly=False)
    assert not ClientSocket(sender).ready(0)

    sender.sendall(PIECE)


def test_what_finds_no_room_is_given_up_in_time(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SEND_SECONDS", 0.2)
    fill(sender, wholly=True)
    began = time.monotonic()

    with pytest.raises(TimeoutError):
        sender.sendall(PIECE)

    assert time.monotonic() - began >= 0.2


def test_whoever_has_hung_up_is_told_from_whoever_is_slow(sender: Sender) -> None:
    sender.shutdown(socket.SHUT_WR)

    with pytest.raises(BrokenPipeError):
        sender.sendall(PIECE)
