"""Whether the process is alive is answered at once, as the app would, and only that."""

import socket
from collections.abc import Iterator

import pytest
from flask import Flask
from gunicorn.config import Config

from service.processes.connection import Connection
from service.processes.liveness import Liveness
from tests.rig.service.programs import Api

PLAIN = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(scope="module")
def liveness(created_app: Flask) -> Liveness:
    return Liveness(created_app)


@pytest.fixture
def pair() -> Iterator[tuple[Connection, socket.socket]]:
    ours, client = socket.socketpair()
    conn = Connection(Config(), ours, None, None)
    client.setblocking(False)
    with client:
        yield conn, client
    conn.close()


def asked(
    liveness: Liveness, pair: tuple[Connection, socket.socket], data: bytes
) -> tuple[bool | None, bytes]:
    """Whether it goes on, and what was answered."""
    conn, client = pair
    conn.received.data += data
    goes_on = liveness.answer(conn)
    try:
        return goes_on, client.recv(65536)
    except BlockingIOError:
        return goes_on, b""


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_answer_is_the_one_of_the_app(
    api: Api,
    liveness: Liveness,
    pair: tuple[Connection, socket.socket],
    method: str,
) -> None:
    sent = PLAIN.replace(b"GET", method.encode())

    goes_on, answer = asked(liveness, pair, sent)

    head, _, body = answer.partition(b"\r\n\r\n")
    line, *rows = head.decode().split("\r\n")
    found = dict(row.split(": ", 1) for row in rows)
    whole = api.call(method, "/healthz")
    assert goes_on
    assert (line, body) == ("HTTP/1.1 200 OK", whole.data)
    assert {*whole.headers.items()} <= {*found.items()}
    assert found.keys() - whole.headers.keys() == {"Server", "Date", "Connection"}
    assert found["Connection"] == "keep-alive"


def test_all_that_came_together_is_answered_in_order(
    liveness: Liveness, pair: tuple[Connection, socket.socket]
) -> None:
    rest = b"GET /rules HTTP/1.1\r\nHost: x\r\n\r\n"

    goes_on, answer = asked(liveness, pair, PLAIN * 100 + rest)

    assert (goes_on, answer.count(b"HTTP/1.1 200 OK")) == (True, 100)
    assert pair[0].received.data == rest


@pytest.mark.parametrize("how", [b"close", b"keep-alive", b"Upgrade"])
def test_whoever_says_how_to_go_on_is_answered_and_let_go(
    liveness: Liveness, pair: tuple[Connection, socket.socket], how: bytes
) -> None:
    sent = PLAIN.replace(b"\r\n\r\n", b"\r\nConnection: %s\r\n\r\n" % how)

    goes_on, answer = asked(liveness, pair, sent + PLAIN)

    assert goes_on is False
    assert answer.count(b"Connection: close") == 1


@pytest.mark.parametrize(
    "other",
    [
        PLAIN.replace(b"GET", b"POST"),
        PLAIN.replace(b"GET", b"get"),
        PLAIN.replace(b"/healthz", b"/HEALTHZ"),
        PLAIN.replace(b"Host: x", b"Host: \0"),
        PLAIN.replace(b"GET", b"OPTIONS"),
        PLAIN.replace(b"/healthz", b"/healthz?x=1"),
        PLAIN.replace(b"/healthz", b"/healthz/"),
        PLAIN.replace(b"/healthz", b"/readyz"),
        PLAIN.replace(b"1.1", b"1.0"),
        PLAIN.replace(b"Host: x", b"content-length: 0"),
        PLAIN.replace(b"Host: x", b"Transfer-Encoding: chunked"),
        PLAIN.replace(b"Host: x", b"Expect: 100-continue"),
        PLAIN.replace(b"Host: x", b" folded"),
        PLAIN.replace(b"Host: x", b"Host : x"),
        PLAIN.replace(b"Host: x", b"Host"),
        PLAIN[:-2],
        b"",
    ],
)
def test_whatever_is_not_plain_is_for_the_app(
    liveness: Liveness, pair: tuple[Connection, socket.socket], other: bytes
) -> None:
    assert asked(liveness, pair, other) == (None, b"")
    assert pair[0].received.data == other


def test_whoever_reads_no_answer_is_let_go(
    liveness: Liveness, pair: tuple[Connection, socket.socket]
) -> None:
    conn, _ = pair
    conn.received.data += PLAIN * 20_000

    assert liveness.answer(conn) is False
