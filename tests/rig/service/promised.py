"""Every operation that the contract promises, to be tried one after the other."""

import uuid
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from flask import Flask
from werkzeug.test import TestResponse

from tests.rig.service.programs import PROBLEM, Table, contract

UNKNOWN = {
    "edition": "classic",
    "decision": "1",
    "seat": "1",
    "secret": "a" * 26,
    "notice": "1",
    "message": "1",
    "proposal": "1",
}
"""What stands for a parameter of which nothing better is known."""


class Operation(msgspec.Struct, frozen=True):
    """An operation as the contract has it; `body` is the example of what it takes.

    `others` is the scope with which a host does it to what is somebody else's.
    """

    name: str
    method: str
    path: str
    who: str
    scope: str | None
    body: Any
    answers: Mapping[str, Any]
    others: str | None = None

    def at(self, **values: object) -> str:
        """Its address; ids that aren't given are somebody else's, or nobody's."""
        found = self.path
        for part in self.path.split("/"):
            if part.startswith("{"):
                name = part.strip("{}")
                known = values.get(name, UNKNOWN.get(name, uuid.UUID(int=7)))
                found = found.replace(part, str(known))
        return found


@cache
def operations(app: Flask) -> tuple[Operation, ...]:
    return tuple(
        Operation(
            operation["operationId"],
            method.upper(),
            path,
            operation["x-access"]["who"],
            operation["x-access"]["scope"],
            _body(operation),
            operation["responses"],
            operation["x-access"].get("others"),
        )
        for path, item in contract(app)["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    )


def _body(operation: Mapping[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("example")


def below_v1(app: Flask) -> list[Operation]:
    return [each for each in operations(app) if each.path.startswith("/v1")]


def call(
    table: Table, each: Operation, method: str = "", query: str = "", **headers: str
) -> TestResponse:
    """An operation with the first seat's token and the contract's own body."""
    options = {} if each.body is None or method == "HEAD" else {"json": each.body}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return table.api.call(
        method or each.method,
        each.at(game=table.id) + query,
        table.tokens[0],
        headers=named,
        **options,
    )


def is_problem(answer: TestResponse, status: int, code: str) -> bool:
    assert answer.mimetype == PROBLEM, answer.text
    return (answer.status_code, answer.json["code"]) == (status, code)
