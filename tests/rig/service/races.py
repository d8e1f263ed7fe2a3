"""Acts at the same moment, over the connections of two processes' worth of engines."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from flask import Flask

from engine.errors import Refusal
from service.game.handlers import NotAtTable
from service.store import clock
from service.values.errors import Problem

Apps: TypeAlias = tuple[Flask, Flask]


def together(apps: Apps, acts: Sequence[Callable[[], object]]) -> list[object]:
    """Run all acts at the same moment; what each returned, or was refused with."""
    barrier = threading.Barrier(len(acts))

    def one(number: int) -> object:
        with apps[number % len(apps)].app_context():
            # Everybody has a connection before anybody starts.
            clock.now()
            barrier.wait(10)
            try:
                return acts[number]()
            except (Refusal, NotAtTable, Problem) as refusal:
                return refusal

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(one, range(len(acts))))
