"""The app's context, and a browser, for tests that want one."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.service.visitor import Visitor


@pytest.fixture
def inside(app: Flask) -> Iterator[Flask]:
    """The app, in a context of its own."""
    with app.app_context():
        yield app


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    """A browser without cookies."""
    return Visitor(app)
