"""From the last ballot to the first mail, beside a trivial task."""

import queue
import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email import message_from_bytes
from typing import Any
from uuid import UUID

import redis
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from celery import Celery

from service.game.task_hints import TRANSPORT
from service.processes import command_lines
from tests.bench import load, stage, tables, trivial
from tests.rig.parts import free_ports

_ROUNDS = 3
_A_ROUND = 120
_SEATS = 4


class Sink:
    """A mail server that tells when a mail came, and what for."""

    def __init__(self) -> None:
        self.mails: queue.Queue[tuple[float, str]] = queue.Queue()

    async def handle_DATA(self, smtp: SMTP, session: Session, mail: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        arrived = time.perf_counter()
        content: Any = mail.content
        self.mails.put((arrived, str(message_from_bytes(content)["Subject"])))
        return "250 OK"


@contextmanager
def mail_server() -> Iterator[tuple[int, Sink]]:
    """A mail server on a free port."""
    sink = Sink()
    [port] = free_ports(1)
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield port, sink
    finally:
        controller.stop()


def measure(environ: Mapping[str, str]) -> dict[str, float]:
    """Milliseconds at the 99th percentile, and their ratio.

    Rounds of both take turns while both workers run, so that whatever else the machine
    does hits both.
    """
    elections: list[float] = []
    tasks: list[float] = []
    with mail_server() as (port, sink):
        smtp = f"smtp://127.0.0.1:{port}"
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
    return {
        "last ballot to mail, p50 ms": 1000 * statistics.median(elections),
        "last ballot to mail, p99 ms": 1000 * _p99(elections),
        "trivial task, p50 ms": 1000 * statistics.median(tasks),
        "trivial task, p99 ms": 1000 * _p99(tasks),
        "mail : trivial task, p99": _p99(elections) / _p99(tasks),
    }


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


def _elections(
    port: int, sink: Sink, people: list[UUID], tokens: list[str]
) -> list[float]:
    """Seconds from sending each last ballot to the first mail that tells of it."""
    client = load.Client(port)
    found: list[float] = []
    while len(found) < _A_ROUND:
        for step in tables.steps(tables.started_game(people), tokens):
            client.rest()
            if not step.last_ballot:
                client.put(step)
                continue
            _drain(sink)
            client.rest()
            sent = time.perf_counter()
            client.put(step)
            arrived, _ = sink.mails.get(timeout=30)
            found.append(arrived - sent)
    _drain(sink)
    client.close()
    return found[:_A_ROUND]


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
    for number in range(-10, _A_ROUND):
        sent = time.perf_counter()
        sender.send_task(trivial.TASK, (number,), queue="bench", ignore_result=True)
        if valkey.blpop([trivial.DONE], timeout=30) is None:
            raise TimeoutError(trivial.TASK)
        if number >= 0:
            found.append(time.perf_counter() - sent)
        time.sleep(0.02)
    return found
