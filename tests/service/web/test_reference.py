"""The API as a page: all of the contract, from our own files alone."""

import html
import re

import pytest
from flask import Flask

from tests.rig.service.promised import operations


@pytest.fixture
def page(app: Flask) -> str:
    return app.test_client().get("/docs").text


def articles(page: str) -> dict[str, str]:
    found = re.findall(r'<article[^>]* id="(\w+)">(.*?)</article>', page, re.S)
    return {name: html.unescape(text) for name, text in found}


def test_every_operation_is_told_with_all_its_answers(app: Flask, page: str) -> None:
    articles_by_name = articles(page)

    assert set(articles_by_name) == {each.name for each in operations(app)}
    for each in operations(app):
        text = articles_by_name[each.name]
        assert f"<code>{each.path}</code>" in text.replace("<wbr>", "")
        assert f'href="#{each.name}"' in page
        assert "curl -s" in text
        if each.scope is not None and "forbidden" in text:
            assert f"not good for “{each.scope}”" in text
        for status in each.answers:
            assert f"<b>{status}</b>" in text, (each.name, status)
        if each.scope is not None:
            assert f"Scope: <code>{each.scope}</code>" in text
        if each.body is not None:
            assert " -d '" in text


def test_an_operation_is_told_with_its_own_codes(page: str) -> None:
    articles_by_name = articles(page)["putAnswer"]

    for code in ("already-answered", "decision-closed", "not-asked", "unauthorized"):
        assert f"<code>{code}</code>" in articles_by_name
    assert "Who sits" not in articles_by_name
    assert "For: whoever sits at the table." in articles_by_name


def test_the_page_needs_nobody_else(app: Flask) -> None:
    answer = app.test_client().get("/docs")

    loaded = re.findall(r'(?:src|href)="([^"#]+)"', answer.text)
    assert loaded
    assert all(each.startswith("/") for each in loaded)
    assert "<script" not in answer.text
    assert "style=" not in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert policy == app.test_client().get("/rules").headers["Content-Security-Policy"]
    for each in loaded:
        with app.test_client().get(each) as found:
            assert found.status_code == 200, each


def test_every_page_leads_there(app: Flask) -> None:
    for path in ("/", "/rules", "/docs", "/nothing"):
        assert 'href="/docs"' in app.test_client().get(path).text


def test_the_page_begins_with_the_way_into_a_game(page: str) -> None:
    begun = page.index("How to begin")

    steps = [
        "/practice-games",
        "/view -H",
        "/me/turns",
        "/answer",
        'href="#requestSignIn"',
    ]
    found = [page.index(each, begun) for each in steps]
    assert found == sorted(found)
    assert found[-1] < page.index('class="panel contents"')
    titles = re.findall(r'class="resource"><h2>(.*?)</h2>', page)
    assert titles[:5] == ["Sign-in", "Games", "Playing", "Turns", "Stream"]
    assert all(re.fullmatch("[A-Z][a-z -]+", title) for title in titles)


def test_an_invalid_field_is_one_that_the_operation_has(page: str) -> None:
    articles_by_name = articles(page)

    assert "“seats” is missing." in articles_by_name["createGame"]
    assert "“address” is missing." in articles_by_name["requestSignIn"]
    assert "There is no parameter “colour”." in articles_by_name["getMe"]


def test_a_stream_is_not_kept_back_by_curl(page: str) -> None:
    assert "curl -sN" in articles(page)["streamGame"]
    assert "curl -sN" not in articles(page)["getView"]
