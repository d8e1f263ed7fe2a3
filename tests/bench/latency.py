"""From the last ballot to the first mail, beside a trivial task."""

import queue
import socket
import socketserver
import statistics
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from uuid import UUID

import redis
from celery import Celery

from service.game.task_hints import TRANSPORT
from service.processes import command_lines
from tests.bench import load, stage, tables, trivial

_ROUNDS = 3
_A_ROUND = 120
_FIRST = 10
"""So many of a round don't count: a worker and its connections have just begun."""

_SEATS = 4


class Sink(socketserver.ThreadingTCPServer):
    """A mail server on a free port that tells when a mail came.

    It reads a mail in blocks, as those written in C do. One that reads it line by line
    in Python takes three milliseconds for a mail with a picture, and they aren't ours.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.mails: queue.Queue[float] = queue.Queue()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.socket.getsockname()[1]


class _Conversation(socketserver.BaseRequestHandler):
    """One client of a sink, which must be a good one."""

    server: Sink

    def setup(self) -> None:
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def handle(self) -> None:
        self.request.sendall(b"220 sink\r\n")
        while (said := self._until(b"\r\n")) is not None:
            if said.upper() == b"DATA\r\n":
                self.request.sendall(b"354 go on\r\n")
                if self._until(b"\r\n.\r\n") is None:
                    return
                self.server.mails.put(time.perf_counter())
            self.request.sendall(b"250 OK\r\n")

    def _until(self, end: bytes) -> bytes | None:
        """What is said up to an end, behind which a client waits; None if it leaves."""
        said = b""
        while not said.endswith(end):
            block = self.request.recv(1 << 18)
            if not block:
                return None
            said += block
        return said


@contextmanager
def mail_server() -> Iterator[Sink]:
    """A mail server for as long as the block lasts."""
    with Sink() as sink:
        threading.Thread(target=sink.serve_forever, daemon=True).start()
        yield sink
        sink.shutdown()


def measure(environ: Mapping[str, str]) -> dict[str, float]:
    """Milliseconds from the last ballot to the first mail, and how many tasks that is.

    What counts is how long the mail takes once the ballot is in, which is told beside
    how long it takes with the request that brings it.
    Rounds of both take turns while both workers run, so that whatever else the machine
    does hits both.
    """
    elections: list[tuple[float, float]] = []
    tasks: list[float] = []
    with mail_server() as sink:
        smtp = f"smtp://127.0.0.1:{sink.port}"
        settings = {**environ, "SMTP_URL": smtp, "MAIL_SETTLE_SECONDS": "0"}
        worker = command_lines.worker_with_beat("WARNING")
        with (
            stage.process(worker, settings),
            stage.kingup_web(settings) as web,
            _trivial_worker(environ) as sender,
        ):
            people, tokens = tables.seated_people(_SEATS, 2000)
            time.sleep(3)
            for _ in range(_ROUNDS):
                elections += _elections(web, sink, people, tokens)
                tasks += _trivial_tasks(environ, sender)
    asked, counted = zip(*elections, strict=True)
    return {
        "ballot counted to mail, p50 ms": 1000 * statistics.median(counted),
        "ballot counted to mail, p99 ms": 1000 * _p99(counted),
        "with its request, p50 ms": 1000 * statistics.median(asked),
        "with its request, p99 ms": 1000 * _p99(asked),
        "trivial task, p50 ms": 1000 * statistics.median(tasks),
        "trivial task, p99 ms": 1000 * _p99(tasks),
        "mail : trivial task, p99": _p99(counted) / _p99(tasks),
        "with the request : task, p99": _p99(asked) / _p99(tasks),
    }


def _p99(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def _elections(
    port: int, sink: Sink, people: list[UUID], tokens: list[str]
) -> list[tuple[float, float]]:
    """Seconds to the first mail that tells of each election.

    First from when its last ballot was sent, then from when that was counted, as its
    sender heard.
    """
    client = load.Client(port)
    found: list[tuple[float, float]] = []
    while len(found) < _FIRST + _A_ROUND:
        for step in tables.steps(tables.started_game(people), tokens):
            client.rest()
            if not step.last_ballot:
                client.put(step)
                continue
            _drain(sink)
            client.rest()
            sent = time.perf_counter()
            client.put(step)
            counted = time.perf_counter()
            arrived = sink.mails.get(timeout=30)
            found.append((arrived - sent, arrived - counted))
    _drain(sink)
    client.close()
    return found[_FIRST:][:_A_ROUND]


def _drain(sink: Sink) -> None:
    """Wait until no mail of earlier answers is under way."""
    while True:
        try:
            sink.mails.get(timeout=0.15)
        except queue.Empty:
            return


@contextmanager
def _trivial_worker(environ: Mapping[str, str]) -> Iterator[Celery]:
    """A worker of the same kind for trivial tasks alone; what sends them."""
    url = environ["REDIS_URL"]
    broker = url.replace("unix://", "redis+socket://", 1)
    settings = {**environ, "BENCH_BROKER_URL": broker, "BENCH_REDIS_URL": url}
    command = (
        *(sys.executable, "-m", "celery", "-q", "-A", "tests.bench.trivial", "worker"),
        *("-l", "WARNING", "-P", "threads", "-c", "4"),
        *("--without-gossip", "--without-mingle"),
    )
    sender = Celery("bench", broker=broker)
    sender.conf.broker_transport_options = dict(TRANSPORT)
    with stage.process(command, settings):
        yield sender


def _trivial_tasks(environ: Mapping[str, str], sender: Celery) -> list[float]:
    """Seconds from sending each trivial task to its effect."""
    valkey = redis.Redis.from_url(environ["REDIS_URL"])
    found: list[float] = []
    for number in range(-_FIRST, _A_ROUND):
        sent = time.perf_counter()
        sender.send_task(trivial.TASK, (number,), queue="bench", ignore_result=True)
        if valkey.blpop([trivial.DONE], timeout=30) is None:
            raise TimeoutError(trivial.TASK)
        if number >= 0:
            found.append(time.perf_counter() - sent)
        time.sleep(0.02)
    return found
