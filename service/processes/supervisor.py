"""Run everything as one process tree that starts and ends together (`kingup serve`)."""

import errno
import http.client
import os
import secrets
import signal
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import click
from gunicorn.util import parse_address

from service import config
from service.processes import (
    children,
    command_lines,
    embedded,
    kernel,
    pooler_check,
    restarts,
)
from service.store import revisions

# Gunicorn's own deadline must end before ours.
_WEB_GRACE_SECONDS = 2
_STOP_SECONDS = 4.0
_LAST_PORT = 65535
_TICK_SECONDS = 0.1
# One that ends before it has ever answered may have been unlucky, but not each time.
_FIRST_TRIES = 3


class StartError(Exception):
    """Kingup can't start; the message says what to do about it."""


def serve() -> None:
    """Run Kingup until SIGINT, SIGTERM or SIGHUP.

    Raises StartError, ConfigError or ServerError when it can't start.
    """
    local = config.load_local()
    # Every way to end it is the way of Ctrl-C.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    stack = ExitStack()
    try:
        _run(local, stack)
    except KeyboardInterrupt:
        click.echo("Kingup is stopping ...")
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        stack.close()


def _run(local: config.Local, stack: ExitStack) -> None:
    """Start everything and look after it; `stack` receives what undoes it."""
    with embedded.usable(local.home):
        _claim_home(local, stack)
    _check_port(local.port)
    servers = _start_servers(local, stack)
    with embedded.usable(local.home):
        settings = _settings(local, servers)
        kept = config.keep_running(local.home, settings)
    stack.callback(kept.unlink, missing_ok=True)
    environ = config.child_environ(settings)
    _migrate(config.load(environ), environ)
    web = children.Child(
        "The web server",
        command_lines.web(
            f"127.0.0.1:{local.port}", workers=1, grace=_WEB_GRACE_SECONDS
        ),
        environ,
    )
    worker = children.Child(
        "The worker",
        command_lines.worker_with_beat(local.log_level),
        environ,
        # Celery's farewell stands there; its log is on the standard error.
        quiet=True,
    )
    inbox = _inbox(environ)
    stack.callback(_stop, (web, worker, *inbox))
    for child in (web, worker, *inbox):
        child.start()
    running = servers.running if servers else ()
    _look_after(local, web, [web, worker, *inbox, *running])


def _inbox(environ: Mapping[str, str]) -> tuple[children.Child, ...]:
    """What takes mails in, if anything does."""
    if config.load(environ).inbound_listen is None:
        return ()
    return (children.Child("The inbox", command_lines.inbox(), environ),)


def _migrate(settings: config.Config, environ: Mapping[str, str]) -> None:
    """Bring the database to its newest form, unless it is there already.

    A look takes no time; what migrates takes a third of the start to load.
    """
    if revisions.is_newest(settings.database_url):
        pooler_check.check(settings)
    elif children.run(command_lines.migrate(), environ) != 0:
        raise StartError("The database can't be brought up to date; see above.")


def _claim_home(local: config.Local, stack: ExitStack) -> None:
    """Keep every other `kingup serve` off this folder."""
    local.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = local.home / "serve.lock"
    try:
        lock = stack.enter_context(kernel.take_lock(path))
    except BlockingIOError as error:
        place = path.read_text(encoding="utf-8")
        raise StartError(
            f"Kingup already runs on {local.home} ({place})."
            " Stop it, or choose another folder: KINGUP_HOME=..."
        ) from error
    lock.truncate(0)
    lock.write(local.url.encode())
    lock.flush()


def _check_port(port: int) -> None:
    try:
        _try_to_listen("127.0.0.1", port)
    except OSError as error:
        raise StartError(
            f"Port {port} {_reason(error)}. Choose another: KINGUP_PORT=..."
        ) from error


def check_bind(bind: str) -> None:
    """Raise StartError for a HOST:PORT at which nothing can listen.

    Sockets of other kinds, and those that whoever starts us has opened, are left to the
    server.
    """
    try:
        place = parse_address(bind)
        if isinstance(place, tuple) and "LISTEN_FDS" not in os.environ:
            _try_to_listen(*place)
    except (OSError, RuntimeError, OverflowError) as error:
        reason = _reason(error) if isinstance(error, OSError) else "is no HOST:PORT"
        raise StartError(f"{bind} {reason}. Choose another: --bind ...") from error


def _try_to_listen(host: str, port: int) -> None:
    if not 0 <= port <= _LAST_PORT:
        # The resolver would take its last 16 bits.
        raise OverflowError
    found = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    family, kind, protocol, _, address = found[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)


def _reason(error: OSError) -> str:
    return "is taken" if error.errno == errno.EADDRINUSE else "can't be used"


def _start_servers(local: config.Local, stack: ExitStack) -> embedded.Servers | None:
    """Start the private servers that no setting replaces."""
    postgres, valkey = local.database_url is None, local.redis_url is None
    if not (postgres or valkey):
        return None
    servers = embedded.Servers(local.home)
    stack.callback(servers.stop)
    servers.start(postgres=postgres, valkey=valkey)
    return servers


def _settings(local: config.Local, servers: embedded.Servers | None) -> dict[str, str]:
    """Complete the settings for the child processes."""
    settings = {
        "KINGUP_HOME": str(local.home),
        "LOG_LEVEL": local.log_level,
        "PUBLIC_URL": local.public_url or local.url,
        "SECRET_KEY": local.secret_key or _kept_secret(local.home / "secret_key"),
    }
    # Who tries it out answers on the mailbox page; nobody else can write there.
    if local.has_mailbox_alone:
        settings["INBOUND_ADDRESS"] = "game@localhost"
    if servers and local.database_url is None:
        settings["DATABASE_URL"] = servers.database_url
    if servers and local.redis_url is None:
        settings["REDIS_URL"] = servers.redis_url
    return settings


def _kept_secret(path: Path) -> str:
    """Return the secret in the file at `path`, which is made at the first start."""
    if not path.exists():
        # Renamed when it is whole: by half a secret, of a start that was cut short,
        # every link would be made from then on. It is nobody else's to read before
        # anything stands in it.
        new = path.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(secrets.token_hex(32), encoding="ascii")
        new.rename(path)
    return path.read_text(encoding="ascii")


def _look_after(
    local: config.Local, web: children.Child, running: Sequence[restarts.Process]
) -> None:
    """Restart what dies, for ever; raises StartError if the pages never come up."""
    watches = [restarts.ChildWatch(process) for process in running]
    answered, alive, ends = False, True, 0
    while True:
        if not answered:
            ends += alive and not web.alive
            alive = web.alive
            if ends == _FIRST_TRIES:
                raise StartError("The web server can't start; see above.")
            answered = _answers(local.port)
            if answered:
                click.echo(f"Kingup is running: {local.url}  (Ctrl-C stops it)")
        for watch in watches:
            watch.tick(time.monotonic())
        time.sleep(_TICK_SECONDS)


def _answers(port: int) -> bool:
    """Whether the pages are up."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _stop(running: Sequence[children.Child]) -> None:
    """End all at the same time, and kill what takes too long."""
    for child in running:
        child.ask_to_stop()
    deadline = time.monotonic() + _STOP_SECONDS
    for child in running:
        child.wait(deadline - time.monotonic())
