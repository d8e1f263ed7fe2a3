"""How many codes an address is mailed: nobody fills it, and nobody keeps others out."""

from pathlib import Path

import pytest
from flask import Flask

from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import let_pass, operator_token
from tests.rig.service.seated import run


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def ask(post: Postbox, origin: str, times: int = 1, address: str = RITA) -> int:
    """Ask for codes from somewhere; how many mails the address has had by then."""
    for _ in range(times):
        answer = post.api.call(
            "POST",
            "/v1/sign-in",
            json={"address": address},
            environ_base={"REMOTE_ADDR": origin},
        )
        assert answer.status_code == 202
    return len(post.letters(address))


def test_a_network_has_an_address_mailed_no_more_than_a_few_codes(
    post: Postbox,
) -> None:
    for _ in range(6):
        post.ask()
        post.ask("RITA@EXAMPLE.ORG")
    in_an_hour = len(post.letters())
    for _ in range(8):
        let_pass(post.api, 1.1)
        post.ask()
        post.letters()

    assert (in_an_hour, len(post.letters())) == (4, 10)


def test_whoever_asks_too_often_keeps_nobody_else_out(post: Postbox) -> None:
    before = ask(post, "203.0.113.7", 6)

    assert (before, ask(post, "198.51.100.1")) == (4, 5)
    assert post.sign_in("rosa@example.org")


def test_neighbours_with_ipv6_are_one_network(post: Postbox) -> None:
    before = ask(post, "2001:db8:1:2::1", 4)

    assert ask(post, "2001:db8:1:2:ffff::9") == before == 4
    assert ask(post, "2001:db8:1:3::1") == 5


def test_all_networks_together_mail_an_address_twelve_in_an_hour(
    post: Postbox,
) -> None:
    mailed = [ask(post, f"203.0.113.{number}", 4) for number in range(8)]

    assert mailed == [4, 8, 9, 10, 11, 12, 12, 12]


def test_all_networks_together_mail_an_address_thirty_in_a_day(post: Postbox) -> None:
    mailed = []
    for hour in range(4):
        for number in range(6):
            # Of all after the second there is one left.
            ask(post, f"203.0.113.{10 * hour + number}", 4 if number < 2 else 1)
        mailed.append(len(post.letters(RITA)))
        let_pass(post.api, 1.1)
    let_pass(post.api, 22)

    assert mailed == [12, 24, 30, 30]
    assert ask(post, "203.0.113.1") == 31


def test_changes_of_address_count_like_sign_ins(post: Postbox) -> None:
    tokens = [operator_token(post.api, f"{name}@example.org") for name in ("a", "b")]

    for token in tokens * 4:
        post.api.call("PATCH", "/v1/me", token, json={"address": RITA})
        post.letters()

    assert len(post.letters(RITA)) == 4
    assert ask(post, "203.0.113.7") == 5


def test_a_code_tells_nobody_where_it_was_asked_for(post: Postbox) -> None:
    ask(post, "203.0.113.7", 2)
    ask(post, "203.0.113.7", 1, "rosa@example.org")
    ask(post, "203.0.113.8")

    with post.api.app.app_context():
        marks = [row[0] for row in run("SELECT network FROM mailed_code")]
        rows = run("SELECT c::text FROM mailed_code c")
    assert len(set(marks)) == 3
    assert all(len(mark) == 16 for mark in marks)
    assert not any("203.0.113" in text for (text,) in rows)


def test_where_a_code_was_asked_for_is_forgotten_with_the_account(
    post: Postbox,
) -> None:
    token = operator_token(post.api, RITA)
    ask(post, "203.0.113.7", 2)

    post.api.call("DELETE", "/v1/me", token)

    with post.api.app.app_context():
        assert run("SELECT count(*) FROM mailed_code") == [(0,)]
