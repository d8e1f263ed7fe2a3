"""All that isn't understood of a request is told at once, and where it stands."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import pytest
from werkzeug.test import TestResponse

from tests.rig.service.programs import Api, Table, operator_token

LONG = "Rachel " * 5
"""A name of 34 characters, one too many white spaces trimmed."""


def flaws(answer: TestResponse) -> Sequence[tuple[str, str]]:
    """Where each flaw is, and why."""
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    places = ("pointer", "parameter", "header")
    return [
        (next(each[place] for place in places if place in each), each["reason"])
        for each in answer.json["errors"]
    ]


def lay(api: Api, wish: object, **headers: str) -> TestResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    token = operator_token(api)
    return api.call("POST", "/v1/games", token, json=wish, headers=named)


def at(body: Any, pointer: str) -> Any:
    """What a pointer in a fragment leads to (RFC 6901)."""
    assert pointer[0] == "#"
    for part in pointer[1:].split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        body = body[int(key)] if isinstance(body, list) else body[key]
    return body


WRONG: Mapping[str, Any] = {
    "seats": [
        {"kind": "person", "address": "simon", "name": LONG},
        {"kind": "person", "address": "terry@example.org", "name": "http://x.example"},
        {"kind": "robot"},
        {"kind": "bot", "bot": "clever"},
    ],
    "rounds": "three",
    "first": 12,
    "word": "a" * 65,
    "a/b~c d": 1,
}


def test_all_flaws_of_a_body_are_told_at_once(api: Api) -> None:
    answer = lay(api, WRONG)

    assert set(flaws(answer)) == {
        ("#/seats/0/address", "bad-address"),
        ("#/seats/0/name", "too-long"),
        ("#/seats/1/name", "link"),
        ("#/seats/2/kind", "unknown-kind"),
        ("#/seats/3/bot", "one-of"),
        ("#/rounds", "no-integer"),
        ("#/first", "range"),
        ("#/word", "too-long"),
        ("#/a~1b~0c%20d", "unknown"),
    }


def test_a_pointer_leads_to_what_was_sent(api: Api) -> None:
    answer = lay(api, WRONG)

    found = {where: at(WRONG, where) for where, _ in flaws(answer)}
    assert found["#/seats/0/address"] == "simon"
    assert found["#/a~1b~0c%20d"] == 1


def test_the_first_flaw_stands_where_older_clients_look(api: Api) -> None:
    answer = lay(api, {"seats": [{"kind": "person", "address": "x"}], "rounds": 0})

    first = answer.json["errors"][0]
    assert answer.json["field"] == first["pointer"][2:].replace("/", ".")
    assert (answer.json["reason"], answer.json["detail"]) == (
        first["reason"],
        first["detail"],
    )


def test_flaws_of_json_itself_are_told_with_those_of_its_fields(api: Api) -> None:
    twice = b'"seats":[{"kind":"bot"}],"seats":1'
    raw = b'{%s,"rounds":NaN,"first":"x","word":"\\u0000"}' % twice

    answer = api.call(
        "POST",
        "/v1/games",
        operator_token(api),
        data=raw,
        content_type="application/json",
    )

    assert set(flaws(answer)) == {
        ("#/seats", "duplicate"),
        ("#/rounds", "number"),
        ("#/first", "no-integer"),
        ("#/word", "not-text"),
    }


@pytest.mark.parametrize(
    "wish", [{f"x{n}": n for n in range(900)}, {"x" * 13_000: 1, "é" * 400: 1}]
)
def test_what_is_told_is_not_many_times_what_was_sent(api: Api, wish: object) -> None:
    answer = lay(api, wish)

    assert 1 < len(answer.json["errors"]) <= 20
    assert len(answer.data) < 2000 + len(json.dumps(wish))


def test_a_body_where_nothing_is_asked_for_is_told_whole(api: Api) -> None:
    table = Table(api)

    answer = api.call("DELETE", table.path, table.tokens[0], json={"x": 1, "y": 2})

    assert flaws(answer) == [("#/x", "unknown"), ("#/y", "unknown")]


@pytest.mark.parametrize("body", [[], "x", 1, None])
def test_what_is_wrong_as_a_whole_is_at_the_root(api: Api, body: object) -> None:
    raw = json.dumps(body)
    answer = api.call("POST", "/v1/sign-in", data=raw, content_type="application/json")

    ((where, _),) = flaws(answer)

    assert where == "#"


def test_all_flaws_of_a_query_are_told_at_once(api: Api) -> None:
    unknown = api.get("/v1/games?colour=red&limit=3&limit=4&size=1")
    wrong = api.get("/v1/games?limit=many&status=gone&mine=perhaps")

    assert set(flaws(unknown)) == {
        ("colour", "unknown-parameter"),
        ("size", "unknown-parameter"),
        ("limit", "duplicate"),
    }
    assert set(flaws(wrong)) == {
        ("limit", "no-integer"),
        ("status", "one-of"),
        ("mine", "no-boolean"),
    }
    assert "parameter" in wrong.json


def test_a_mark_of_a_list_that_is_none_says_so(api: Api) -> None:
    answer = api.get("/v1/games?cursor=x")

    assert flaws(answer) == [("cursor", "cursor")]
    assert "Link" in answer.json["detail"]


def test_a_header_is_called_one(api: Api) -> None:
    key = lay(api, {"seats": [{"kind": "bot"}]}, Idempotency_Key="é")
    tag = Table(api)
    written = api.call(
        "DELETE", tag.path, tag.tokens[0], headers={"If-Match": "no tag"}
    )

    assert flaws(key) == [("Idempotency-Key", "idempotency-key")]
    assert flaws(written) == [("If-Match", "entity-tags")]
    assert key.json["field"] == key.json["header"] == "Idempotency-Key"


def test_a_key_that_was_used_says_which_header(api: Api) -> None:
    headers = {"Idempotency_Key": "k"}
    lay(api, {"seats": [{"kind": "bot"}, {"kind": "bot"}]}, **headers)

    other = lay(api, {"seats": [{"kind": "bot"}] * 3}, **headers)

    assert other.json["code"] == "idempotency-key-reused"
    assert other.json["errors"][0]["header"] == "Idempotency-Key"


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_each_flaw_is_told_in_the_readers_language(api: Api, language: str) -> None:
    answer = lay(api, WRONG, Accept_Language=language)

    details = {each["pointer"]: each["detail"] for each in answer.json["errors"]}
    assert len(set(details.values())) == len(details)
    assert ("must have 32" in details["#/seats/0/name"]) is (language == "en")
    assert "32" in details["#/seats/0/name"]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/v1/practice-games", "name"),
        ("/v1/me/tokens", "description"),
        ("/v1/sign-in/confirmation", "description"),
        ("/v1/sign-in/confirmation", "name"),
    ],
)
@pytest.mark.parametrize("name", ["x" * 33, "x" * 300])
def test_a_name_that_is_too_long_is_told_the_most(
    api: Api, path: str, field: str, name: str
) -> None:
    answer = api.call("POST", path, operator_token(api), json={field: name})

    (flaw,) = (
        each for each in answer.json["errors"] if each["pointer"] == f"#/{field}"
    )
    assert (flaw["reason"], flaw["max"]) == ("too-long", 32)
    assert "32" in flaw["detail"]


def test_what_no_kind_has_is_told_where_the_kind_is_missing(api: Api) -> None:
    """Somebody sends a whole `legal` item instead of its `answer`."""
    table = Table(api)
    legal = table.view(table.asked).json["legal"][0]
    number = table.decision

    answer = api.call(
        "PUT",
        f"{table.path}/decisions/{number}/answer",
        table.tokens[table.asked],
        json=legal,
    )

    assert ("#/kind", "missing") in flaws(answer)
    assert ("#/answer", "unknown") in flaws(answer)
