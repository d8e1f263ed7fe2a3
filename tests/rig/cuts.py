"""A client whose line is cut at a chosen byte of the answer, and that tries again."""

import json
import random
import socket
import struct
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

_RESET = struct.pack("ii", 1, 0)
"""Hang up as a broken line does, without a word that all was read."""

_OF_THE_MOMENT = frozenset({"date", "idempotent-replayed"})

PATIENCE = 30.0


class Whole(NamedTuple):
    """An answer that came whole; its headers are those that a repeat must have too."""

    status: int
    headers: tuple[str, ...]
    body: bytes
    size: int

    @property
    def same(self) -> tuple[int, tuple[str, ...], bytes]:
        """What a repeated request must get again, byte for byte."""
        return self.status, self.headers, self.body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def request(
    method: str,
    path: str,
    token: str | None,
    body: object,
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """The bytes of a request on a line of its own."""
    raw = json.dumps(body).encode()
    named = {
        "Host": "x",
        "Content-Type": "application/json",
        "Content-Length": str(len(raw)),
        "Connection": "close",
        **(headers or {}),
    }
    if token is not None:
        named["Authorization"] = f"Bearer {token}"
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + raw


def sent(origin: str, raw: bytes) -> Whole:
    """The whole answer to a request."""
    with _line(origin) as line:
        line.sendall(raw)
        got = bytearray()
        while more := line.recv(65536):
            got += more
    head, _, body = bytes(got).partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    kept = tuple(
        row for row in rest if row.partition(":")[0].lower() not in _OF_THE_MOMENT
    )
    return Whole(int(first.split()[1]), kept, body, len(got))


def cut(origin: str, raw: bytes, after: int) -> int:
    """Send a request and hang up after so many bytes of the answer; how many came."""
    with _line(origin) as line:
        line.sendall(raw)
        got = 0
        while got < after:
            more = line.recv(after - got)
            if not more:
                break
            got += len(more)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    return got


def insist(
    origins: list[str], raw: bytes, size: int, chance: random.Random
) -> tuple[Whole, int]:
    """Send a request again and again while it is cut; its answer, and the cuts.

    `size` is how long the answer will be, roughly: what came whole was no cut.
    """
    cuts = 0
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        after = chance.randrange(size)
        cuts += cut(chance.choice(origins), raw, after) == after
    return sent(chance.choice(origins), raw), cuts


def _line(origin: str) -> socket.socket:
    place = urlsplit(origin)
    return socket.create_connection((place.hostname or "", place.port or 80), PATIENCE)
