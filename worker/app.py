"""The Celery app: task hints and the schedule travel through it, facts never do.

Its worker builds one Flask app a process, and every task runs in a context of it.
"""

import gc
import logging
import sys

from celery import Celery, Task
from celery.signals import setup_logging, worker_init, worker_process_init, worker_ready
from flask import Flask

from service import config
from service.app import create_app
from service.game import task_hints
from service.models.base import db
from service.monitoring import logs
from service.processes import kernel
from worker import error_isolation, schedule
from worker.clock import loops
from worker.outgoing import render

_CHATTY = ("celery.beat", "celery.worker.strategy", "celery.app.trace")
"""Loggers that would say every second that nothing was to be done."""


_SWITCH_SECONDS = 0.0001


class _Host:
    """Where this process keeps its one Flask app."""

    app: Flask | None = None


def flask_app() -> Flask:
    """The Flask app of this process."""
    if _Host.app is None:
        _Host.app = create_app()
    return _Host.app


class ContextTask(Task):  # type: ignore[type-arg]  # only generic in its stubs
    """A task that runs in a context of its own."""

    abstract = True

    def __call__(self, *args: object, **kwargs: object) -> None:
        """Run the task's function in a fresh context; its errors end with it."""
        ids = {"task": str(self.name), "ids": " ".join(map(str, args))}
        with flask_app().app_context(), error_isolation.contained("task_failed", **ids):
            self.run(*args, **kwargs)


def _settings() -> dict[str, object]:
    transport = dict(task_hints.TRANSPORT)
    return {
        "broker_url": config.load().broker_url,
        # Celery asks for the visibility timeout in three places and warns of none.
        "broker_transport_options": transport,
        "result_backend_transport_options": transport,
        "visibility_timeout": task_hints.TRANSPORT["visibility_timeout"],
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        # When it is done and not when it begins: if the worker dies meanwhile
        # another one does it, and twice does no harm.
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_ignore_result": True,
        "task_publish_retry": False,
        # Both end before the broker would hand the task to somebody else.
        "task_soft_time_limit": 90,
        "task_time_limit": 100,
        "task_serializer": "json",
        # A pickled task would run whatever somebody has written who gets at the broker.
        "accept_content": ["json"],
        # What a busy process had fetched before would wait for it, while others have
        # nothing to do.
        "worker_prefetch_multiplier": 1,
        "worker_send_task_events": False,
        "beat_schedule": schedule.BEAT,
    }


app = Celery(
    "kingup", task_cls=ContextTask, include=("worker.tasks",), set_as_current=True
)
app.add_defaults(_settings)


@worker_init.connect
def _start(**_: object) -> None:
    """Build the app before any thread asks for it, and watch without a broker.

    The schedule that runs inside, and the processes of a pool, end with this one.
    """
    kernel.let_no_fork_outlive_us()
    # A mail on its way waits for many short answers: with Python's usual 5 ms each of
    # them would cost that much while another thread renders.
    sys.setswitchinterval(_SWITCH_SECONDS)
    render.warm_up()
    loops.start(flask_app())


@worker_ready.connect
def _settle(**_: object) -> None:
    """Let the garbage collector pass over what stays: a walk would hold up a mail."""
    gc.collect()
    gc.freeze()


@worker_process_init.connect
def _start_child(**_: object) -> None:
    """Give a forked process its own app and leave the parent's connections alone."""
    if _Host.app is not None:
        with _Host.app.app_context():
            db.engine.dispose(close=False)
    _Host.app = create_app()


@setup_logging.connect
def _log(**_: object) -> None:
    """Let Celery write what it has to say as we do; it then sets up no log itself."""
    logs.take_over(config.load().log_level)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
