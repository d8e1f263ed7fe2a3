"""Task hints for the worker: best-effort, sent by task name after a commit.

They carry no facts: whatever a hint would start is also found by the sweep. They
leave on a thread of their own, so that a broker that is down costs a request nothing.
"""

from collections.abc import Collection, Mapping
from functools import partial
from typing import TypeAlias

import structlog
from celery import Celery
from flask import Flask, current_app
from kombu.exceptions import OperationalError

from service.store.background_batcher import BackgroundBatcher
from service.store.transactions import after_commit

FOLLOW_UP = "kingup.follow_up"
"""What follows in a game: its notices are to be posted, after the election of the
decision that comes with it, if any does, is resolved."""

DELIVER = "kingup.deliver_mail"

HANDLE_MAIL = "kingup.handle_mail"

FIND_LOST = "kingup.find_lost"

# Without limits whoever publishes to a broker that is frozen waits for 40 s and more.
TRANSPORT: Mapping[str, int | float | bool] = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "visibility_timeout": 120,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}
"""How this service and its worker talk to the broker, in seconds."""

_BACKLOG = 1000
_HOLD_SECONDS = 0.02
_LONGEST_HOLD_SECONDS = 0.1

_Hint: TypeAlias = tuple[str, tuple[str | int, ...]]

_log = structlog.get_logger()


class HintSender:
    """Publishes task names in the background; drops them when the broker lags.

    The first hint leaves at once. What comes in the moment after it travels
    together: publishing costs more than writing an answer.
    """

    def __init__(self, broker_url: str) -> None:
        # A worker makes this one with its Flask app, beside a Celery app of its own,
        # which has to stay the current one.
        self._celery = Celery("kingup", broker=broker_url, set_as_current=False)
        self._celery.conf.broker_transport_options = dict(TRANSPORT)
        # Celery would try three times more, with pauses, and hold up all hints behind
        # this one; the sweep finds what is lost.
        self._celery.conf.task_publish_retry = False
        self._celery.conf.task_ignore_result = True
        self._batcher: BackgroundBatcher[_Hint, None] = BackgroundBatcher(
            self._publish_all,
            most=_BACKLOG,
            rest=_HOLD_SECONDS,
            longest_rest=_LONGEST_HOLD_SECONDS,
        )

    def send(self, task: str, *args: str | int) -> None:
        """Ask for a task by name; never waits, never fails."""
        self._batcher.put((task, args), None)

    def _publish_all(self, wanted: Collection[_Hint]) -> None:
        """Publish them: what follows in all games as one, elections first, then mails.

        One costs as much as a fifth of an answer.
        """
        follow_ups = [args for task, args in wanted if task == FOLLOW_UP]
        if follow_ups:
            self._publish(FOLLOW_UP, sorted(follow_ups, key=len, reverse=True))
        for task, args in wanted:
            if task != FOLLOW_UP:
                self._publish(task, *args)

    def _publish(self, task: str, *args: object) -> None:
        try:
            self._celery.send_task(task, args=args, ignore_result=True)
        except (OperationalError, OSError) as error:
            _log.warning("task_hint_lost", task=task, error=type(error).__name__)


def init_app(app: Flask, broker_url: str) -> None:
    """Give an app its sender."""
    app.extensions["kingup_task_hints"] = HintSender(broker_url)


def current() -> HintSender:
    """The sender of the current app."""
    sender: HintSender = current_app.extensions["kingup_task_hints"]
    return sender


def send(task: str, *args: str | int) -> None:
    """Hint at a task to the worker of the current app, once what it needs is there.

    Inside a transaction that is after its commit, and never if it is rolled back.
    """
    after_commit(partial(current().send, task, *args))
