"""Signing in: a code by mail, good for a while and once, and nothing told before."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.auth import bearer
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import let_pass, operator_token
from tests.rig.service.seated import run


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def me(post: Postbox, token: str) -> Any:
    return post.api.get("/v1/me", token).json


def test_whoever_reads_the_mailbox_gets_a_token_and_an_account(post: Postbox) -> None:
    sign_in = post.ask()
    answer = post.confirm(sign_in, post.code(), language="it", zone="Europe/Rome")

    assert answer.status_code == 201
    assert answer.json["scopes"] == list(bearer.SCOPES)
    assert answer.headers["Cache-Control"] == "no-store"
    account = me(post, answer.json["token"])
    assert (account["address"], account["name"]) == (RITA, "Player 1")
    assert (account["language"], account["zone"]) == ("it", "Europe/Rome")


def test_somebody_new_is_called_as_they_say(post: Postbox) -> None:
    token = post.sign_in(name="Rita")

    assert me(post, token)["name"] == "Rita"
    assert me(post, post.sign_in(name="Rosa"))["name"] == "Rita"


@pytest.mark.parametrize(
    ("said", "called"), [({"name": "Rita"}, "Rita"), ({}, "Player 1")]
)
def test_nobody_is_called_as_a_host_who_invited_them_says(
    post: Postbox, said: dict[str, str], called: str
) -> None:
    host = operator_token(post.api, "host@example.org")
    guest = {"kind": "person", "address": RITA, "name": "Silly Cow"}
    table = {"seats": [guest, {"kind": "bot"}]}
    post.api.call("POST", "/v1/games", host, json=table)

    token = post.sign_in(**said)

    assert me(post, token)["name"] == called


def test_who_is_known_keeps_name_and_language(post: Postbox) -> None:
    with post.api.app.app_context():
        bearer.issue_token(RITA, "Rita")

    token = post.sign_in(language="fr")

    assert me(post, token)["name"] == "Rita"
    assert me(post, post.sign_in())["language"] == "fr"


@pytest.mark.parametrize("spelt", [str.lower, lambda code: code.replace("-", " ")])
def test_a_code_is_read_as_people_type_it(
    post: Postbox, spelt: Callable[[str], str]
) -> None:
    sign_in = post.ask()

    answer = post.confirm(sign_in, spelt(post.code()))

    assert answer.status_code == 201


def test_a_code_is_good_once(post: Postbox) -> None:
    sign_in, code = post.ask(), post.code()
    post.confirm(sign_in, code)

    let_pass(post.api, 1.01 / 60)
    again = post.confirm(sign_in, code)

    assert (again.status_code, again.json["code"]) == (409, "code-refused")


def test_a_code_is_good_for_a_quarter_of_an_hour(post: Postbox) -> None:
    sign_in, code = post.ask(), post.code()
    let_pass(post.api, 0.26)

    assert post.confirm(sign_in, code).json["code"] == "code-refused"


def test_five_wrong_tries_end_a_code(post: Postbox) -> None:
    sign_in, code = post.ask(), post.code()
    for _ in range(5):
        assert post.confirm(sign_in, "BBBB-BBBB").status_code == 409

    assert post.confirm(sign_in, code).status_code == 409


def test_four_wrong_tries_do_not(post: Postbox) -> None:
    sign_in, code = post.ask(), post.code()
    for _ in range(4):
        post.confirm(sign_in, "BBBB-BBBB")

    assert post.confirm(sign_in, code).status_code == 201


def test_tries_at_the_same_time_are_counted_each(post: Postbox) -> None:
    sign_in, code = post.ask(), post.code()

    def confirm(typed: str) -> int:
        return post.confirm(sign_in, typed).status_code

    with ThreadPoolExecutor(8) as pool:
        wrong = list(pool.map(confirm, ["BBBB-BBBB"] * 16))

    assert wrong == [409] * 16
    assert confirm(code) == 409
    with post.api.app.app_context():
        assert run("SELECT tries FROM mailed_code", {}) == [(6,)]


def test_a_code_is_good_for_its_own_sign_in_alone(post: Postbox) -> None:
    mine, code = post.ask("terry@example.org"), ""
    post.ask()
    code = post.code()

    assert post.confirm(mine, code).status_code == 409


def test_the_mail_says_what_the_code_is_and_that_nothing_has_to_be_done(
    post: Postbox,
) -> None:
    post.ask()

    (letter,) = post.letters()

    assert letter.to == RITA
    assert letter.subject == "Your code for King Up!"
    assert f"\r\n\r\n{post.code()}\r\n\r\n" in letter.text
    assert post.code() in letter.html
    assert "we don't know who" in letter.text
    assert letter.urls == ()


def test_only_the_hash_of_a_code_is_kept_once_its_mail_is_sent(post: Postbox) -> None:
    post.ask()
    code = post.code().encode()

    with post.api.app.app_context():
        rows = run("SELECT code_hash FROM mailed_code", {})
        (body,) = run("SELECT body FROM mailed_code", {})[0]

    assert body is None
    assert len(rows[0][0]) == 32
    assert code not in bytes(rows[0][0])


def test_a_code_that_is_over_is_not_mailed(post: Postbox) -> None:
    post.ask()
    let_pass(post.api, 0.3)

    assert post.letters() == []
    with post.api.app.app_context():
        assert run("SELECT state FROM mailed_code", {}) == [("superseded",)]


@pytest.mark.parametrize("body", [{}, {"address": "nobody"}, {"address": 7}])
def test_what_is_no_address_is_refused(post: Postbox, body: object) -> None:
    answer = post.api.call("POST", "/v1/sign-in", json=body)

    assert (answer.status_code, answer.json["field"]) == (422, "address")


def test_a_letter_of_another_alphabet_is_none_of_a_code(post: Postbox) -> None:
    sign_in, code = post.ask(), post.code()

    answer = post.confirm(sign_in, f"\u017f{code.lower()}\u00df")

    assert answer.status_code == 201
