"""Operations that take nothing: what is sent to them all the same is not ignored."""

import pytest
from werkzeug.test import TestResponse

from tests.rig.service import seated
from tests.rig.service.programs import Api, Table, contract
from tests.rig.service.promised import Operation, below_v1, call, is_problem


def bodiless(api: Api) -> list[Operation]:
    return [
        each for each in below_v1(api.app) if each.method != "GET" and not each.body
    ]


def send(table: Table, each: Operation, data: bytes, kind: str) -> TestResponse:
    path = each.at(game=table.id)
    headers = {"Content-Type": kind}
    return table.api.call(
        each.method, path, table.tokens[0], data=data, headers=headers
    )


def test_what_nobody_asked_for_is_refused_and_changes_nothing(api: Api) -> None:
    table = Table(api)
    before = seated.everything(api.app)
    asked = bodiless(api)

    assert {"createRematch", "leaveSeat", "cancelGame"} <= {each.name for each in asked}
    for each in asked:
        for data, facts in (
            (b'{"seats":[]}', ("seats", "unknown")),
            (b"[]", ("body", "no-object")),
            (b"null", ("body", "no-object")),
            (b"{", ("body", "not-json")),
        ):
            answer = send(table, each, data, "application/json")
            assert is_problem(answer, 422, "invalid"), each.name
            assert (answer.json["field"], answer.json["reason"]) == facts
        assert is_problem(send(table, each, b"x=1", "text/plain"), 415, "media-type")
        large = send(table, each, b" " * 20000, "application/json")
        assert is_problem(large, 413, "too-large")
    after = seated.everything(api.app)
    del before["token"], after["token"]
    assert after == before


@pytest.mark.parametrize("data", [b"", b"{}"])
def test_nothing_may_be_said_in_two_ways(api: Api, data: bytes) -> None:
    for each in bodiless(api):
        answer = send(Table(api), each, data, "application/json")
        assert answer.status_code not in (413, 415, 422), (each.name, answer.text)


def test_what_comes_with_a_get_has_no_meaning(api: Api) -> None:
    table = Table(api)

    answer = api.call("GET", table.path, json={"x": 1})

    assert answer.status_code == 200


def example(each: Operation, api: Api) -> dict:
    answer = each.answers["422"]
    if "$ref" in answer:
        shared = contract(api.app)["components"]["responses"]
        answer = shared[answer["$ref"].rpartition("/")[2]]
    media = answer["content"]["application/problem+json"]
    return dict(media["examples"]["invalid"]["value"])


def test_an_operations_example_of_a_flaw_is_one_that_it_finds(api: Api) -> None:
    table = Table(api)

    for each in below_v1(api.app):
        problem = example(each, api)
        match problem["reason"]:
            case "unknown-parameter":
                answer = call(table, each, query=f"?{problem['parameter']}=1")
            case "missing":
                answer = send(table, each, b"{}", "application/json")
            case reason:
                assert reason == "unknown"
                sent = f'{{"{problem["field"]}":1}}'.encode()
                answer = send(table, each, sent, "application/json")
        assert answer.json == problem, each.name
