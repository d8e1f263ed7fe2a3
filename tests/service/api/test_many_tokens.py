"""Whoever has as many tokens as there may be signs in all the same."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask

from service.auth import last_use
from service.store import tokens
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import let_pass, operator_token
from tests.rig.service.seated import run

GOOD = """SELECT count(*) FROM token WHERE revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > kingup_now())"""
ADD = """INSERT INTO token (id, token_hash, person_id, name, scopes, created_at)
    SELECT gen_random_uuid(), sha256(n::text::bytea), (SELECT id FROM person),
        'bot ' || n, '{}', kingup_now() - n * interval '1 minute'
    FROM generate_series(1, :number) n"""


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def add(post: Postbox, number: int) -> None:
    """Give the one person tokens; `bot 1` is the latest of them."""
    with post.api.app.app_context():
        run(ADD, {"number": number})


def good(post: Postbox) -> int:
    with post.api.app.app_context():
        return int(run(GOOD)[0][0])


def revoked(post: Postbox) -> list[str]:
    with post.api.app.app_context():
        found = run("SELECT name FROM token WHERE revoked_at IS NOT NULL ORDER BY name")
        return [row[0] for row in found]


def test_signing_in_revokes_the_token_that_was_used_longest_ago(post: Postbox) -> None:
    operator_token(post.api, RITA)
    add(post, tokens.MOST - 1)

    token = post.sign_in()

    assert post.api.get("/v1/me", token).status_code == 200
    assert (good(post), revoked(post)) == (tokens.MOST, ["bot 99"])


def test_an_old_token_that_was_just_used_is_kept(post: Postbox) -> None:
    old = operator_token(post.api, RITA)
    let_pass(post.api, 3)
    add(post, tokens.MOST - 1)
    post.api.get("/v1/me", old)
    with post.api.app.app_context():
        last_use.current().keep()

    post.sign_in()

    assert revoked(post) == ["bot 99"]
    assert post.api.get("/v1/me", old).status_code == 200


def test_signing_in_revokes_nothing_while_there_is_room(post: Postbox) -> None:
    operator_token(post.api, RITA)
    add(post, tokens.MOST - 2)

    post.sign_in()

    assert (good(post), revoked(post)) == (tokens.MOST, [])


def test_tokens_that_are_over_take_no_room(post: Postbox) -> None:
    operator_token(post.api, RITA)
    add(post, tokens.MOST + 20)
    with post.api.app.app_context():
        run("UPDATE token SET expires_at = kingup_now()")

    post.sign_in()

    assert (good(post), revoked(post)) == (1, [])


def test_all_who_sign_in_at_once_are_counted_each(post: Postbox) -> None:
    operator_token(post.api, RITA)
    add(post, tokens.MOST - 2)
    codes = [(post.ask(), post.code()) for _ in range(4)]

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda sent: post.confirm(*sent), codes))

    assert [answer.status_code for answer in answers] == [201] * 4
    assert good(post) == tokens.MOST
    fresh = [answer.json["token"] for answer in answers]
    assert [post.api.get("/v1/me", each).status_code for each in fresh] == [200] * 4


def test_one_too_many_is_revoked_for_its_owner_alone(post: Postbox) -> None:
    operator_token(post.api, RITA)
    add(post, tokens.MOST - 1)
    other = operator_token(post.api, "rosa@example.org")

    post.sign_in()

    assert post.api.get("/v1/me", other).status_code == 200
