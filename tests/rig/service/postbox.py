"""A mailbox that codes arrive in, and people who sign in with them."""

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.store import outbox
from tests.rig import letters
from tests.rig.letters import Letter
from tests.rig.service.programs import Api
from worker.clock import retention
from worker.outgoing import delivery

RITA = "Rita@example.org"

_CODE = re.compile(r"^[A-Z]{4}-[A-Z]{4}\r?$", re.MULTILINE)


class Postbox:
    """The built-in mailbox; opening it has the worker deliver what is due."""

    def __init__(
        self, app: Flask, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.api = Api(app)
        self.folder = folder / "postbox"
        settings = msgspec.structs.replace(app.config["KINGUP"], mailbox=self.folder)
        monkeypatch.setitem(app.config, "KINGUP", settings)
        self._read: dict[str, Letter] = {}

    def letters(self, to: str = "") -> list[Letter]:
        """The mails to an address so far, oldest first."""
        with self.api.app.app_context():
            for mail_id in outbox.missed(0, 100).mails:
                delivery.deliver(mail_id)
        files = sorted(self.folder.glob("new/*"), key=lambda file: file.stat().st_mtime)
        for number, file in enumerate(files):
            if file.name not in self._read:
                self._read[file.name] = letters.read(number, file.read_bytes())
        found = [self._read[file.name] for file in files]
        return [letter for letter in found if letter.to.startswith(to)]

    def tell(self, game_id: UUID) -> None:
        """Have the worker mail what a game has to tell."""
        with self.api.app.app_context():
            delivery.post(game_id)

    def tidy(self) -> None:
        """Have the worker erase what is old."""
        with self.api.app.app_context():
            retention.tidy()

    def code(self, to: str = RITA) -> str:
        """The latest code that came to an address."""
        (found,) = _CODE.findall(self.letters(to)[-1].text)
        code: str = found.strip()
        return code

    def ask(self, address: str = RITA) -> str:
        """Ask for a code; what it is sent back with."""
        answer = self.api.call("POST", "/v1/sign-in", json={"address": address})
        assert answer.status_code == 202
        number: str = answer.json["sign_in"]
        return number

    def confirm(self, sign_in: str, code: str, **more: Any) -> TestResponse:
        body = {"sign_in": sign_in, "code": code, **more}
        return self.api.call("POST", "/v1/sign-in/confirmation", json=body)

    def sign_in(self, address: str = RITA, **more: Any) -> str:
        """A token of whoever reads a mailbox."""
        sign_in = self.ask(address)
        local, _, domain = address.partition("@")
        code = self.code(f"{local}@{domain.encode('idna').decode()}")
        answer = self.confirm(sign_in, code, **more)
        assert answer.status_code == 201, answer.text
        token: str = answer.json["token"]
        return token
