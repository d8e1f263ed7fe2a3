"""The app's context, its limits, a browser and homes, for tests that want one."""

from collections.abc import Iterator

import psycopg
import pytest
from flask import Flask

from service import config
from service.live import sse
from service.rate_limits import counters
from service.rate_limits.limits import Limits
from tests.rig.service import programs
from tests.rig.service.counted import Ledger, noon
from tests.rig.service.heard import AT_ONCE
from tests.rig.service.programs import Api
from tests.rig.service.visitor import Visitor


@pytest.fixture
def inside(app: Flask) -> Iterator[Flask]:
    """The app, in a context of its own."""
    with app.app_context():
        yield app


@pytest.fixture
def outside(database: str) -> Iterator[psycopg.Connection]:
    """Somebody else's connection to the same database."""
    with psycopg.connect(database.replace("+psycopg", "", 1)) as connection:
        yield connection
        connection.rollback()


@pytest.fixture(autouse=True)
def patient() -> Iterator[pytest.MonkeyPatch]:
    """Limits are counted in Valkey, however busy the machine is; undone by `undo`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counters, "_TIMEOUT_SECONDS", AT_ONCE)
        yield patch


@pytest.fixture
def limited(
    app: Flask, settings: config.Config, patient: pytest.MonkeyPatch
) -> Iterator[Flask]:
    """The app with its usual limits."""
    lifted = app.extensions["kingup_limits"]
    usual = Limits(1, settings.redis_url, settings.secret_key, noon)
    app.extensions["kingup_limits"] = usual
    yield app
    app.extensions["kingup_limits"] = lifted


@pytest.fixture
def ledger(app: Flask) -> Iterator[Ledger]:
    """Limits that tell what they have counted, in the place of the app's."""
    usual = app.extensions["kingup_limits"]
    counts = Ledger(app.config["KINGUP"].secret_key)
    app.extensions["kingup_limits"] = counts
    yield counts
    app.extensions["kingup_limits"] = usual


@pytest.fixture
def api(app: Flask) -> Api:
    """Programs that ask the app, with any token."""
    return Api(app)


@pytest.fixture
def host(api: Api) -> str:
    """The token of somebody who may host."""
    return programs.operator_token(api)


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    """A browser without cookies."""
    return Visitor(app)


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams that look at nothing by themselves for longer than a test waits."""
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 3 * AT_ONCE)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams look for news, and say that all is well, ten times a second."""
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(sse, "_SPREAD_SECONDS", 0.0)
