"""What kinds of bodies are taken and given: the same for every operation."""

import msgspec
import pytest
from flask import Flask

from tests.rig.service.programs import Api, Table
from tests.rig.service.promised import below_v1, call, is_problem


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api)


@pytest.mark.parametrize(
    "accept",
    [
        None,
        "",
        "*/*",
        "application/*",
        "application/json",
        "APPLICATION/JSON;q=0.1",
        "application/json; text/javascript",
        "text/html, application/json;q=0.2",
        "application/problem+json, application/json",
        "text/html;q=0.9, */*;q=0.1",
    ],
)
def test_whoever_takes_json_gets_json(api: Api, accept: str | None) -> None:
    headers = {} if accept is None else {"Accept": accept}

    answer = api.get("/v1/editions", **headers)

    assert (answer.status_code, answer.mimetype) == (200, "application/json")


@pytest.mark.parametrize(
    "accept",
    [
        "application/xml",
        "text/html",
        "application/json;q=0",
        "application/json;q=0, */*",
        "garbage",
        "image/png",
    ],
)
def test_what_cannot_be_told_as_asked_for_is_told_as_a_problem(
    api: Api, accept: str
) -> None:
    answer = api.get("/v1/editions", Accept=accept)

    assert is_problem(answer, 406, "not-acceptable")


def test_every_operation_is_asked_for_in_its_own_media_types(
    app: Flask, table: Table
) -> None:
    for each in below_v1(app):
        if any("content" in each.answers.get(status, {}) for status in ("200", "201")):
            answer = call(table, each, Accept="application/x-nothing")
            assert is_problem(answer, 406, "not-acceptable"), each.name
    for path, kind in (("view.svg", "image/svg+xml"), ("view.png", "image/png")):
        answer = table.api.get(f"{table.path}/{path}", Accept=kind)
        assert (answer.status_code, answer.mimetype) == (200, kind)


@pytest.mark.parametrize("kind", [None, "", "text/plain", "application/xml"])
def test_a_body_of_no_or_another_type_is_not_read(
    app: Flask, table: Table, kind: str | None
) -> None:
    for each in below_v1(app):
        if each.body is not None:
            headers = {} if kind is None else {"Content-Type": kind}
            answer = table.api.call(
                each.method,
                each.at(game=table.id),
                table.tokens[0],
                data=msgspec.json.encode(each.body),
                headers=headers,
            )
            assert is_problem(answer, 415, "media-type"), each.name


def test_a_body_that_is_too_large_is_told_so(app: Flask, table: Table) -> None:
    for each in below_v1(app):
        if each.body is not None:
            answer = table.api.call(
                each.method,
                each.at(game=table.id),
                table.tokens[0],
                data=b'{"x":"' + b"x" * 20000 + b'"}',
                content_type="application/json",
            )
            assert is_problem(answer, 413, "too-large"), each.name
