"""Errors as pages: a clear sentence, the right status, and never a trace."""

import pytest
from sqlalchemy.exc import OperationalError

from engine.errors import UnreadableLog
from service.store import games
from tests.rig.service.visitor import Visitor

SOME_GAME = "/g/00000000-0000-4000-8000-000000000001"


@pytest.mark.parametrize("path", ["/nowhere", "/g/7", SOME_GAME, "/mailbox/99", "/d"])
def test_what_isnt_there_is_told_on_a_page(visitor: Visitor, path: str) -> None:
    page = visitor.get(path)

    assert page.status == 404
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Content-Security-Policy".lower() in page.headers
    assert "Traceback" not in page.text


def test_a_method_that_isnt_there_is_told_with_those_that_are(
    visitor: Visitor,
) -> None:
    page = visitor.fetch("POST", "/")

    assert page.status == 405
    assert "GET" in page.headers["allow"]
    assert "can't be done here" in page.text


def test_a_body_above_the_limit_is_told_on_a_page(visitor: Visitor) -> None:
    page = visitor.fetch("POST", "/new", data={"name": "x" * 20_000})

    assert page.status == 413
    assert "too large" in page.text


def test_errors_below_v1_are_no_pages(visitor: Visitor) -> None:
    page = visitor.get("/v1/nowhere")

    assert page.status == 404
    assert page.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "error",
    [
        UnreadableLog("some game", "version 9"),
        OperationalError("SELECT secret", {"seed": "secret"}, Exception("secret")),
    ],
)
def test_what_passes_by_itself_asks_to_try_again(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(games, "read", fail)

    page = visitor.get(SOME_GAME)

    assert page.status == 503
    assert int(page.headers["retry-after"]) > 0
    assert "secret" not in page.text


def test_a_fault_of_ours_tells_nothing_but_that(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(games, "read", fail)

    page = visitor.get(SOME_GAME)

    assert page.status == 500
    assert "Something broke on our side" in page.text
    assert "secret" not in page.body.decode()
