"""A key is the same in quotes and without; a request the same however it is spelt."""

import hashlib
import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.rig.service.programs import Api, operator_token
from tests.rig.service.seated import run

SEATS = '"seats":[{"kind":"bot"},{"kind":"bot"}]'
PLAIN = f'{{{SEATS},"rounds":1}}'


@pytest.fixture
def host(api: Api) -> str:
    return operator_token(api)


def post(api: Api, token: str | None, key: str, body: str = PLAIN) -> TestResponse:
    return api.call(
        "POST",
        "/v1/games" if token else "/v1/practice-games",
        token,
        data=body,
        content_type="application/json",
        headers={"Idempotency-Key": key},
    )


def is_repeated(first: TestResponse, again: TestResponse) -> bool:
    assert (first.status_code, again.status_code) == (201, 201), again.text
    replayed = again.headers.get("Idempotent-Replayed") == "true"
    assert replayed is (first.headers["Location"] == again.headers["Location"])
    return replayed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("friday", '"friday"'),
        ('"friday"', "friday"),
        ('a"b\\c', '"a\\"b\\\\c"'),
        ("k" * 128, f'"{"k" * 128}"'),
    ],
)
def test_a_key_in_quotes_is_the_one_without(
    api: Api, host: str, one: str, other: str
) -> None:
    assert is_repeated(post(api, host, one), post(api, host, other))


def test_without_a_token_a_key_in_quotes_is_the_one_without(api: Api) -> None:
    key = "a-key-nobody-guesses"

    first, again = (post(api, None, each, "{}") for each in (key, f'"{key}"'))

    assert is_repeated(first, again)


@pytest.mark.parametrize("key", ['""', f'"{"k" * 129}"', '"schlüssel"'])
def test_quotes_around_what_is_no_key_make_none(api: Api, host: str, key: str) -> None:
    answer = post(api, host, key)

    assert (answer.status_code, answer.json["header"]) == (422, "Idempotency-Key")


@pytest.mark.parametrize(
    "body",
    [
        f'{{"rounds":1,{SEATS}}}',
        f'\n {{ "rounds" : 1 ,\t{SEATS} }} ',
        '{"rounds":1,"\\u0073eats":[{"kind":"bot"},{"kind":"\\u0062ot"}]}',
    ],
)
def test_order_and_white_space_make_no_other_request(
    api: Api, host: str, body: str
) -> None:
    assert is_repeated(post(api, host, "k"), post(api, host, "k", body))


@pytest.mark.parametrize(
    "body",
    [
        f'{{{SEATS},"rounds":2}}',
        f'{{{SEATS},"rounds":1.0}}',
        f'{{{SEATS},"rounds":"1"}}',
        f"{{{SEATS}}}",
        '{"seats":[{"kind":"bot"},{"kind":"bot"},{"kind":"bot"}],"rounds":1}',
        f'{{{SEATS},"rounds":1,"rounds":1}}',
        "[]",
        "",
    ],
)
def test_what_says_something_else_is_another_request(
    api: Api, host: str, body: str
) -> None:
    post(api, host, "k")

    other = post(api, host, "k", body)

    assert (other.status_code, other.json["code"]) == (422, "idempotency-key-reused")


def test_no_body_is_an_empty_one(api: Api) -> None:
    key = "a-key-nobody-guesses"
    first = post(api, None, key, "{}")

    again = api.call(
        "POST", "/v1/practice-games", headers={"Idempotency-Key": f'"{key}"'}
    )

    assert is_repeated(first, again)


def as_the_last_version(api: Api, raw: str, **values: Any) -> None:
    """Keep the one answer there is as it was kept before bodies were read as JSON."""
    fingerprint = hashlib.sha256(b"POST /v1/games\n" + raw.encode()).digest()
    with api.app.app_context():
        run(
            "UPDATE kept_answer SET fingerprint = :fingerprint, key = :key",
            {"fingerprint": fingerprint, **values},
        )


SPACED = f'{{ {SEATS} ,\n"rounds": 1}}'


@pytest.mark.parametrize("kept", ["friday", '"friday"'])
@pytest.mark.parametrize("sent", ["friday", '"friday"'])
def test_answers_kept_by_the_last_version_are_found(
    api: Api, host: str, kept: str, sent: str
) -> None:
    first = post(api, host, "friday", SPACED)
    as_the_last_version(api, SPACED, key=kept)

    again = post(api, host, sent, SPACED)

    assert is_repeated(first, again)


@pytest.mark.parametrize(
    ("path", "then", "now"),
    [
        ("/v1/games", ("id", "record"), ("game", "revision")),
        ("/v1/practice-games", ("view",), ("view_url",)),
    ],
)
def test_answers_kept_by_the_last_version_come_in_the_words_of_this_one(
    api: Api, host: str, path: str, then: tuple[str, ...], now: tuple[str, ...]
) -> None:
    body = {} if "practice" in path else json.loads(f"{{{SEATS}}}")
    headers = {"Idempotency-Key": "a-key-nobody-guesses"}
    first = api.call("POST", path, host, json=body, headers=headers)
    with api.app.app_context():
        [(kept,)] = run("SELECT body FROM kept_answer")
        for old, new in zip(then, now, strict=True):
            kept = kept.replace(f'"{new}":'.encode(), f'"{old}":'.encode(), 1)
        run("UPDATE kept_answer SET body = :body", {"body": kept})

    again = api.call("POST", path, host, json=body, headers=headers)

    assert again.headers["Idempotent-Replayed"] == "true"
    assert set(again.json) == set(first.json)
    assert all(again.json[name] == first.json[name] for name in now)


def test_another_request_with_a_key_of_the_last_version_is_refused(
    api: Api, host: str
) -> None:
    post(api, host, "friday", SPACED)
    as_the_last_version(api, SPACED, key='"friday"')

    other = post(api, host, '"friday"', f"{{{SEATS}}}")

    assert other.json["code"] == "idempotency-key-reused"
