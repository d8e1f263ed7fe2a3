"""Hostile input: always a problem document that names the field, never a 5xx."""

import io
import json
import random

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.rig.service import seated
from tests.rig.service.programs import Api, Table

DEEP = "[" * 20 + "]" * 20

BODIES = {
    "nothing": (b"", 422, "body"),
    "half": (b'{"kind"', 422, "body"),
    "two": (b"{}{}", 422, "body"),
    "list": (b"[]", 422, "body"),
    "null": (b"null", 422, "body"),
    "text": (b'"move"', 422, "body"),
    "number": (b"1", 422, "body"),
    "no kind": (b"{}", 422, "kind"),
    "odd kind": (b'{"kind":"sit"}', 422, "kind"),
    "kind a list": (b'{"kind":["move"]}', 422, "kind"),
    "no character": (b'{"kind":"move"}', 422, "character"),
    "character null": (b'{"kind":"move","character":null}', 422, "character"),
    "character a number": (b'{"kind":"move","character":1}', 422, "character"),
    "character an object": (b'{"kind":"move","character":{}}', 422, "character"),
    "character empty": (b'{"kind":"move","character":""}', 422, "character"),
    "character long": (
        b'{"kind":"move","character":"' + b"A" * 9000 + b'"}',
        422,
        "character",
    ),
    "card odd": (b'{"kind":"election","card":"maybe"}', 422, "card"),
    "unknown field": (b'{"kind":"move","character":"O","x":1}', 422, "x"),
    "card in a move": (b'{"kind":"move","character":"O","card":"no"}', 422, "card"),
    "duplicate": (b'{"kind":"move","character":"O","character":"A"}', 422, "character"),
    "NaN": (b'{"kind":"move","character":NaN}', 422, "character"),
    "infinity": (b'{"kind":"move","character":-Infinity}', 422, "character"),
    "1e400": (b'{"kind":"move","character":1e400}', 422, "character"),
    "huge integer": (
        b'{"kind":"move","character":' + b"9" * 5000 + b"}",
        422,
        "character",
    ),
    "zero byte": (b'{"kind":"move","character":"\\u0000"}', 422, "character"),
    "raw zero byte": (b'{"kind":"move","character":"\x00"}', 422, "body"),
    "lone surrogate": (b'{"kind":"move","character":"\\ud800"}', 422, "character"),
    "surrogate in a key": (b'{"kind":"move","\\udfff":1}', 422, None),
    "raw surrogate": (b'{"kind":"move","character":"\xed\xa0\x80"}', 422, "body"),
    "bad UTF-8": (b'{"kind":"move","character":"\xff"}', 422, "body"),
    "UTF-16": ('{"kind":"move"}'.encode("utf-16"), 422, "body"),
    "mark": (b'\xef\xbb\xbf{"kind":"move","character":"O"}', 422, "body"),
    "deep": (f'{{"kind":{DEEP}}}'.encode(), 422, "body"),
    "deeper": (b"[" * 8000, 422, "body"),
    "too large": (b" " * 16385, 413, None),
}


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api)


def put(table: Table, raw: bytes, **headers: str) -> TestResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return table.api.call(
        "PUT",
        f"{table.path}/decisions/1/answer",
        table.tokens[table.asked],
        data=raw,
        headers={"Content-Type": "application/json"} | named,
    )


def test_a_hostile_body_is_a_problem_that_names_its_field(
    app: Flask, table: Table
) -> None:
    rows = seated.everything(app)

    for name, (raw, status, field) in BODIES.items():
        answer = put(table, raw)
        assert answer.status_code == status, name
        if field is not None:
            assert answer.json["field"] == field, name
    assert seated.everything(app) == rows


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("NaN", "number"),
        ("infinity", "number"),
        ("1e400", "number"),
        ("huge integer", "number"),
        ("duplicate", "duplicate"),
        ("zero byte", "not-text"),
        ("lone surrogate", "not-text"),
        ("surrogate in a key", "not-text"),
        ("deep", "too-deep"),
        ("bad UTF-8", "not-json"),
        ("unknown field", "unknown"),
        ("no character", "missing"),
    ],
)
def test_what_is_wrong_with_a_body_is_told_by_its_reason(
    table: Table, name: str, reason: str
) -> None:
    assert put(table, BODIES[name][0]).json["reason"] == reason


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "",
        "application/json; charset=latin-1",
        "multipart/form-data",
    ],
)
def test_another_content_type_is_not_read(table: Table, kind: str) -> None:
    answer = put(table, b'{"kind":"move","character":"O"}', Content_Type=kind)

    assert (answer.status_code, answer.json["code"]) == (415, "media-type")


def test_a_body_is_read_up_to_its_limit(table: Table) -> None:
    raw = json.dumps(table.first_legal(table.asked)).encode()

    assert put(table, raw + b" " * (16384 - len(raw))).status_code == 200


def test_a_body_of_unknown_length_is_not_read_past_the_limit(table: Table) -> None:
    raw = json.dumps(table.first_legal(table.asked)).encode()
    for length, status in ((20000, 413), (16384, 413), (16383, 200)):
        answer = table.api.call(
            "PUT",
            f"{table.path}/decisions/1/answer",
            table.tokens[table.asked],
            input_stream=io.BytesIO(raw + b" " * (length - len(raw))),
            content_type="application/json",
            headers={"Transfer-Encoding": "chunked"},
            environ_overrides={"wsgi.input_terminated": True},
        )

        assert answer.status_code == status


def test_a_value_that_is_not_understood_comes_with_what_would_be(table: Table) -> None:
    answer = put(table, b'{"kind":"election","card":"maybe"}')

    assert answer.json["reason"] == "one-of"
    assert answer.json["choices"] == ["yes", "no", "stomachache"]
    assert "yes, no, stomachache" in answer.json["detail"]


@pytest.mark.parametrize(
    ("raw", "reason", "sentence"),
    [
        (b"", "empty", "empty"),
        (b'{\n "kind": move}', "not-json", "line 2, column 10"),
        (b"[]", "no-object", "object"),
        (b'{"kind":"sit"}', "unknown-kind", "placement, move, election"),
        (b'{"kind":"move","character":null}', "null", "null"),
        (b'{"kind":"move","character":3}', "no-string", "string"),
        (b'{"kind":"move","character":""}', "length", "1 to 16"),
    ],
)
def test_a_flaw_has_a_reason_and_a_sentence(
    table: Table, raw: bytes, reason: str, sentence: str
) -> None:
    answer = put(table, raw)

    assert (answer.status_code, answer.json["reason"]) == (422, reason)
    assert sentence in answer.json["detail"]
    assert "hint" not in answer.json


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer"])
def test_the_scheme_of_a_token_is_read_in_any_case(table: Table, scheme: str) -> None:
    headers = {"Authorization": f"{scheme} {table.tokens[0]}"}

    answer = table.api.call("GET", "/v1/me", headers=headers)

    assert answer.status_code == 200


@pytest.mark.parametrize("scheme", ["", "Basic "])
def test_a_token_without_its_scheme_is_told_how(table: Table, scheme: str) -> None:
    headers = {"Authorization": f"{scheme}{table.tokens[0]}"}

    answer = table.api.call("GET", "/v1/me", headers=headers)

    assert (answer.status_code, answer.json["reason"]) == (401, "not-bearer")
    assert "Authorization: Bearer kup_…" in answer.json["detail"]


def test_an_unknown_parameter_is_called_one(table: Table) -> None:
    answer = table.api.get(f"{table.path}/view?oops=1")

    assert answer.json["reason"] == "unknown-parameter"
    assert answer.json["detail"] == "There is no parameter “oops”."


def test_nesting_is_counted_outside_of_strings_alone(table: Table) -> None:
    raw = json.dumps({"kind": "move", "character": "[" * 10 + '\\"{' * 2}).encode()

    problem = put(table, raw).get_json()

    assert problem["code"] in ("wrong-kind", "invalid")
    assert problem.get("reason") != "too-deep"


def test_random_bytes_never_break_the_service(app: Flask, table: Table) -> None:
    rows = seated.everything(app)
    chance = random.Random(11)
    alphabet = b'{}[]":,0123456789eE+-.truefalsn \\u\xed\xa0\x80kindmove'

    for _ in range(300):
        raw = bytes(chance.choices(alphabet, k=chance.randrange(60)))
        assert 400 <= put(table, raw).status_code < 500, raw

    assert seated.everything(app) == rows


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v1/games/",
        "/v1/games/x",
        "/v1/games/%00",
        "/v1/games/../games",
        "/v1//games",
        "/v1/games//view",
        "/v1/games/00000000-0000-0000-0000-00000000000g/view",
        "/v1/editions/jestér",
        "/v1/editions/a%2Fb",
        "/v1/editions/classic/",
        "/v1/healthz",
    ],
)
def test_an_address_that_is_none_is_not_found_and_leads_nowhere(
    api: Api, path: str
) -> None:
    for method in ("GET", "POST", "PUT"):
        answer = api.call(method, path)
        assert answer.status_code in (404, 405)
        assert "Location" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "a@b", "[::1", ""])
def test_no_answer_repeats_the_host_header(api: Api, host: str) -> None:
    table = Table(api)
    headers = {"Host": host}

    answers = [
        api.call("GET", f"{table.path}/events?limit=1", headers=headers),
        api.call("POST", "/v1/practice-games", json={}, headers=headers),
        api.call("GET", "/v1//games", headers=headers),
    ]

    for answer in answers:
        assert "evil" not in answer.text + str(answer.headers)


def test_what_is_not_allowed_says_what_is(table: Table) -> None:
    answer = table.api.call("POST", f"{table.path}/view", json={})

    assert (answer.status_code, answer.json["code"]) == (405, "method-not-allowed")
    assert "GET" in answer.headers["Allow"]
    assert "POST" not in answer.headers["Allow"]


def test_a_cookie_is_no_proof(table: Table) -> None:
    table.api.client.set_cookie("seat", table.tokens[0])

    assert table.view().json["own"] is None
