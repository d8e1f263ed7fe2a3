"""The command lines of the processes that Kingup is made of."""

import sys

_PYTHON = (sys.executable, "-P", "-m")
_APP = "service.app:create_app()"


def migrate() -> tuple[str, ...]:
    """Bring the database to the newest form, and end."""
    return (*_PYTHON, "service.commands.cli", "migrate")


def web(bind: str, *, workers: int, grace: int) -> tuple[str, ...]:
    """Serve pages and API on `bind`; an ending waits `grace` seconds for answers.

    In `workers` processes, and one more for strangers.
    """
    options = ("--bind", bind, "--workers", str(workers + 1), "--graceful-timeout")
    settings = ("-c", "python:service.processes.gunicorn_config")
    return (*_PYTHON, "gunicorn", *options, str(grace), *settings, _APP)


def inbox() -> tuple[str, ...]:
    """Take mails in, where INBOUND_LISTEN says."""
    return (*_PYTHON, "service.commands.cli", "inbox")


def worker_with_beat(log_level: str) -> tuple[str, ...]:
    """Do the background work and the schedule in one light process."""
    # Celery's usual one keeps a file wherever it was started. To a worker -S means
    # something else: where it notes revoked tasks.
    beat = ("-B", "--scheduler", "celery.beat:Scheduler")
    return (*_worker(log_level), *beat, "-P", "threads", "-c", "4")


def worker(log_level: str, *, concurrency: int) -> tuple[str, ...]:
    """Do the background work in `concurrency` processes; any number may run."""
    return (*_worker(log_level), "-P", "prefork", "-c", str(concurrency))


def beat(log_level: str) -> tuple[str, ...]:
    """Run the schedule; one of these beside any number of workers."""
    # A file with its number, left behind by a beat that was killed, would keep the next
    # from starting.
    scheduler = ("--scheduler", "celery.beat:Scheduler", "--pidfile=")
    return (*_celery(), "beat", "-l", log_level, *scheduler)


def _celery() -> tuple[str, ...]:
    # As root, Celery warns at every start; its reason, pickled tasks, isn't ours.
    calm = ("-W", "ignore:You're running the worker with superuser privileges")
    return (sys.executable, *calm, "-P", "-m", "celery", "-q", "-A", "worker.app")


def _worker(log_level: str) -> tuple[str, ...]:
    # Workers needn't know of each other: who does what stands in rows. It would hold up
    # each start.
    quiet = ("--without-gossip", "--without-mingle")
    return (*_celery(), "worker", "-l", log_level, *quiet)
