"""Talk at a table through the API: said, read and muted by a seat."""

from typing import Any

from werkzeug.test import TestResponse

from tests.rig.service.programs import Table

LINE = {"line": "Odessa would make a fine king."}


def say(table: Table, seat: int, **said: str) -> TestResponse:
    path = f"{table.path}/messages"
    return table.api.call("POST", path, table.tokens[seat], json=said or LINE)


def read(table: Table, seat: int, query: str = "", **headers: str) -> dict[str, Any]:
    answer = table.api.get(
        f"{table.path}/messages{query}", table.tokens[seat], **headers
    )
    assert answer.status_code == 200
    found: dict[str, Any] = dict(answer.json)
    return found


def lines(table: Table, seat: int) -> list[tuple[int, int, str]]:
    messages = read(table, seat)["messages"]
    return [(each["id"], each["seat"], each["line"]) for each in messages]


def mute(table: Table, seat: int, other: int, method: str = "PUT") -> int:
    path = f"{table.path}/seats/{other}/mute"
    return table.api.call(method, path, table.tokens[seat]).status_code


def refused(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]
