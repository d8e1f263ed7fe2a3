"""A whole service in processes of its own: webs, workers, a mail server, databases."""

import http.client
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from service import config
from service.processes import command_lines, embedded, restarts
from tests.rig.letters import Letter, letters_in
from tests.rig.parts import START_PATIENCE, Part, free_ports, listens, wait_until
from tests.rig.sink import MOOD

ROOT = Path(__file__).parents[2]


BOT_DELAY = 1
"""Seconds that bots take in a house: nobody waits there for two minutes."""


class House:
    """Web, worker and mail server, each killable, on given databases."""

    def __init__(
        self,
        folder: Path,
        environ: Mapping[str, str],
        *,
        webs: int,
        workers: int,
        loaded: bool = True,
        **settings: str,
    ) -> None:
        self.folder = folder
        self.mails = folder / "mails"
        self.mails.mkdir(parents=True)
        smtp, *self.ports = free_ports(1 + webs)
        self.smtp_port = smtp
        self.environ = _settings(folder, environ, self.ports[0], smtp, settings)
        self.database = environ["DATABASE_URL"].replace("+psycopg", "", 1)
        self._loaded = loaded
        self._asking = threading.Lock()
        self._line: psycopg.Connection | None = None
        self.sink = self._part("sink", sink_command(self.mails, smtp))
        self.webs = [self._part(f"web{port}", web_command(port)) for port in self.ports]
        self.workers = [
            self._part(f"worker{n}", command_lines.worker_with_beat("INFO"))
            for n in range(workers)
        ]

    def _part(self, name: str, command: tuple[str, ...]) -> Part:
        log = self.folder / f"{name}.log"
        return Part(name, command, self.environ, log, loaded=self._loaded)

    @property
    def parts(self) -> list[Part]:
        return [self.sink, *self.webs, *self.workers]

    @property
    def urls(self) -> list[str]:
        """Where each web process answers; mails lead to the first."""
        return [f"http://127.0.0.1:{port}" for port in self.ports]

    def start(self) -> None:
        for part in self.parts:
            part.start()
        self.wait_for_webs()
        wait_until(
            lambda: listens(self.smtp_port), "the mail server's start", START_PATIENCE
        )

    def wait_for_webs(self) -> None:
        for port, web in zip(self.ports, self.webs, strict=True):
            what = f"the start of {web.name}"
            wait_until(partial(answers, port), what, START_PATIENCE)

    def mend(self) -> None:
        """Start again each web process that a trial has ended."""
        for web in self.webs:
            if not web.alive:
                web.start()
        self.wait_for_webs()

    def stop(self) -> None:
        for part in self.parts:
            part.kill()
        self._hang_up()

    def letters(self) -> list[Letter]:
        """Every mail so far, in the order they came."""
        return letters_in(self.mails)

    def mood(self, answer: str) -> None:
        """Let the mail server answer so from now on."""
        (self.mails / MOOD).write_text(answer)

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a statement; sorted where it names no order."""
        try:
            rows = self._rows(statement, values)
        except psycopg.OperationalError:
            # The line may be one to a server that was killed since.
            self._hang_up()
            rows = self._rows(statement, values)
        return rows if "ORDER BY" in statement else sorted(rows, key=repr)

    def _rows(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._asking:
            if self._line is None:
                self._line = psycopg.connect(self.database, autocommit=True)
            cursor = self._line.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def _hang_up(self) -> None:
        with self._asking:
            if self._line is not None:
                self._line.close()
                self._line = None

    def shift(self, by: timedelta) -> None:
        """Move the clock of every process."""
        self.rows("UPDATE clock SET shift = shift + %s", by)

    def everything(self, but: Sequence[str] = ()) -> dict[str, list[str]]:
        """Every row of every table, to compare before and after."""
        tables = self.rows(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        )
        return {
            table: sorted(
                row[0] for row in self.rows(f'SELECT t::text FROM "{table}" t')
            )
            for (table,) in tables
            if table not in but
        }

    def printed(self) -> str:
        """What every process said last."""
        return "\n".join(f"--- {part.name}\n{part.printed()}" for part in self.parts)


def _settings(
    folder: Path,
    environ: Mapping[str, str],
    web: int,
    smtp: int,
    more: Mapping[str, str],
) -> dict[str, str]:
    """What all processes of a house are told: ports, databases, and `more`."""
    return config.child_environ(
        {
            "DATABASE_URL": environ["DATABASE_URL"],
            "REDIS_URL": environ["REDIS_URL"],
            "SECRET_KEY": "a secret for trials that nobody has to keep",
            "PUBLIC_URL": f"http://127.0.0.1:{web}",
            "SMTP_URL": f"smtp://127.0.0.1:{smtp}",
            "MAIL_FROM": "King Up! <kingup@kingup.example>",
            "KINGUP_HOME": str(folder),
            "KINGUP_INVITATIONS_A_DAY": "1000000",
            "KINGUP_RATE_LIMITS": "0",
            "KINGUP_BOT_DELAY": str(BOT_DELAY),
            "MAIL_SETTLE_SECONDS": "0",
            "LOG_LEVEL": "INFO",
            **more,
        },
        {"PATH": os.defpath},
    )


def sink_command(folder: Path, port: int) -> tuple[str, ...]:
    return (sys.executable, "-m", "tests.rig.sink", str(folder), str(port))


def web_command(port: int) -> tuple[str, ...]:
    return command_lines.web(f"127.0.0.1:{port}", workers=1, grace=20)


def answers(port: int, path: str = "/healthz") -> bool:
    """Whether a web process is up."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def supervised(house: House) -> Iterator[None]:
    """Start again whatever ends by itself, as `kingup serve` and Compose do."""
    over = threading.Event()
    watches = [restarts.ChildWatch(part) for part in house.parts]

    def look_after() -> None:
        while not over.wait(0.1):
            for watch in watches:
                watch.tick(time.monotonic())

    watching = threading.Thread(target=look_after)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()


@contextmanager
def running(house: House) -> Iterator[House]:
    """Start the house, and end all of it; a failed test shows what it said."""
    try:
        house.start()
        yield house
    finally:
        house.stop()
        sys.stdout.write(house.printed())


def environ_of(servers: embedded.Servers) -> dict[str, str]:
    """Settings for a house on private servers."""
    return config.child_environ(
        {
            "DATABASE_URL": servers.database_url,
            "REDIS_URL": servers.redis_url,
            "SECRET_KEY": "a secret for trials that nobody has to keep",
            "PUBLIC_URL": "http://localhost",
        },
        {"PATH": os.defpath},
    )
