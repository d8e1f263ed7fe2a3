"""One run of the simulator in a test's app: a clock, a worker, a mail server, games."""

import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import msgspec
import pytest
from flask import Flask
from structlog.testing import capture_logs

from service.values import mail_settings, urls
from tests.rig.parts import free_ports
from tests.rig.simulator import mail_server, worker
from tests.rig.simulator.invariants import Broken, Outcome
from tests.rig.simulator.mail_server import MailServer, Mood
from tests.rig.simulator.plans import Plan
from tests.rig.simulator.simulation import Simulation
from tests.rig.simulator.virtual_time import VirtualClock


class Place:
    """Where games are simulated: the app, on its empty database."""

    def __init__(self, app: Flask, database: str, environ: Mapping[str, str]) -> None:
        self.app = app
        self.database = database.replace("+psycopg", "", 1)
        self.environ = environ


@contextmanager
def simulation(place: Place, seed: str, mood: Mood) -> Iterator[Simulation]:
    """A simulation that is ready to play; inside the app's context."""
    [port] = free_ports(1)
    app, clock = place.app, VirtualClock()
    server = MailServer(place.database, clock.now, seed, mood)
    settings = msgspec.structs.replace(
        app.config["KINGUP"],
        mail_server=urls.smtp(f"smtp://127.0.0.1:{port}"),
        mail_settle=mail_settings.USUAL_SETTLE,
    )
    with (
        pytest.MonkeyPatch.context() as patch,
        mail_server.serving(server, port),
        worker.working(app, place.environ, random.Random(seed)) as working,
    ):
        patch.setitem(app.config, "KINGUP", settings)
        yield Simulation(app, clock, working, server, seed)


def play(
    place: Place, plans: Iterable[Plan], seed: str = "", mood: Mood | None = None
) -> list[Outcome]:
    """Play games to their ends; what they came to.

    Raises Broken for a promise that wasn't kept, and for any error that was logged.
    """
    with simulation(place, seed, mood or Mood()) as running, capture_logs() as logged:
        outcomes = running.play(plans)
    for entry in logged:
        if entry["log_level"] in ("error", "critical"):
            raise Broken(f"{entry['event']}: {entry.get('exc_info')!r}")
    return outcomes
