"""Clients who take their time, in every way there is, keep nobody else waiting."""

import http.client
import resource
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from service.processes.connection import SEND_SECONDS
from service.processes.server import HEAD_SECONDS
from tests.rig.house import House
from tests.rig.parts import members

LINES = 8
MANY = 2000
SLACK = 20.0
LONGEST = SEND_SECONDS + SLACK
SOON = 10.0

_HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
_POST = b"POST /v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
# Sent in several pieces: none of them may wait for room in which it fits.
_LONG = b"GET /static/kingup.css HTTP/1.1\r\nHost: x\r\n\r\n"

# What each client sends at once, and what it sends then, byte by byte.
SLOW: Mapping[str, tuple[bytes, bytes]] = {
    "nothing": (b"", b""),
    "half a head": (_HEAD, b""),
    "a head by and by": (_HEAD, b"X: " + b"y" * 1000),
    "half a body": (_POST + b"Content-Length: 900\r\n\r\n{", b""),
    "a body by and by": (_POST + b"Content-Length: 900\r\n\r\n", b" " * 1000),
    "half a chunk": (_POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{", b""),
    "chunks by and by": (
        _POST + b"Transfer-Encoding: chunked\r\n\r\n",
        b"1\r\n \r\n" * 200,
    ),
    "a body not begun": (
        _POST + b"Expect: 100-continue\r\nContent-Length: 900\r\n\r\n",
        b"",
    ),
    "a request, and stays": (_HEAD + b"\r\n", b""),
    "half a second head": (_HEAD + b"\r\n" + _HEAD, b""),
    "a last request, and stays": (_HEAD + b"Connection: close\r\n\r\n", b""),
    "many requests, reads no answer": (_LONG * 400, b""),
}


@pytest.fixture(scope="module")
def few_threads(build: Callable[..., House]) -> Iterator[House]:
    """One web process that has six threads in all, and as many files as it may."""
    threads = {"KINGUP_WEB_THREADS": "2", "KINGUP_STREAMS": "4"}
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield build(webs=1, workers=0, loaded=False, **threads)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_whoever_takes_their_time_holds_up_nobody_and_has_an_end(
    few_threads: House,
) -> None:
    """In all ways at once; each alone would take up every thread there is."""
    (port,) = few_threads.ports
    with ExitStack() as stack:
        crowds = {
            kind: [stack.enter_context(closing(line(port))) for _ in range(LINES)]
            for kind in SLOW
        }
        feeders = [begin(lines, *SLOW[kind]) for kind, lines in crowds.items()]

        waits, lasted = watch(crowds, port)
        for feeder in feeders:
            feeder.join()

    # Whoever was still there when somebody else had to wait.
    assert {kinds for seconds, kinds in waits if seconds >= SOON} == set()
    late = {kind: lasted.get(kind) for kind in SLOW if not in_time(kind, lasted)}
    assert late == {}


def begin(lines: list[socket.socket], at_once: bytes, then: bytes) -> threading.Thread:
    """Let all clients of a kind send what they do; who sends the rest of it."""
    for each in lines:
        send(each, at_once)
    feeder = threading.Thread(target=feed, args=(lines, then))
    feeder.start()
    return feeder


def watch(
    crowds: Mapping[str, list[socket.socket]], port: int
) -> tuple[list[tuple[float, tuple[str, ...]]], dict[str, float]]:
    """How long others wait for an answer, beside whom, and how long each kind lasts."""
    started, waits, lasted = time.monotonic(), [], dict[str, float]()
    while len(lasted) < len(crowds) and time.monotonic() < started + LONGEST:
        left = tuple(kind for kind in crowds if kind not in lasted)
        waits.append((seconds_for_an_answer(port), left))
        for kind in left:
            if not any_open(crowds[kind]):
                lasted[kind] = time.monotonic() - started
        time.sleep(0.2)
    return waits, lasted


def in_time(kind: str, lasted: Mapping[str, float]) -> bool:
    """Whether the server has ended the connections of this kind when it should."""
    most = SEND_SECONDS if "reads no" in kind else HEAD_SECONDS
    return kind in lasted and lasted[kind] < most + SLACK


def test_two_thousand_half_heads_hold_no_thread_and_are_closed(
    few_threads: House,
) -> None:
    (port,) = few_threads.ports
    with ExitStack() as stack:
        seconds_for_an_answer(port)
        before = threads(few_threads.folder)

        lines, waits = [], []
        for number in range(MANY):
            lines.append(stack.enter_context(closing(line(port))))
            send(lines[-1], _HEAD)
            if number % 100 == 0:
                waits.append(seconds_for_an_answer(port))
        last = time.monotonic()
        during = threads(few_threads.folder)
        while any_open(lines) and time.monotonic() < last + HEAD_SECONDS + SLACK:
            waits.append(seconds_for_an_answer(port))
            time.sleep(0.2)

        assert not any_open(lines)
        assert max(waits) < SOON
        assert max(during, threads(few_threads.folder)) <= before + len(waits)


def line(port: int) -> socket.socket:
    """A connection whose client takes little at a time."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect(("127.0.0.1", port))
    made.setblocking(False)
    return made


def send(each: socket.socket, data: bytes) -> bool:
    """Send what can be sent; whether the line still takes it."""
    try:
        each.send(data)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return True


def feed(lines: list[socket.socket], data: bytes) -> None:
    """Send every client's next byte each tenth of a second, as long as one is there."""
    for at in range(len(data)):
        if not [each for each in lines if send(each, data[at : at + 1])]:
            return
        time.sleep(0.1)


def any_open(lines: list[socket.socket]) -> bool:
    """Whether the server has not yet said of every line that nothing more comes."""
    poll = select.poll()
    for each in lines:
        poll.register(each, select.POLLRDHUP)
    over = select.POLLRDHUP | select.POLLHUP | select.POLLERR
    return sum(bool(found & over) for _, found in poll.poll(0)) < len(lines)


def seconds_for_an_answer(port: int) -> float:
    """How long somebody else waits who wants something ordinary."""
    started = time.monotonic()
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as client:
        client.request("GET", "/v1/editions")
        answer = client.getresponse()
        answer.read()
    assert answer.status == http.HTTPStatus.OK
    return time.monotonic() - started


def threads(home: Path) -> int:
    """How many threads the processes of a web server have."""
    return sum(
        int(status.partition("Threads:")[2].split()[0])
        for status in (
            Path(f"/proc/{number}/status").read_text()
            for number in members(home, "gunicorn")
        )
    )
