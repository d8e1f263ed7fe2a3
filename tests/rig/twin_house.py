"""One of two worlds: a database and a web process of its own, and a line to it."""

import http.client
import os
import re
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

import msgspec
import psycopg
from flask import Flask

from engine.board import Seat
from service import app as application
from service import config
from service.auth import bearer
from service.processes import command_lines
from service.store import answers as answer_store
from service.store import event_log, messages, people, sql, tables, tokens
from service.store.messages import Speaker
from service.store.people import Profile
from service.store.tables import NewGame, SeatRecord
from service.store.transactions import transaction
from service.values.addresses import Address
from service.values.lines import Line
from tests.rig import apps, twin_writing
from tests.rig.engine.tables import options
from tests.rig.engine.twins import World
from tests.rig.house import ROOT, answers
from tests.rig.parts import Part, free_ports, wait_until
from tests.rig.service.seated import NAMES

NOW = "2026-05-01 12:00:00+00"
"""The time in both worlds, at which their clock stands still."""

OPTIONS = msgspec.json.encode(options())
SCOPES = bearer.SCOPES

DROPPED = frozenset({"date"})
"""Headers that aren't compared: the server's own clock, which nothing stops."""


class Request(NamedTuple):
    """What is asked of both worlds."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None


class Reply(NamedTuple):
    """All of an answer but the time: what a viewer could compare."""

    status: tuple[int, int, str]
    headers: tuple[tuple[str, str], ...]
    body: bytes


class TwinHouse:
    """A world's database and its web process."""

    def __init__(
        self, name: str, folder: Path, environ: Mapping[str, str], leak: str = ""
    ) -> None:
        self.name = name
        (self.port,) = free_ports(1)
        given = environ["DATABASE_URL"].replace("postgresql+psycopg:", "postgresql:")
        url = urlunsplit(urlsplit(given)._replace(path=f"/{name}"))
        self.admin = given
        self.environ = config.child_environ(
            {
                **environ,
                "DATABASE_URL": url,
                "PUBLIC_URL": "http://kingup.example",
                # What is left of them would tell of time, not of a world.
                "KINGUP_RATE_LIMITS": "0",
                "PYTHONPATH": str(ROOT),
                # The order of a set is chance, too.
                "PYTHONHASHSEED": "0",
            },
            {"PATH": os.defpath},
        )
        command = (
            *command_lines.web(f"127.0.0.1:{self.port}", workers=1, grace=1)[:-1],
            # However long the next position takes, the line is kept.
            *("--keep-alive", "300"),
            f"tests.rig.twin_web:app('{leak}')",
        )
        self.web = Part(name, command, self.environ, folder / f"{name}.log")
        self.app: Flask = application.create_app(config.load(self.environ))
        self.people: tuple[UUID, ...] = ()
        self.tokens: tuple[str, ...] = ()
        self._line: http.client.HTTPConnection | None = None

    def make(self, like: str = "") -> None:
        """Make the database, as a copy of another one that nobody uses or anew."""
        copied = f" TEMPLATE {like}" if like else ""
        self._execute(self.admin, f"CREATE DATABASE {self.name}{copied}")
        self._execute(
            self.admin, f"ALTER DATABASE {self.name} SET synchronous_commit = off"
        )
        if not like:
            subprocess.run(command_lines.migrate(), env=self.environ, check=True)
        self._execute(
            self.environ["DATABASE_URL"],
            "CREATE OR REPLACE FUNCTION kingup_now() RETURNS timestamptz"
            f" LANGUAGE sql STABLE AS 'SELECT timestamptz ''{NOW}'''",
        )

    def start(self) -> None:
        self.web.start()

    def wait_for_web(self) -> None:
        wait_until(partial(answers, self.port), f"the start of {self.name}")

    def stop(self) -> None:
        if self._line is not None:
            self._line.close()
        self.web.kill()
        apps.put_away(self.app)
        self._execute(self.admin, f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")

    @staticmethod
    def _execute(url: str, statement: str) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement.encode())

    def settle(self, elsewhere: UUID) -> None:
        """Let people in, alike in both worlds: eight who play, and two strangers.

        The last one sits at another table, and their token is good for that alone.
        """
        with self.app.app_context(), transaction():
            found = [
                people.known_or_new(_mailbox(name), Profile(name)).id
                for name in (*NAMES, "Odette", "Quentin")
            ]
            other = NewGame(found[-1], "inviting", "classic", OPTIONS, "link", False)
            tables.add_game(other, elsewhere)
            tables.put_seat(
                elsewhere, SeatRecord(0, found[-1], None, "Quentin", "joined")
            )
            self.tokens = tuple(
                tokens.issue(
                    person, "twin", SCOPES, elsewhere if person == found[-1] else None
                ).token
                for person in found
            )
            # A use is written down a moment later, when nobody waits for it.
            sql.execute("UPDATE token SET last_used_at = kingup_now()")
            self.people = tuple(found)

    def show(
        self,
        world: World,
        laid: tuple[Seat, ...] | None,
        visibility: str,
        viewer: Seat | None,
    ) -> None:
        """Let the database hold this moment of a world, and nothing of any other."""
        game_id = UUID(world.game.id)
        with self.app.app_context(), transaction():
            sql.execute("DELETE FROM game WHERE status <> 'inviting'")
            tables.add_game(self._new(world, visibility), game_id, world.seed)
            for number, chair in enumerate(world.game.seats):
                own = chair.kind != "bot" or world.game.kept[number]
                person = self.people[number] if own else None
                tables.put_seat(
                    game_id,
                    SeatRecord(number, person, chair.bot, NAMES[number], "joined"),
                )
            event_log.append(twin_writing.writing(world))
            if laid is not None:
                answer_store.show_laid(game_id, list(laid))
            self._talk(world, viewer)

    def _talk(self, world: World, viewer: Seat | None) -> None:
        """What both worlds have said alike, and what lies with ballots in this one.

        The viewer's own are theirs to read.
        """
        game, game_id = world.game, UUID(world.game.id)
        speakers = {
            seat: Speaker(seat, self.people[seat])
            for seat, chair in enumerate(game.seats)
            if chair.kind != "bot"
        }
        for speaker in speakers.values():
            messages.say(game_id, speaker, Line("Good evening.", None))
        ballots = enumerate(game.ballots) if game.decision is not None else ()
        for seat, card in ballots:
            if card is not None and seat != viewer and seat in speakers:
                said = Line(f"{self.name} lays {card}", None)
                messages.seal(game_id, speakers[seat], said, game.last_decision)

    def _new(self, world: World, visibility: str) -> NewGame:
        return NewGame(
            host_id=self.people[0],
            status="running",
            edition=world.game.edition,
            options=msgspec.json.encode(world.game.table),
            visibility=visibility,
            practice=False,
        )

    def send(self, asked: Request) -> None:
        """Send a request on the kept connection."""
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self._line.request(
            asked.method, asked.path, asked.body, {"Host": "x", **asked.headers}
        )

    def receive(self) -> Reply:
        """The answer to what was sent."""
        assert self._line is not None
        answer = self._line.getresponse()
        headers = tuple(
            (name, value)
            for name, value in answer.getheaders()
            if name.lower() not in DROPPED
        )
        status = (answer.version, answer.status, answer.reason)
        return Reply(status, headers, answer.read())

    @contextmanager
    def listening(self, asked: Request, source: str) -> Iterator[socket.socket]:
        """A stream of its own line, whose bytes nobody has read yet."""
        line = socket.create_connection(("127.0.0.1", self.port), 30, (source, 0))
        headers = "".join(f"{k}: {v}\r\n" for k, v in asked.headers.items())
        with line:
            line.sendall(
                f"GET {asked.path} HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode()
            )
            yield line


_END = b"\n\n\r\n"


def heard(line: socket.socket) -> bytes:
    """A stream's bytes up to its first view or list, or a whole answer, but the date.

    When it says next that all is well is a matter of the machine's time.
    """
    got = bytearray()
    while (end := _end(bytes(got))) is None:
        more = line.recv(65536)
        if not more:
            break
        got += more
    head, gap, rest = bytes(got[:end]).partition(b"\r\n\r\n")
    kept = [
        row
        for row in head.split(b"\r\n")
        if row.partition(b":")[0].decode().lower() not in DROPPED
    ]
    return b"\r\n".join(kept) + gap + rest


def _end(got: bytes) -> int | None:
    """Where the first view or list ends, or what is no stream; None if not yet."""
    start = got.find(b"\r\n\r\n") + 4
    if start < 4:
        return None
    head = got[:start].lower()
    if b"text/event-stream" in head:
        first = re.search(b"event: (?:view|turns)", got[start:])
        end = got.find(_END, start + first.start()) if first else -1
        return None if end < 0 else end + len(_END)
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
    return start + length if len(got) >= start + length else None


def _mailbox(name: str) -> Address:
    return Address(f"{name}@example.org", f"{name.lower()}@example.org")
