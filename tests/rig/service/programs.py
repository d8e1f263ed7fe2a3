"""Programs that play over the API; every answer they get is held to the document."""

import json
import re
from datetime import timedelta
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

import jsonschema_rs
from flask import Flask
from werkzeug.test import TestResponse

from engine.state import Game
from service.api.openapi import document
from service.auth import bearer
from service.store import clock, tokens
from service.store.transactions import transaction
from service.values import entropy
from tests.rig.service import seated

PROBLEM = "application/problem+json"

_PARAMETER = re.compile(r"\{\w+\}")


@cache
def contract(app: Flask) -> dict[str, Any]:
    """What the document says that this app publishes; nobody may change it.

    That its YAML says the same is held once: writing and reading it takes seconds.
    """
    said: dict[str, Any] = json.loads(json.dumps(document.specification(app)))
    return said


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
            self._check_problem(answer)
        if answer.status_code == 204:
            assert "Content-Type" not in answer.headers
        template = _template(self.app, path)
        method = "get" if method == "head" else method
        if template is None or method not in contract(self.app)["paths"][template]:
            return
        promised = _promised(self.app, template, method)
        assert answer.status_code in promised, (path, answer.text)
        if not answer.data:
            return
        media = promised[answer.status_code][answer.mimetype]
        if answer.mimetype == PROBLEM:
            assert answer.json["code"] in media.codes, (path, answer.text)
        body = answer.json if answer.is_json else answer.data.decode(errors="replace")
        media.schema.validate(body)

    @staticmethod
    def _check_problem(answer: TestResponse) -> None:
        """What every refusal of its kind tells, whatever was asked."""
        body = answer.json
        if answer.status_code == 401:
            assert answer.headers["WWW-Authenticate"].split()[0] == "Bearer"
        if answer.status_code == 405:
            assert body["methods"] == sorted(answer.headers["Allow"].split(", "))
        if answer.status_code == 422:
            first = body["errors"][0]
            assert {"pointer", "parameter", "header"} & set(first)
            assert all(body[name] == first[name] for name in first if name != "pointer")


@cache
def schema_of(app: Flask, name: str) -> jsonschema_rs.Draft202012Validator:
    """What the contract says that a thing by such a name is."""
    whole = {
        "$ref": f"#/components/schemas/{name}",
        "components": contract(app)["components"],
    }
    return jsonschema_rs.Draft202012Validator(whole)


class _Media(NamedTuple):
    """What a body of one kind must be."""

    codes: frozenset[str]
    schema: jsonschema_rs.Draft202012Validator


@cache
def _templates(app: Flask) -> tuple[tuple[re.Pattern[str], str], ...]:
    # What stands there as such comes before what a parameter could be.
    paths = sorted(contract(app)["paths"], key=lambda each: each.count("{"))
    return tuple((re.compile(_PARAMETER.sub("[^/]+", path)), path) for path in paths)


def _template(app: Flask, path: str) -> str | None:
    found = (known for shape, known in _templates(app) if shape.fullmatch(path))
    return next(found, None)


@cache
def _promised(app: Flask, template: str, method: str) -> dict[int, dict[str, _Media]]:
    """The bodies of an operation, by status and media type."""
    spec = contract(app)
    components, found = spec["components"], {}
    for status, response in spec["paths"][template][method]["responses"].items():
        if "$ref" in response:
            response = components["responses"][response["$ref"].split("/")[-1]]
        found[int(status)] = {
            kind: _Media(
                frozenset(media.get("examples", ())),
                _validator(app, json.dumps(media["schema"])),
            )
            for kind, media in response.get("content", {}).items()
        }
    return found


@cache
def _validator(app: Flask, schema: str) -> jsonschema_rs.Draft202012Validator:
    """One for all bodies of a kind: making one takes longer than many answers."""
    components = contract(app)["components"]
    return jsonschema_rs.Draft202012Validator(
        {**json.loads(schema), "components": components}
    )


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
        person = seated.person_on(self.table.id, seat)
        options.setdefault("scopes", bearer.SCOPES)
        with transaction():
            return tokens.issue(person, "test", **options).token

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

    def first_legal(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = self.view(seat).json["legal"][0]["answer"]
        return found

    def inside(self, act: str, *args: object) -> None:
        """Let the table do something behind the API's back."""
        with self.api.app.app_context():
            getattr(self.table, act)(*args)

    def play_a_turn(self) -> tuple[int, int, dict[str, Any]]:
        """The one asked gives their first legal answer: decision, seat, answer."""
        game = self.game
        assert game.decision is not None
        number, seat = game.decision.number, game.asked()[0]
        answer = self.first_legal(seat)
        assert self.put(seat, answer, number).status_code == 200
        return number, seat, answer


def in_election(api: Api, seats: int = 3) -> Table:
    """A table whose first election has just been opened."""
    table = Table(api, seats, rounds=1, placement="random")
    table.inside("nominate")
    return table


def operator_token(api: Api, address: str = "rachel@example.org") -> str:
    with api.app.app_context():
        return bearer.issue_token(address)


def let_pass(api: Api, hours: float) -> None:
    with api.app.app_context():
        clock.shift(timedelta(hours=hours))


def stranger(api: Api) -> str:
    """A good token of somebody who sits nowhere."""
    return operator_token(api, f"{entropy.token()}@example.org")


def unknown_game() -> UUID:
    return entropy.identifier()
