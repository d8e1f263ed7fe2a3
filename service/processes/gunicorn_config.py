"""How gunicorn serves the pages and the API (`gunicorn -c python:...`)."""

import gc
import resource
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from service import live

# Not the module: gunicorn reads every name of this file, and `config` is one it knows.
from service.config import load
from service.monitoring import logs
from service.processes.intake import Intake
from service.processes.kernel import give_way, let_no_fork_outlive_us
from service.processes.server import HEAD_SECONDS, GunicornWorker

_settings = load()
logs.take_over(_settings.log_level)

SWITCH_SECONDS = 0.0005
_OTHER_FILES = 200
# The app is loaded once and forked: so a running server neither loads it anew nor
# changes how many processes there are.
_DEAF_TO = (signal.SIGHUP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGUSR2)


def _most_files() -> int:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return most if most != resource.RLIM_INFINITY else 1_000_000


_FILES = _most_files()


class LinesOfOurs(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's own log, through our handler: a broken request may hold a token."""

    def setup(self, cfg: Config) -> None:
        """Let our handler write what gunicorn has to say."""
        super().setup(cfg)
        self.error_log.handlers = [logs.handler()]


logger_class = LinesOfOurs
worker_class = GunicornWorker
# The app works on KINGUP_WEB_THREADS requests at a time; other threads wait for news.
# A stream has a thread and needs no event loop: 1,000 idle ones take 60 MB more than
# none, and all have a new view 0.2 s after the commit, on two busy cores.
threads = _settings.web_threads + _settings.streams
worker_connections = min(threads + 1000, _FILES - _OTHER_FILES)
# As long as a new connection may be silent, so that whoever holds kept ones holds no
# more. Clients close theirs first (fetch in Node after 4 seconds): one that we close at
# the moment of the next request makes that fail, and fetch doesn't repeat it.
keepalive = int(HEAD_SECONDS)
# What a file is sent by has no end when its reader has none; ours are small.
sendfile = False
loglevel = _settings.log_level.lower()
control_socket_disable = True
# What is too long for the app is still the app's to refuse, in its own words.
limit_request_field_size = 16 * 1024
limit_request_line = 8190
# The app alone decides which proxy it believes (TRUSTED_PROXIES).
forwarded_allow_ips = ""
# A heartbeat must not wait for a slow disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - memory
# The app is read once, and shared: a process more costs little.
preload_app = True

_STRANGERS, _OTHERS = Intake(), Intake()


def pre_fork(arbiter: Arbiter, worker: GunicornWorker) -> None:
    """Let one of the processes be for strangers, with the machine's least attention."""
    workers = arbiter.WORKERS.values()
    worker.for_strangers = bool(workers) and not any(
        each.for_strangers for each in workers
    )
    intakes = (_STRANGERS, _OTHERS) if worker.for_strangers else (_OTHERS, _STRANGERS)
    worker.intake, worker.elsewhere = intakes


def on_starting(server: Arbiter) -> None:
    """Let every connection have a file of its own, and no worker stay behind."""
    del server
    let_no_fork_outlive_us()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def when_ready(arbiter: Arbiter) -> None:
    """Let what stays be shared by all forks, and be there as many as at the start.

    The garbage collector passes over what stays. Signals that would fork others, or
    fewer, would leave nobody for strangers, or nobody but theirs.
    """
    del arbiter
    for number in _DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    gc.collect()
    gc.freeze()


def post_worker_init(worker: Worker) -> None:
    """Keep what holds up answers short.

    A task hint that is to leave waits for no other request: with Python's usual 5 ms
    each step of it would.
    """
    if worker.for_strangers:
        give_way()
        live.of(worker.wsgi).concurrency.widen()
    _let_streams_go(worker)
    sys.setswitchinterval(SWITCH_SECONDS)


def worker_int(worker: Worker) -> None:
    """End the streams when the worker is to end at once."""
    live.end(worker.wsgi)


def _let_streams_go(worker: Worker) -> None:
    """End the streams when the worker is to end gracefully: it waits for them all."""
    gracefully = signal.getsignal(signal.SIGTERM)

    def ended(number: int, frame: FrameType | None) -> None:
        # Not here: a signal may come while this very thread holds a lock.
        threading.Thread(target=live.end, args=(worker.wsgi,)).start()
        if callable(gracefully):
            gracefully(number, frame)

    signal.signal(signal.SIGTERM, ended)
