"""The worker's own code in this process: hints at once, and sweeps when one is due."""

import random
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from flask import Flask

from service.game import task_hints
from service.store import outages, sql
from service.store.transactions import transaction
from worker import tasks
from worker.clock import bots, sweeper
from worker.clock import outages as outages_of_all
from worker.outgoing import delivery

_LOST: Final = 0.02
"""How many hints get lost; the sweep finds what they would have started."""

_LATE: Final = timedelta(seconds=3.1)
"""After this long a sweep takes a mail for one whose hint was lost."""

_ROUND: Final = 20
"""More sweeps than this at one moment get nothing done."""

_SILENT: Final = """UPDATE sign_of_life SET at = at - CAST(%(span)s AS interval)
    WHERE name = 'web'"""

_NEXT: Final = """SELECT (SELECT min(claim_at) FROM due
        WHERE claim_at < 'infinity') AS due,
    (SELECT min(claim_at) FROM mail WHERE settled_at IS NULL) AS mail,
    (SELECT min(claim_at) FROM mailed_code WHERE settled_at IS NULL) AS code,
    (SELECT min(due_at) FROM notice
        WHERE mail_id IS NULL AND superseded_at IS NULL) AS notice"""


class Hints:
    """Keeps what the worker is hinted at; some gets lost."""

    def __init__(self, chance: random.Random) -> None:
        self.waiting: deque[tuple[str, tuple[Any, ...]]] = deque()
        self._chance = chance

    def send(self, task: str, *args: str | int) -> None:
        """Ask for a task by name."""
        if self._chance.random() >= _LOST:
            self.waiting.append((task, args))


class Worker:
    """Does all that a worker does, at the moment at which it is called."""

    def __init__(self, hints: Hints) -> None:
        self._hints = hints

    def serve(self) -> None:
        """Say that the web is there, as its processes do every few seconds."""
        with transaction():
            outages.beat()

    def come_back(self, after: timedelta) -> None:
        """Be there again, as the web is, after so long without any of them."""
        # The web's sign of life has the machine's own time, which nobody sets forward.
        sql.execute(_SILENT, span=after)
        self.serve()
        outages_of_all.give_back()

    def _waiting(self) -> tuple[datetime | None, datetime | None]:
        with transaction():
            found = sql.row(_NEXT)
        assert found is not None
        mails = [each for each in (found.mail, found.code, found.notice) if each]
        return found.due, min(mails) + _LATE if mails else None

    def work(self, now: datetime) -> datetime | None:
        """Do what is due, until nothing is; when there is something again."""
        self.serve()
        for _ in range(_ROUND):
            self._follow_hints()
            due, mails = self._waiting()
            if due is not None and due <= now:
                sweeper.sweep()
            elif mails is not None and mails <= now:
                delivery.sweep()
            elif not self._hints.waiting:
                return min((each for each in (due, mails) if each), default=None)
        raise AssertionError(f"the worker gets nothing done: {due} {mails} at {now}")

    def _follow_hints(self) -> None:
        while self._hints.waiting:
            task, args = self._hints.waiting.popleft()
            if task == task_hints.FOLLOW_UP:
                tasks.follow_up.run([args])
            elif task == task_hints.DELIVER:
                tasks.deliver_mail.run(*args)
            else:
                raise LookupError(task)

    def tidy(self) -> None:
        """Begin and end absences, and erase what has served its time."""
        tasks.seats.run()
        tasks.tidy.run()


@contextmanager
def working(
    app: Flask, environ: Mapping[str, str], chance: random.Random
) -> Iterator[Worker]:
    """The app's hints come to this worker, with its settings; bots take no time."""
    hints = Hints(chance)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environ.items():
            patch.setenv(name, value)
        patch.setitem(app.extensions, "kingup_task_hints", hints)
        # On a clock that is set forward nobody reads from it what bots think about.
        patch.setattr(bots, "STEP_SECONDS", 0.001)
        yield Worker(hints)
