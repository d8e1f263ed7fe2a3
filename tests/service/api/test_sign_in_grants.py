"""A code is good for what its mail says, in words of ours; never for more."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.auth import bearer
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import Table, unknown_game
from tests.rig.service.seated import run

YEAR = 365 * 24 * 3600


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def ask(post: Postbox, **wish: Any) -> str:
    body = {"address": RITA, **wish}
    asked = post.api.call("POST", "/v1/sign-in", json=body)
    assert asked.status_code == 202, asked.text
    number: str = asked.json["sign_in"]
    return number


def text_of(post: Postbox) -> str:
    return post.letters(RITA)[-1].text


def lasts(token: dict[str, Any]) -> int:
    """How many seconds a new token is good."""
    ends, made = (
        datetime.fromisoformat(token[name]) for name in ("expires_at", "created_at")
    )
    return round((ends - made) / timedelta(seconds=1))


def test_a_code_of_which_nothing_was_said_is_good_for_everything_for_a_year(
    post: Postbox,
) -> None:
    number = ask(post)
    text = text_of(post)

    token = post.confirm(number, post.code()).json

    assert "may do all that you may, for 1 year." in text
    assert token["scopes"] == list(bearer.SCOPES)
    assert (token["game"], lasts(token)) == (None, YEAR)


def test_what_was_asked_for_is_in_the_mail_and_is_what_one_gets(post: Postbox) -> None:
    wish = {"scopes": ["games:play", "games:read"], "expires_in": 2_592_000}
    number = ask(post, **wish)
    text = text_of(post)

    token = post.confirm(number, post.code()).json

    assert "for 30 days:" in text
    assert "- see your games" in text
    assert "- answer for you" in text
    assert "host games" not in text
    assert token["scopes"] == ["games:read", "games:play"]
    assert lasts(token) == 2_592_000


def seat(post: Postbox) -> Table:
    """A game in which Rita sits."""
    table = Table(post.api)
    with post.api.app.app_context():
        bearer.issue_token(RITA)
        run(
            "UPDATE seat SET person_id = (SELECT id FROM person WHERE address = :rita)"
            " WHERE game_id = :game AND number = 1",
            {"rita": RITA, "game": table.id},
        )
    return table


def test_a_token_for_one_game_is_good_there_alone(post: Postbox) -> None:
    table = seat(post)
    number = ask(post, game=str(table.id))
    text = text_of(post)

    token = post.confirm(number, post.code()).json

    assert "in one game alone" in text
    assert str(table.id) not in text
    assert token["game"] == str(table.id)
    assert post.api.get("/v1/me", token["token"]).status_code == 403


@pytest.mark.parametrize(
    "less",
    [{"scopes": ["games:read"]}, {"expires_in": 60}, {"game": True}],
    ids=["scopes", "end", "game"],
)
def test_a_confirmation_may_take_less(post: Postbox, less: dict[str, Any]) -> None:
    if "game" in less:
        less = {"game": str(seat(post).id)}
    number = ask(post, scopes=["games:read", "games:play"], expires_in=3600)

    token = post.confirm(number, post.code(), **less).json

    assert lasts(token) == less.get("expires_in", 3600)
    assert token["scopes"] == less.get("scopes", ["games:read", "games:play"])
    assert token["game"] == less.get("game")


@pytest.mark.parametrize(
    "more",
    [
        {"scopes": ["games:read", "profile"]},
        {"expires_in": 3601},
        {"game": str(unknown_game())},
    ],
    ids=["scopes", "end", "game"],
)
def test_a_confirmation_never_takes_more(post: Postbox, more: dict[str, Any]) -> None:
    table = seat(post)
    wish = {"scopes": ["games:read"], "expires_in": 3600, "game": str(table.id)}
    number, code = ask(post, **wish), post.code()

    refused = post.confirm(number, code, **more)
    wrong = post.confirm(number, "BBBB-BBBB", **more)
    taken = post.confirm(number, code)

    assert (refused.status_code, refused.json["code"]) == (409, "more-than-mailed")
    assert refused.json["field"] in more
    assert wrong.json["code"] == "code-refused"
    assert taken.status_code == 201


def test_a_game_without_a_seat_is_none_and_leaves_the_code_good(post: Postbox) -> None:
    table = Table(post.api)
    number, code = ask(post), post.code()

    for game in (table.id, unknown_game()):
        answer = post.confirm(number, code, game=str(game))
        assert (answer.status_code, answer.json["what"]) == (404, "game")

    with post.api.app.app_context():
        assert run("SELECT FROM person WHERE address = :rita", {"rita": RITA}) == []
    assert post.confirm(number, code).status_code == 201


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 second"),
        (60, "60 seconds"),
        (121, "3 minutes"),
        (7200, "2 hours"),
        (90_000, "25 hours"),
        (2 * 86_400, "2 days"),
        (45 * 86_400, "45 days"),
        (YEAR - 1, "365 days"),
        (YEAR, "1 year"),
    ],
)
def test_a_mail_never_says_less_than_it_is(
    post: Postbox, seconds: int, words: str
) -> None:
    ask(post, expires_in=seconds)

    assert f"for {words}." in text_of(post)


@pytest.mark.parametrize(
    "wish",
    [
        {"scopes": ["Visit us at http://x.example"]},
        {"scopes": []},
        {"game": "buy-now"},
        {"expires_in": YEAR + 1},
        {"expires_in": "forever"},
        {"name": "Click here"},
    ],
)
def test_nobody_writes_words_into_anothers_mail(
    post: Postbox, wish: dict[str, Any]
) -> None:
    answer = post.api.call("POST", "/v1/sign-in", json={"address": RITA, **wish})

    assert answer.status_code == 422
    assert post.letters() == []


def test_a_code_from_before_is_good_for_everything(post: Postbox) -> None:
    number, code = ask(post, scopes=["games:read"]), post.code()
    with post.api.app.app_context():
        run("UPDATE mailed_code SET scopes = NULL, expires_in = NULL, game_id = NULL")

    assert post.confirm(number, code).json["scopes"] == list(bearer.SCOPES)
