"""Programs that play over the API; every answer they get is held to the document."""

import re
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import UUID

import yaml
from flask import Flask
from openapi_schema_validator import OAS31Validator
from werkzeug.test import TestResponse

from engine.state import Game
from service import clock, entropy
from service.api.contract import document
from service.people import auth
from service.store import links
from service.store.transactions import transaction
from tests.service import seated
from tests.service.seated import run

PROBLEM = "application/problem+json"

_PARAMETER = re.compile(r"\{\w+\}")


@cache
def _spec(app: Flask) -> dict[str, Any]:
    return yaml.safe_load(document.document(app))


class Api:
    """A client of the API that trusts nothing."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client = app.test_client()

    def call(
        self, method: str, path: str, token: str | None = None, **options: Any
    ) -> TestResponse:
        """Send a request; its answer, as the contract promises it."""
        headers = dict(options.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        answer = self.client.open(path, method=method, headers=headers, **options)
        self._check(method.lower(), path.partition("?")[0], answer)
        return answer

    def get(self, path: str, token: str | None = None, **headers: str) -> TestResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.call("GET", path, token, headers=named)

    def _check(self, method: str, path: str, answer: TestResponse) -> None:
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        if answer.status_code >= 400 and path != "/readyz":
            assert answer.mimetype == PROBLEM
            if method == "head":
                return
            assert answer.json["status"] == answer.status_code
            assert answer.json["detail"]
            assert answer.json["type"].endswith(answer.json["code"])
        spec = _spec(self.app)
        operation = _operation(spec, "get" if method == "head" else method, path)
        if operation is None:
            return
        promised = operation["responses"]
        assert str(answer.status_code) in promised, (path, answer.text)
        response = promised[str(answer.status_code)]
        if "$ref" in response:
            response = spec["components"]["responses"][response["$ref"].split("/")[-1]]
        if not answer.data:
            return
        media = response["content"][answer.mimetype]
        if answer.mimetype == PROBLEM:
            assert answer.json["code"] in media["examples"], (path, answer.text)
        whole = {**media["schema"], "components": spec["components"]}
        body = answer.json if answer.is_json else answer.data.decode(errors="replace")
        OAS31Validator(whole).validate(body)


def _operation(
    spec: Mapping[str, Any], method: str, path: str
) -> Mapping[str, Any] | None:
    # What stands there as such comes before what a parameter could be.
    paths = sorted(spec["paths"].items(), key=lambda each: each[0].count("{"))
    for template, operations in paths:
        if re.fullmatch(_PARAMETER.sub("[^/]+", template), path):
            found: Mapping[str, Any] | None = operations.get(method)
            return found
    return None


class Table:
    """A started game, and a program with a token for each person at it."""

    def __init__(self, api: Api, seats: int = 3, **wish: object) -> None:
        self.api = api
        with api.app.app_context():
            self.table = seated.started(seats, **wish)
            self.tokens = [self.token(seat) for seat in range(seats)]
        self.id = self.table.id
        self.path = f"/v1/games/{self.id}"

    def token(self, seat: int, **options: Any) -> str:
        """A token for the person on a seat; inside the app's context."""
        found = run(
            "SELECT person_id FROM seat WHERE game_id = :g AND number = :s",
            {"g": self.table.id, "s": seat},
        )
        options.setdefault("scopes", auth.SCOPES)
        with transaction():
            return links.issue(found[0][0], "test", **options)

    @property
    def game(self) -> Game:
        with self.api.app.app_context():
            return self.table.game

    @property
    def asked(self) -> int:
        return self.game.asked()[0]

    @property
    def decision(self) -> int:
        with self.api.app.app_context():
            return self.table.decision

    def view(self, seat: int | None = None, query: str = "") -> TestResponse:
        token = None if seat is None else self.tokens[seat]
        return self.api.get(f"{self.path}/view{query}", token)

    def put(
        self,
        seat: int,
        answer: object,
        decision: int | None = None,
        token: str | None = None,
    ) -> TestResponse:
        """Answer the open decision, or another one."""
        number = self.decision if decision is None else decision
        return self.api.call(
            "PUT",
            f"{self.path}/decisions/{number}/answer",
            token or self.tokens[seat],
            json=answer,
        )

    def first_legal(self, seat: int) -> object:
        return self.view(seat).json["legal"][0]["answer"]

    def inside(self, act: str, *args: object) -> None:
        """Let the table do something behind the API's back."""
        with self.api.app.app_context():
            getattr(self.table, act)(*args)

    def play_a_turn(self) -> tuple[int, int, object]:
        """The one asked gives their first legal answer: decision, seat, answer."""
        number, seat = self.decision, self.asked
        answer = self.first_legal(seat)
        assert self.put(seat, answer).status_code == 200
        return number, seat, answer


def in_election(api: Api, seats: int = 3) -> Table:
    """A table whose first election has just been opened."""
    table = Table(api, seats, rounds=1, placement="random")
    table.inside("nominate")
    return table


def operator_token(api: Api, address: str = "rachel@example.org") -> str:
    with api.app.app_context():
        return auth.issue_token(address)


def let_pass(api: Api, hours: float) -> None:
    with api.app.app_context():
        clock.shift(timedelta(hours=hours))


def stranger(api: Api) -> str:
    """A good token of somebody who sits nowhere."""
    return operator_token(api, f"{entropy.token()}@example.org")


def unknown_game() -> UUID:
    return entropy.identifier()
