"""The app's context, its limits, and a browser, for tests that want one."""

from collections.abc import Iterator

import pytest
from flask import Flask

from service import config
from service.api import feed
from service.limits import Limits
from tests.service.counted import Ledger, noon
from tests.service.visitor import Visitor


@pytest.fixture
def inside(app: Flask) -> Iterator[Flask]:
    """The app, in a context of its own."""
    with app.app_context():
        yield app


@pytest.fixture
def limited(app: Flask, settings: config.Config) -> Iterator[Flask]:
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
def visitor(app: Flask) -> Visitor:
    """A browser without cookies."""
    return Visitor(app)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams look for news, and say that all is well, ten times a second."""
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(feed, "_SPREAD_SECONDS", 0.0)
