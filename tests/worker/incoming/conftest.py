"""Mailboxes that can be answered from."""

import pytest
from flask import Flask

from tests.rig.worker.answered import Mailboxes
from tests.rig.worker.mail_server import Sink


@pytest.fixture
def boxes(inside: Flask, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> Mailboxes:
    """The mailboxes of everybody who plays."""
    return Mailboxes(inside, sink, monkeypatch)
