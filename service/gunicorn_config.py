"""How gunicorn serves the pages and the API (`gunicorn -c python:...`)."""

from pathlib import Path

# Not the module: gunicorn reads every name of this file, and `config` is one it knows.
from service.config import load

_settings = load()

worker_class = "gthread"
threads = _settings.web_threads
loglevel = _settings.log_level.lower()
control_socket_disable = True
# The app alone decides which proxy it believes (TRUSTED_PROXIES).
forwarded_allow_ips = ""
# A heartbeat must not wait for a slow disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
