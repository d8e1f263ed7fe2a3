"""An app's context for all tests of the worker, and a mail server for who asks."""

from collections.abc import Iterator

import pytest
from aiosmtpd.controller import Controller
from flask import Flask

from tests.rig.worker.mail_server import Sink, point_to


@pytest.fixture(autouse=True)
def inside(app: Flask) -> Iterator[Flask]:
    """Every test of the worker runs as a task does, in a context of the app."""
    with app.app_context():
        yield app


@pytest.fixture
def sink(
    inside: Flask, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Sink]:
    """A mail server that the app sends to."""
    keeper = Sink()
    controller = Controller(
        keeper, hostname="127.0.0.1", port=free_port, enable_SMTPUTF8=True
    )
    controller.start()
    point_to(inside, monkeypatch, f"smtp://127.0.0.1:{free_port}")
    yield keeper
    controller.stop()
