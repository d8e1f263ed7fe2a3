"""A machine on which an hour of waiting takes no time: nobody but its clock knows."""

import threading
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from flask import Flask

from service import config
from service.live import long_poll, subscriptions
from service.rate_limits.limits import Limits
from service.store import clock


class Machine:
    """Its clock stands still, but while somebody waits: then it is set forward.

    The game's clock goes along with it, and the limits count in it. What others do
    `at` a moment is done when the clock gets there.
    """

    def __init__(self, app: Flask, settings: config.Config) -> None:
        self._app = app
        self._plans: list[tuple[float, Callable[[], object]]] = []
        self.seconds = 0.0
        limits = Limits(1, settings.redis_url, settings.secret_key, self.now)
        app.extensions["kingup_limits"] = limits

    def now(self) -> float:
        return self.seconds

    def at(self, seconds: float, act: Callable[[], object]) -> None:
        self._plans = sorted([*self._plans, (seconds, act)], key=lambda plan: plan[0])

    def event(self) -> threading.Event:
        machine = self

        class Event(threading.Event):
            def wait(self, timeout: float | None = None) -> bool:
                if not self.is_set() and timeout is not None:
                    machine.set_forward(timeout)
                return self.is_set()

        return Event()

    def set_forward(self, seconds: float) -> None:
        """Let time pass, up to the next thing that somebody does."""
        until = self.seconds + seconds
        if self._plans and self._plans[0][0] < until:
            until = max(self._plans[0][0], self.seconds)
        passing = threading.Thread(target=self._pass, args=(until - self.seconds,))
        passing.start()
        passing.join()

    def _pass(self, seconds: float) -> None:
        self.seconds += seconds
        with self._app.app_context():
            clock.shift(timedelta(seconds=seconds))
        while self._plans and self._plans[0][0] <= self.seconds:
            self._plans.pop(0)[1]()


def installed(
    app: Flask, settings: config.Config, monkeypatch: pytest.MonkeyPatch
) -> Machine:
    """A machine in the place of the real one, for requests that wait."""
    machine = Machine(app, settings)
    monkeypatch.setattr(long_poll, "time", SimpleNamespace(monotonic=machine.now))
    events = SimpleNamespace(
        Event=machine.event, Lock=threading.Lock, RLock=threading.RLock
    )
    monkeypatch.setattr(subscriptions, "threading", events)
    return machine
