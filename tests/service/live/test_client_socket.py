"""The socket of a client: whether it is still there, and has room for more."""

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from service.live.client_socket import ClientSocket


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Our end of a connection, and the client's."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        ours, _ = server.accept()
        with client, ours:
            yield ours, client


def test_a_client_is_gone_once_it_has_hung_up(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, client = pair
    client_socket = ClientSocket(ours)
    assert not client_socket.gone

    client.close()

    assert client_socket.gone


def test_a_client_that_does_not_read_is_not_ready(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, client = pair
    client_socket = ClientSocket(ours)
    assert client_socket.ready(0)

    ours.setblocking(False)
    with suppress(BlockingIOError):
        while True:
            ours.send(b"x" * 65536)

    assert not client_socket.ready(0.1)
    while not client_socket.ready(0):
        client.recv(1 << 20)
    assert client_socket.ready(0)


def test_a_connection_that_was_hung_up_lets_nothing_through(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, client = pair

    ClientSocket(ours).hang_up()

    assert client.recv(1) == b""
    with pytest.raises(BrokenPipeError):
        ours.send(b"x")


def test_a_closed_socket_is_gone_and_one_that_nobody_sees_never_is(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, _ = pair
    ours.close()

    assert ClientSocket(ours).gone
    assert not ClientSocket(None).gone
    assert ClientSocket(None).ready(0)
