"""Addresses and queries that mean nothing: refused, and never a fault."""

import pytest
from flask import Flask

from tests.rig.service import programs
from tests.rig.service.programs import PROBLEM, Api, Table
from tests.rig.service.promised import below_v1, call, is_problem


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api)


QUERIES = {
    "?nobody_knows=1": ("nobody_knows", "unknown-parameter"),
    "?at=1&at=2": ("at", "duplicate"),
    "?at=%00": ("at", "not-text"),
    "?at=%ff": ("query", "not-text"),
    "?%ff=1": ("query", "not-text"),
    "?%00=1": ("\0", "unknown-parameter"),
    "?at=%ed%a0%80": ("query", "not-text"),
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_that_means_nothing_is_refused(table: Table, query: str) -> None:
    name, reason = QUERIES[query]

    answer = table.api.get(f"{table.path}/view{query}")

    assert is_problem(answer, 422, "invalid")
    assert (answer.json["parameter"], answer.json["reason"]) == (name, reason)


@pytest.mark.parametrize("query", ["?at=%zz", "?at=1e9", "?at=9" + "9" * 5000, "?at="])
def test_a_number_that_is_none_is_refused(table: Table, query: str) -> None:
    answer = table.api.get(f"{table.path}/view{query}")

    assert is_problem(answer, 422, "invalid")
    assert answer.json["parameter"] == "at"


def test_every_operation_refuses_parameters_that_it_does_not_know(
    app: Flask, table: Table
) -> None:
    for each in below_v1(app):
        answer = call(table, each, query="?nobody_knows=1")
        assert is_problem(answer, 422, "invalid"), each.name
        assert answer.json["parameter"] == "nobody_knows"


@pytest.mark.parametrize(
    "value",
    ["%00", "%ff", "%zz", "%", "..", "%2e%2e", "9" * 400, "-1", "1e3", "é", "' OR 1=1"],
)
def test_nonsense_in_an_address_is_nothing_that_is_there(
    app: Flask, table: Table, value: str
) -> None:
    for each in below_v1(app):
        for part in each.path.split("/"):
            if part.startswith("{"):
                path = each.at(**{"game": table.id, part.strip("{}"): value})
                answer = table.api.call(
                    each.method, path, table.tokens[0], json=each.body
                )
                assert answer.mimetype == PROBLEM, (each.name, answer.text)
                assert answer.status_code in (403, 404, 405, 409, 422), each.name


@pytest.mark.parametrize("mistyped", ["x", "%00", "0" * 36, "2edbd422", "é"])
def test_an_id_that_is_none_is_as_unknown_as_one_that_nobody_has(
    app: Flask, table: Table, mistyped: str
) -> None:
    for each in below_v1(app):
        ids = [p.strip("{}") for p in each.path.split("/") if p.endswith("_id}")]
        if not ids:
            continue
        for method in (each.method, "HEAD", "PATCH"):
            wrong, unknown = (
                table.api.call(
                    method,
                    each.at(**dict.fromkeys(ids, value)),
                    table.tokens[0],
                    json=None if method == "HEAD" else each.body,
                )
                for value in (mistyped, programs.unknown_game())
            )
            assert wrong.status_code == unknown.status_code, each.name
            assert wrong.data == unknown.data
            assert wrong.headers.get("Allow") == unknown.headers.get("Allow")
            # Whether there is such a game, one's own answer doesn't tell.
            what = "answer" if each.name == "getAnswer" else ids[0].removesuffix("_id")
            if method == each.method:
                assert wrong.json["what"] == what, each.name


@pytest.mark.parametrize("seat", ["3", "8", "99", "x", "-1", "9" * 400])
def test_a_seat_that_is_none_is_one_that_is_not_there(table: Table, seat: str) -> None:
    answer = table.api.get(f"{table.path}/seats/{seat}")

    assert is_problem(answer, 404, "not-found")
    assert answer.json["what"] == "seat"
