"""Clients that send prepared requests over kept connections, as cheaply as they can."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

from tests.bench.tables import Step

_REST_SECONDS = 1.0


class Refused(Exception):
    """The service did not accept a request that it should have."""


class Client:
    """One kept connection, made anew when it has rested too long."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._host = f"127.0.0.1:{port}"
        self._connect()

        self._mark = ""

    def _connect(self) -> None:
        self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._used = time.monotonic()

    def rest(self) -> None:
        """Call before a request that shall not pay for a connection gone stale."""
        if time.monotonic() - self._used > _REST_SECONDS:
            self.close()
            self._connect()

    def put(self, step: Step) -> bytes:
        """Send a step; the answer's body. Raises Refused for any status but 200."""
        self.rest()
        self._used = time.monotonic()
        head = (
            f"PUT {step.path} HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Authorization: Bearer {step.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(step.body)}\r\n\r\n"
        )
        self._socket.sendall(head.encode() + step.body)
        status, body = self._receive()
        if status != 200:
            raise Refused(step.path, status, body)
        return body

    def get(self, path: str, token: str, mark: str | None = None) -> tuple[str, bytes]:
        """What a path answers: its ETag and its body, which a `mark` may save.

        Raises Refused for any status but 200, or but 304 with a mark.
        """
        self.rest()
        self._used = time.monotonic()
        known = "" if mark is None else f"If-None-Match: {mark}\r\n"
        head = (
            f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Authorization: Bearer {token}\r\n{known}\r\n"
        )
        self._socket.sendall(head.encode())
        status, body = self._receive()
        if status != (200 if mark is None else 304):
            raise Refused(path, status, body)
        return self._mark, body

    def _receive(self) -> tuple[int, bytes]:
        raw = b""
        while b"\r\n\r\n" not in raw:
            raw += self._more()
        head, _, body = raw.partition(b"\r\n\r\n")
        length, self._mark = 0, ""
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif name.lower() == b"etag":
                self._mark = value.strip().decode()
        while len(body) < length:
            body += self._more()
        return int(head.split(b" ", 2)[1]), body

    def _more(self) -> bytes:
        chunk = self._socket.recv(65536)
        if not chunk:
            raise ConnectionError
        return chunk

    def close(self) -> None:
        """End the connection."""
        self._socket.close()


def per_second(port: int, supplies: list[Iterator[Step]], seconds: float) -> float:
    """Accepted answers per second, one client for each supply of steps."""

    def put(client: Client, index: int) -> None:
        client.put(next(supplies[index]))

    return rate(port, put, len(supplies), seconds)


def rate(
    port: int, ask: Callable[[Client, int], object], clients: int, seconds: float
) -> float:
    """How often clients get to ask in a second, each with its number."""
    done = [0] * clients
    failures: list[BaseException] = []
    until = time.perf_counter() + seconds

    def work(index: int) -> None:
        client = Client(port)
        try:
            while time.perf_counter() < until:
                ask(client, index)
                done[index] += 1
        except BaseException as error:
            failures.append(error)
        finally:
            client.close()

    started = time.perf_counter()
    _together([partial(work, index) for index in range(clients)])
    if failures:
        raise failures[0]
    return sum(done) / (time.perf_counter() - started)


def _together(jobs: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def timed(client: Client, step: Step) -> float:
    """Seconds until a step's answer is in."""
    started = time.perf_counter()
    client.put(step)
    return time.perf_counter() - started
