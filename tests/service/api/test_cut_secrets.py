"""What is shown once can be had again by whoever never got it, and by nobody later."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask

from service.api.http import access
from service.auth import tokens
from service.auth.tokens import TokenWish
from service.store import codes
from service.store import tokens as tokenstore
from service.values import entropy
from service.values.errors import Unauthorized
from service.values.principals import Bearer
from tests.rig.service import held
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import contract, let_pass
from tests.rig.service.seated import run

MINUTE = 1 / 60


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def is_good(post: Postbox, token: str) -> bool:
    return post.api.get("/v1/me", token).status_code == 200


def test_the_same_confirmation_gives_a_fresh_token_and_ends_the_first(
    post: Postbox,
) -> None:
    number, code = post.ask(), post.code()
    first = post.confirm(number, code).json

    again = post.confirm(number, code)

    assert again.status_code == 201
    assert again.json["token"] != first["token"]
    assert is_good(post, again.json["token"])
    assert not is_good(post, first["token"])


def test_after_a_minute_a_code_is_used(post: Postbox) -> None:
    number, code = post.ask(), post.code()
    post.confirm(number, code)
    let_pass(post.api, 0.9 * MINUTE)
    token = post.confirm(number, code).json["token"]
    let_pass(post.api, 0.2 * MINUTE)

    late = post.confirm(number, code)

    assert (late.status_code, late.json["code"]) == (409, "code-refused")
    assert is_good(post, token)


def test_it_takes_the_code_itself(post: Postbox) -> None:
    number, code = post.ask(), post.code()
    token = post.confirm(number, code).json["token"]

    wrong = post.confirm(number, "BBBB-BBBB")

    assert wrong.status_code == 409
    assert is_good(post, token)


def test_repeats_are_tries_and_end_with_them(post: Postbox) -> None:
    number, code = post.ask(), post.code()

    found = [post.confirm(number, code).status_code for _ in range(codes.TRIES + 1)]

    assert found == [201] * codes.TRIES + [409]


def test_whoever_has_signed_out_stays_out(post: Postbox) -> None:
    number, code = post.ask(), post.code()
    first = post.confirm(number, code).json
    path = f"/v1/me/tokens/{first['id']}"
    post.api.call("DELETE", path, first["token"])

    again = post.confirm(number, code)

    assert again.json["code"] == "code-refused"


def test_whoever_has_left_for_good_does_not_come_back_by_it(post: Postbox) -> None:
    number, code = post.ask(), post.code()
    post.api.call("DELETE", "/v1/me", post.confirm(number, code).json["token"])

    again = post.confirm(number, code)

    assert again.json["code"] == "code-refused"
    with post.api.app.app_context():
        assert run("SELECT FROM person WHERE address = :rita", {"rita": RITA}) == []


def test_of_confirmations_at_once_one_token_is_good(post: Postbox) -> None:
    number, code = post.ask(), post.code()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: post.confirm(number, code), range(4)))

    assert [each.status_code for each in answers] == [201] * 4
    assert [is_good(post, each.json["token"]) for each in answers].count(True) == 1
    with post.api.app.app_context():
        assert run("SELECT count(*) FROM token WHERE revoked_at IS NULL") == [(1,)]


def make(post: Postbox, token: str, key: str = "k") -> Any:
    answer = post.api.call(
        "POST",
        "/v1/me/tokens",
        token,
        json={"description": "bot", "scopes": ["profile"]},
        headers={"Idempotency-Key": key},
    )
    assert answer.status_code == 201
    return answer.json


def test_a_token_that_was_made_is_shown_anew_within_a_minute(post: Postbox) -> None:
    maker = post.sign_in()
    first = make(post, maker)

    again = make(post, maker)
    let_pass(post.api, 1.1 * MINUTE)
    late = make(post, maker)

    assert {**again, "token": None} == {**first, "token": None} == late
    assert not is_good(post, first["token"])
    assert is_good(post, again["token"])


def test_a_token_that_was_revoked_is_shown_no_more(post: Postbox) -> None:
    maker = post.sign_in()
    first = make(post, maker)
    post.api.call("DELETE", f"/v1/me/tokens/{first['id']}", maker)

    assert make(post, maker)["token"] is None


def test_no_token_is_shown_anew_to_one_that_ends_before_it(post: Postbox) -> None:
    maker = post.sign_in()
    number = post.ask()
    sooner = post.confirm(number, post.code(), expires_in=60).json["token"]
    first = make(post, maker)

    assert make(post, sooner)["token"] is None
    assert is_good(post, first["token"])


def secrets(schema: Any) -> Iterator[str]:
    """The names of what a schema says is shown only now."""
    for name, field in schema.get("properties", {}).items():
        if name == "token" or "only now" in field.get("description", ""):
            yield name


def test_whatever_shows_a_secret_can_be_asked_again(app: Flask) -> None:
    """By an Idempotency-Key; the confirmation by itself, as is shown above."""
    spec = contract(app)
    found = set()

    for item in spec["paths"].values():
        for method, operation in item.items():
            content = operation.get("responses", {}) if method != "parameters" else {}
            for answer in content.values():
                media = answer.get("content", {}).get("application/json", {})
                name = media.get("schema", {}).get("$ref", "").rpartition("/")[2]
                if list(secrets(spec["components"]["schemas"].get(name, {}))):
                    keys = [p["name"] for p in operation.get("parameters", ())]
                    found.add((operation["operationId"], "Idempotency-Key" in keys))

    assert found == {
        ("confirmSignIn", False),
        ("createToken", True),
        ("createPracticeGame", True),
    }


def child_of(post: Postbox, token: str) -> str:
    """A token that is made with another one."""
    wish = {"description": "a bot", "scopes": ["profile"]}
    answer = post.api.call("POST", "/v1/me/tokens", token, json=wish)
    assert answer.status_code == 201
    found: str = answer.json["token"]
    return found


def test_what_was_made_with_the_first_token_ends_with_it(post: Postbox) -> None:
    other = post.sign_in()
    others = child_of(post, other)
    number, code = post.ask(), post.code()
    first = post.confirm(number, code).json["token"]
    child = child_of(post, first)
    grandchild = child_of(post, child)

    again = post.confirm(number, code).json["token"]

    ended = [is_good(post, each) for each in (first, child, grandchild)]
    assert ended == [False, False, False]
    assert [is_good(post, each) for each in (again, other, others)] == [True] * 3


def test_what_was_made_with_a_token_ends_though_one_between_them_has(
    post: Postbox,
) -> None:
    number, code = post.ask(), post.code()
    first = post.confirm(number, code).json["token"]
    child = child_of(post, first)
    grandchild = child_of(post, child)
    with post.api.app.app_context():
        between = tokenstore.by_hash(entropy.digest(child)).id
    post.api.call("DELETE", f"/v1/me/tokens/{between}", first)
    assert [is_good(post, each) for each in (child, grandchild)] == [False, True]

    post.confirm(number, code)

    assert not is_good(post, grandchild)


def test_a_token_that_ends_meanwhile_makes_no_other(
    post: Postbox, outside: psycopg.Connection
) -> None:
    token = post.sign_in()
    wish = TokenWish("a bot", ("profile",), None, None, None)
    maker = Bearer(entropy.digest(token), access.PROFILE)

    def end() -> None:
        with post.api.app.app_context():
            run("UPDATE token SET revoked_at = kingup_now()")

    found = held.while_held(
        post.api.app,
        outside,
        "SELECT id FROM person FOR UPDATE",
        {},
        lambda: tokens.make_token(maker, wish),
        end,
    )

    assert isinstance(found, Unauthorized)
