"""Requests of many networks at a steady rate: `python -m tests.rig.flood`.

A process of its own, so that whoever measures beside it has a whole interpreter. It
reads a plan from its standard input and writes what came back to its standard output.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Shot(NamedTuple):
    """One request to be sent, with its bodies and tokens in turn.

    `{n}` in a body is another number each time.
    """

    name: str
    method: str
    path: str
    kind: str = ""
    bodies: Sequence[str] = ("",)
    tokens: Sequence[str] = ("",)

    def bytes(self, turn: int, network: str) -> bytes:
        """The whole request, as if a proxy had it from a network."""
        body = self.bodies[turn % len(self.bodies)].replace("{n}", str(turn)).encode()
        token = self.tokens[turn % len(self.tokens)]
        proof = f"Authorization: Bearer {token}\r\n" if token else ""
        kind = f"Content-Type: {self.kind}\r\n" if self.kind else ""
        head = (
            f"{self.method} {self.path} HTTP/1.1\r\nHost: kingup.example\r\n"
            f"X-Forwarded-For: {network}\r\n{proof}{kind}"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body


class Plan(NamedTuple):
    """What to send where: `rate` requests a second over `lines` connections, in turn.

    A rate of 0 is as many as there can be.
    """

    port: int
    rate: float
    seconds: float
    lines: int
    networks: list[str]
    shots: list[Shot]
    first: int = 0
    most: int = 0


class Outcome(NamedTuple):
    """How many were sent in how many seconds, and how often which status came back."""

    sent: int
    seconds: float
    statuses: dict[str, int]
    broken: int


class _Flood:
    """One plan being carried out."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._numbers = self._due()
        self.statuses: Counter[str] = Counter()
        self.broken = 0

    def _due(self) -> Iterator[int]:
        number = self._plan.first
        while not self._plan.most or number < self._plan.first + self._plan.most:
            yield number
            number += 1

    async def line(self) -> None:
        """Send one request after the other on a connection, each at its moment."""
        ends = self._began + self._plan.seconds
        reader = writer = None
        for number in self._numbers:
            if self._plan.rate:
                due = self._began + (number - self._plan.first) / self._plan.rate
                await asyncio.sleep(max(0.0, due - time.monotonic()))
            if time.monotonic() > ends:
                break
            try:
                if reader is None or writer is None:
                    reader, writer = await asyncio.open_connection(
                        "127.0.0.1", self._plan.port
                    )
                await self._ask(number, reader, writer)
            except (OSError, asyncio.IncompleteReadError):
                self.broken += 1
                reader = writer = None
        if writer is not None:
            writer.close()

    async def _ask(
        self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        shots, networks = self._plan.shots, self._plan.networks
        turn, which = divmod(number, len(shots))
        shot, network = shots[which], networks[turn % len(networks)]
        writer.write(shot.bytes(turn, network))
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        _, _, after = head.partition("content-length:")
        if after:
            await reader.readexactly(int(after.split("\r\n")[0]))
        elif "transfer-encoding: chunked" in head:
            while (size := int(await reader.readline(), 16)) or await reader.readline():
                await reader.readexactly(size + 2) if size else None
        self.statuses[f"{shot.name} {head.split()[1]}"] += 1
        if "connection: close" in head:
            writer.close()
            raise ConnectionResetError


async def _carry_out(plan: Plan) -> Outcome:
    flood = _Flood(plan)
    began = time.monotonic()
    await asyncio.gather(*(flood.line() for _ in range(plan.lines)))
    took = time.monotonic() - began
    return Outcome(flood.statuses.total(), took, dict(flood.statuses), flood.broken)


if __name__ == "__main__":
    given = json.load(sys.stdin)
    given["shots"] = [Shot(*shot) for shot in given["shots"]]
    sys.stdout.write(json.dumps(asyncio.run(_carry_out(Plan(**given)))._asdict()))
