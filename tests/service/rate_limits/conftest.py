"""Budgets so small that a test uses them up."""

import msgspec
import pytest
from flask import Flask

from tests.rig.service.shares import MOST


@pytest.fixture
def few(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many mails of each kind a day, and no more."""
    small = msgspec.structs.replace(inside.config["KINGUP"], invitations_a_day=MOST)
    monkeypatch.setitem(inside.config, "KINGUP", small)
