"""How gunicorn serves the pages and the API (`gunicorn -c python:...`)."""

import gc
import sys
from pathlib import Path

from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from service import logs

# Not the module: gunicorn reads every name of this file, and `config` is one it knows.
from service.config import load

_settings = load()

_SWITCH_SECONDS = 0.0005


class LinesOfOurs(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's own log, through our handler: a broken request may hold a token."""

    def setup(self, cfg: Config) -> None:
        """Let our handler write what gunicorn has to say."""
        super().setup(cfg)
        self.error_log.handlers = [logs.handler()]


logger_class = LinesOfOurs
worker_class = "gthread"
threads = _settings.web_threads
loglevel = _settings.log_level.lower()
control_socket_disable = True
# The app alone decides which proxy it believes (TRUSTED_PROXIES).
forwarded_allow_ips = ""
# A heartbeat must not wait for a slow disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - memory


def post_worker_init(worker: Worker) -> None:
    """Keep what holds up answers short.

    The garbage collector passes over what stays, and a wake-up that is to leave waits
    for no other request: with Python's usual 5 ms each step of it would.
    """
    del worker
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
