"""Hostile bodies to every writing route: refused as a problem, and nothing changed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from flask import Flask

from tests.rig.service import hostile, seated
from tests.rig.service.hostile import Hostile
from tests.rig.service.programs import PROBLEM, Api, Table, contract

CORPUS = hostile.corpus()
LEAST = 200
SHARE = 8
"""Of so many bodies each operation is sent one, and each body to some operations."""

TRIES = frozenset({"mailed_code"})
"""Tables that count how often somebody has tried: they may change."""

PATHS = (
    "%00",
    "x",
    "-1",
    "0",
    "9" * 40,
    "..%2f..%2fetc%2fpasswd",
    "%ff%fe",
    "%ed%a0%80",
    "{game}",
    "' OR 1=1 --",
    "00000000-0000-0000-0000-000000000000",
    "A" * 4000,
)
"""What stands where an id should, in a path."""


class Writing:
    """One writing operation, as a rightful principal calls it."""

    def __init__(self, method: str, path: str, operation: Mapping[str, Any]) -> None:
        self.method = method
        self.path = path
        self.takes_body = "requestBody" in operation
        self.needs_body = self.takes_body and operation["requestBody"]["required"]

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    def filled(self, values: Mapping[str, str]) -> str:
        return re.sub(
            r"\{(\w+)\}", lambda name: values.get(name.group(1), "1"), self.path
        )


def writings(app: Flask) -> list[Writing]:
    paths = contract(app)["paths"]
    return [
        Writing(method.upper(), path, operation)
        for path, ways in paths.items()
        for method, operation in ways.items()
        if method in ("post", "put", "patch", "delete")
    ]


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(Api(app))


@pytest.fixture
def values(table: Table) -> dict[str, str]:
    """Parts of paths that lead somewhere."""
    return {
        "game": str(table.id),
        "decision": str(table.decision),
        "seat": "1",
        "token": str(table.id),
    }


def rows(app: Flask) -> dict[str, list[tuple]]:
    """All that must not change."""
    found = seated.everything(app)
    return {name: kept for name, kept in found.items() if name not in TRIES}


def send(table: Table, writing: Writing, path: str, body: Hostile) -> Any:
    return table.api.call(
        writing.method,
        path,
        table.tokens[table.asked],
        data=body.raw,
        headers={"Content-Type": body.media},
    )


def check(answer: Any, writing: Writing, body: Hostile) -> None:
    """A problem that names its field; 404 and the like come before the body is read."""
    about = (writing.name, body.name, answer.status_code, answer.text[:200])
    assert 400 <= answer.status_code < 500, about
    assert answer.status_code != 429, about
    assert answer.mimetype == PROBLEM, about
    if answer.status_code == 422:
        assert answer.json["field"], about
        if body.field is not None:
            assert answer.json["field"].split(".")[0] == body.field, about


def test_there_are_enough_of_them() -> None:
    assert len({body.raw for body in CORPUS}) >= LEAST
    assert len({body.name for body in CORPUS}) == len(CORPUS)


def shared(turn: int, share: int) -> Iterator[Hostile]:
    """One of so many bodies, others at each turn, and always the empty one."""
    for number, body in enumerate(CORPUS):
        if number % share == turn % share or not body.raw:
            yield body


@pytest.mark.parametrize(
    "share", [SHARE, pytest.param(1, marks=pytest.mark.proof)], ids=["some", "all"]
)
def test_hostile_bodies_are_refused_everywhere_and_change_nothing(
    app: Flask, table: Table, values: dict[str, str], share: int
) -> None:
    taking = [each for each in writings(app) if each.takes_body]
    before, sent = rows(app), set[str]()

    for turn, writing in enumerate(taking):
        for body in shared(turn, share):
            if not body.raw and not writing.needs_body:
                continue
            answer = send(table, writing, writing.filled(values), body)
            check(answer, writing, body)
            sent.add(body.name)

    assert rows(app) == before
    assert sent == {body.name for body in CORPUS}
    assert len(taking) > SHARE


def test_hostile_paths_lead_nowhere_and_change_nothing(
    app: Flask, table: Table, values: dict[str, str]
) -> None:
    before = rows(app)
    body = Hostile("nothing of ours", b'{"x":1}')

    for writing in writings(app):
        for name in re.findall(r"\{(\w+)\}", writing.path):
            for part in PATHS:
                path = writing.filled({**values, name: part})
                answer = send(table, writing, path, body)
                check(answer, writing, body)

    assert rows(app) == before
