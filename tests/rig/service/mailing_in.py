"""Answers to mails: an address that takes them, and the secrets in it."""

import re
from email.headerregistry import Address

import msgspec
import pytest
from flask import Flask

from service.values.mail_settings import InboundAuth

ADDRESS = Address("", "game", "play.example.org")

_TOKEN = re.compile(r"\+(?:b\.)?([a-z2-7]{26})@", re.IGNORECASE)


def open_to(
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    auth: InboundAuth = InboundAuth.ACCEPT,
) -> None:
    """Let mails be answered to ADDRESS; nobody has to prove who they are."""
    settings = app.config["KINGUP"]
    opened = msgspec.structs.replace(
        settings, inbound_address=ADDRESS, inbound_auth=auth
    )
    monkeypatch.setitem(app.config, "KINGUP", opened)


def token_in(address: str) -> str:
    """The secret in an address that a mail is answered to."""
    found = _TOKEN.search(address)
    assert found is not None, address
    return found[1].lower()
