"""Headers: those that the contract promises come, and no others that it knows."""

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.api.http import response_headers
from tests.rig.service import programs, promised
from tests.rig.service.programs import Api, Table, contract
from tests.rig.service.promised import Operation

AT_TIMES = {
    response_headers.LINK,
    response_headers.REPLAYED,
    response_headers.WWW_AUTHENTICATE,
}
"""What comes with some answers of an operation only."""


@pytest.fixture
def api(limited: Flask) -> Api:
    return Api(limited)


def by_name(api: Api) -> dict[str, Operation]:
    return {each.name: each for each in promised.operations(api.app)}


def names_in(answer: TestResponse) -> set[str]:
    return {name for name in response_headers.HEADERS if name in answer.headers}


def headers(api: Api, operation: Operation, status: str) -> set[str]:
    """What is promised for a status, whether there or under `components`."""
    answer = operation.answers[status]
    if "$ref" in answer:
        shared = contract(api.app)["components"]["responses"]
        answer = shared[answer["$ref"].rpartition("/")[2]]
    return set(answer.get("headers", ()))


def kept(operation: Operation, answer: TestResponse) -> set[str]:
    """What is promised for an answer, less what comes at times and didn't now."""
    found = set(operation.answers[str(answer.status_code)].get("headers", ()))
    return found - (AT_TIMES - names_in(answer))


@pytest.mark.parametrize(
    "name",
    [
        "listEditions",
        "listGames",
        "getGame",
        "getView",
        "getMe",
        "listTokens",
        "listTurns",
        "listEvents",
        "getContract",
        "getHealth",
    ],
)
def test_an_answer_has_the_headers_that_are_promised(api: Api, name: str) -> None:
    operation = by_name(api)[name]

    answer = promised.call(Table(api), operation)

    assert answer.status_code == 200
    assert names_in(answer) == kept(operation, answer)


def test_what_was_made_has_the_headers_that_are_promised(api: Api) -> None:
    token = programs.operator_token(api)
    wish = {"seats": [{"kind": "bot"}] * 2}
    key = {"Idempotency-Key": "table-of-friday"}

    answers = [
        api.call("POST", "/v1/games", token, json=wish, headers=key) for _ in range(2)
    ]

    promised_ = set(by_name(api)["createGame"].answers["201"]["headers"])
    assert names_in(answers[0]) == promised_ - {response_headers.REPLAYED}
    # A table has changed meanwhile, perhaps: what is kept is no mark of it.
    assert names_in(answers[1]) == promised_ - {"ETag"}


def test_a_part_of_a_list_has_the_headers_that_are_promised(api: Api) -> None:
    table = Table(api)

    answer = api.get(f"{table.path}/events?limit=1", table.tokens[0])

    operation = by_name(api)["listEvents"]
    assert names_in(answer) == set(operation.answers["200"]["headers"])


def test_an_answer_to_a_decision_is_promised_no_limit_and_has_none(api: Api) -> None:
    table = Table(api)

    answer = table.put(table.asked, table.first_legal(table.asked))

    operation = by_name(api)["putAnswer"]
    assert (
        names_in(answer)
        == kept(operation, answer)
        == {response_headers.CONTENT_LANGUAGE}
    )
    assert "429" not in operation.answers
    for status in operation.answers:
        assert not headers(api, operation, status) & set(response_headers.LIMITS), (
            status
        )


@pytest.mark.parametrize("name", ["getHealth", "getReadiness"])
def test_health_promises_nothing_of_the_api(api: Api, name: str) -> None:
    operation = by_name(api)[name]

    answer = api.client.get(f"{operation.path}?unknown=1", headers={"Accept": "a/b"})

    assert str(answer.status_code) in set(operation.answers) <= {"200", "500", "503"}
    assert names_in(answer) == set()
    for status in operation.answers:
        assert not headers(api, operation, status), status
