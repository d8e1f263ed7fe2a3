"""A thousand idle streams on one web process: what they take, how soon they hear."""

import random
import resource
import selectors
import socket
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask

from tests.rig import house
from tests.rig.house import House
from tests.rig.parts import wait_until
from tests.rig.service import seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import Seated

STREAMS = 1000
EVENTS = 20
MOST_MEGABYTES = 300
MOST_SECONDS = 3.0


class Crowd:
    """Many streams of one web process, read all at once."""

    def __init__(self, origin: str, stack: ExitStack) -> None:
        place = urlsplit(origin)
        self._place = (place.hostname or "", place.port or 80)
        self._stack = stack
        self._selector = stack.enter_context(selectors.DefaultSelector())
        self.size = 0

    def join(self, game_id: str, source: str, token: str | None = None) -> None:
        line = socket.create_connection(self._place, 30, (source, 0))
        self._stack.enter_context(line)
        proof = f"Authorization: Bearer {token}\r\n" if token else ""
        path = f"/v1/games/{game_id}/stream"
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{proof}\r\n".encode())
        line.setblocking(False)
        self._selector.register(line, selectors.EVENT_READ, bytearray())
        self.size += 1

    def hear(self, count: int, seconds: float = 60) -> float:
        """Wait until so many have got a view more; when the last one did."""
        heard: set[int] = set()
        until = time.monotonic() + seconds
        while len(heard) < count:
            assert time.monotonic() < until, f"{len(heard)} of {count} heard of it"
            for key, _ in self._selector.select(1):
                got = key.data
                got += key.fileobj.recv(65536)  # type: ignore[union-attr]  # a socket
                if b"event: view" in got and got.endswith(b"\n\n\r\n"):
                    got.clear()
                    heard.add(key.fd)
        return time.monotonic()


@pytest.fixture
def served(
    tmp_path: Path, environ: dict[str, str], app: Flask
) -> Iterator[tuple[House, ExitStack]]:
    """One web process, and room for a file for each stream."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    built = House(tmp_path, environ, webs=1, workers=0)
    with house.running(built), app.app_context(), ExitStack() as stack:
        yield built, stack


def megabytes(where: House) -> float:
    """The resident memory of the web process and its parent."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        group = (status.parent / "stat").read_text().rpartition(")")[2].split()[2]
        if int(group) == where.webs[0].pid:
            total += int(text.partition("VmRSS:")[2].split()[0])
    return total / 1024


def a_view(where: House, game_id: str) -> None:
    house.answers(where.ports[0], f"/v1/games/{game_id}/view")


def tell(name: str, before: float, after: float, delays: list[float]) -> None:
    late = sorted(delays)[int(0.95 * len(delays))]
    sys.stdout.write(
        f"\n{name}: {before:.0f} MB before, {after:.0f} MB with {STREAMS} streams;"
        f" commit to the last client: median {statistics.median(delays) * 1000:.0f} ms,"
        f" 95 % {late * 1000:.0f} ms, worst {max(delays) * 1000:.0f} ms"
        f" of {len(delays)} events\n"
    )
    assert after - before < MOST_MEGABYTES
    assert max(delays) < MOST_SECONDS


def stepped(table: Seated, chance: random.Random) -> float:
    """Act until the record has grown; when that was committed."""
    record = _record(table)
    while True:
        table.step(chance)
        done = time.monotonic()
        if _record(table) > record:
            return done


def _record(table: Seated) -> int:
    statement = "SELECT record FROM game WHERE id = :g"
    return int(seated.run(statement, {"g": table.id})[0][0])


@pytest.mark.proof
def test_a_thousand_watch_one_game(served: tuple[House, ExitStack]) -> None:
    where, stack = served
    table = seated.started(6, rounds=3)
    chance = random.Random(1)
    for _ in range(20):
        a_view(where, str(table.id))
    before = megabytes(where)
    crowd = Crowd(where.urls[0], stack)

    for number in range(STREAMS):
        crowd.join(str(table.id), f"127.0.1.{1 + number // 20}")
    crowd.hear(STREAMS)
    time.sleep(1)
    delays = []
    for _ in range(EVENTS):
        done = stepped(table, chance)
        delays.append(crowd.hear(STREAMS) - done)

    tell("All watch one game", before, megabytes(where), delays)


@pytest.mark.proof
def test_a_thousand_seats_of_many_games(
    served: tuple[House, ExitStack], app: Flask
) -> None:
    where, stack = served
    api, chance = Api(app), random.Random(2)
    tables = [Table(api, 5, rounds=1) for _ in range(STREAMS // 5)]
    for _ in range(20):
        a_view(where, str(tables[0].id))
    before = megabytes(where)
    crowd = Crowd(where.urls[0], stack)

    for table in tables:
        for token in table.tokens:
            crowd.join(str(table.id), "127.0.0.1", token)
    crowd.hear(STREAMS)
    time.sleep(1)
    delays = []
    for table in tables[:EVENTS]:
        done = stepped(table.table, chance)
        delays.append(crowd.hear(5) - done)

    tell("All sit at 200 tables", before, megabytes(where), delays)
    wait_until(lambda: house.answers(where.ports[0]), "another answer", 5)
