"""Every operation that the contract promises, to be tried one after the other."""

import uuid
from collections.abc import Mapping
from typing import Any

import msgspec
import yaml
from flask import Flask

from service.api import contract

UNKNOWN = {
    "edition": "classic",
    "decision": "1",
    "seat": "1",
    "token": "a" * 26,
    "notice": "1",
}
"""What stands for a parameter of which nothing better is known."""


class Operation(msgspec.Struct, frozen=True):
    """An operation as the contract has it; `body` is the example of what it takes."""

    name: str
    method: str
    path: str
    who: str
    scope: str | None
    body: Any
    answers: Mapping[str, Any]

    def at(self, **values: object) -> str:
        """Its address; ids that aren't given are somebody else's, or nobody's."""
        found = self.path
        for part in self.path.split("/"):
            if part.startswith("{"):
                name = part.strip("{}")
                known = values.get(name, UNKNOWN.get(name, uuid.UUID(int=7)))
                found = found.replace(part, str(known))
        return found


def operations(app: Flask) -> list[Operation]:
    spec = yaml.safe_load(contract.document(app))
    return [
        Operation(
            operation["operationId"],
            method.upper(),
            path,
            operation["x-access"]["who"],
            operation["x-access"]["scope"],
            _body(operation),
            operation["responses"],
        )
        for path, item in spec["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def _body(operation: Mapping[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("example")
