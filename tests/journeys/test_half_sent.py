"""Clients that fall silent in the middle of a request hold up nobody else."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from service.live.concurrency import BODY_SECONDS
from tests.rig.house import House, answers, running

THREADS = 2
HEAD = (
    b"POST /v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Accept-Language: it\r\n"
    b"%s\r\n\r\n%s"
)
HALVES = {
    "announced": HEAD % (b"Content-Length: 100", b"{"),
    "chunked": HEAD % (b"Transfer-Encoding: chunked", b"5\r\n{"),
}


@pytest.fixture
def web(tmp_path: Path, environ: dict[str, str], database: str) -> Iterator[House]:
    """One web process that works on two requests at a time."""
    house = House(tmp_path, environ, webs=1, workers=0, KINGUP_WEB_THREADS=str(THREADS))
    with running(house):
        yield house


def test_half_a_body_holds_up_nobody_and_is_told_so(web: House) -> None:
    (port,) = web.ports
    with ExitStack() as kept:
        silent = [
            (half, kept.enter_context(closing(said(port, HALVES[half]))))
            for half in HALVES
            for _ in range(2 * THREADS)
        ]

        alive = answers(port)
        ends = [(half, *answered(line)) for half, line in silent]

    assert alive
    for half, head, body in ends:
        assert head.startswith(b"HTTP/1.1 408 "), half
        assert b"Content-Type: application/problem+json\r\n" in head
        assert b"Content-Language: it\r\n" in head
        assert b"\r\nRateLimit-" not in head
        assert body["code"] == "request-timeout"
        assert body["detail"].startswith("La richiesta si è interrotta")


def said(port: int, half: bytes) -> socket.socket:
    """A connection on which somebody has said so much, and waits."""
    line = socket.create_connection(("127.0.0.1", port))
    line.settimeout(2 * BODY_SECONDS)
    line.sendall(half)
    return line


def answered(line: socket.socket) -> tuple[bytes, dict]:
    """All that a server has to say before it hangs up: head and body."""
    heard = b""
    while part := line.recv(4096):
        heard += part
    head, _, body = heard.partition(b"\r\n\r\n")
    return head + b"\r\n", json.loads(body)
