"""Whoever is over a limit is told which one, whose, how many, and until when."""

import inspect
from collections.abc import Iterator

import pytest
from flask import Flask

from service.api.http import problems
from service.present import error_texts, languages
from service.values import errors
from service.values.errors import Problem, TooManyRequests
from service.web.http import error_pages, forms

FACTS = {"limit": "some-name", "whose": "network", "most": 77, "retry_after": 7200}


def family(root: type[Problem]) -> Iterator[type[Problem]]:
    yield root
    for member in root.__subclasses__():
        yield from family(member)


LIMITED = list(family(TooManyRequests))


def test_nothing_else_is_refused_with_429() -> None:
    statuses = [each for each in family(Problem) if each.status == 429]

    assert set(statuses) == set(LIMITED)
    assert len(LIMITED) >= 3


@pytest.mark.parametrize("kind", LIMITED)
def test_none_can_be_raised_without_its_facts(kind: type[Problem]) -> None:
    needed = inspect.signature(kind).parameters
    named = {name for name, each in needed.items() if each.default is each.empty}

    assert set(FACTS) <= named


@pytest.mark.parametrize("kind", LIMITED)
def test_a_program_is_told_in_facts_and_a_header(
    app: Flask, kind: type[TooManyRequests]
) -> None:
    with app.test_request_context("/v1/games"):
        answer = problems.document(kind(**FACTS))

    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "7200"
    assert answer.json is not None
    assert {name: answer.json[name] for name in FACTS} == FACTS
    assert answer.json["code"] == kind.code


@pytest.mark.parametrize("language", languages.LANGUAGES)
@pytest.mark.parametrize("kind", LIMITED)
def test_a_person_is_told_in_a_sentence_and_a_header(
    app: Flask, kind: type[TooManyRequests], language: str
) -> None:
    with app.test_request_context("/"), languages.speaking(language):
        page = error_pages.page(kind(**FACTS))
        said = error_texts.detail(kind(**FACTS))

    assert (page.status_code, page.headers["Retry-After"]) == (429, "7200")
    assert "some-name" in page.get_data(as_text=True)
    assert "77" in said
    assert "2" in said.rpartition("77")[2]


@pytest.mark.parametrize("kind", LIMITED)
def test_a_form_that_comes_back_tells_it_too(
    app: Flask, kind: type[TooManyRequests]
) -> None:
    with app.test_request_context("/new"):
        trouble = forms.form_errors([kind(**FACTS, field="name")], {"name": "Name"})
        page = forms.answer("", trouble)

    assert (page.status_code, page.headers["Retry-After"]) == (429, "7200")
    assert "some-name" in trouble.fields["name"]


def test_what_is_busy_says_when_to_come_back() -> None:
    assert errors.retry_after(errors.Busy()) == errors.RETRY_AFTER
    assert errors.retry_after(errors.NotFound()) is None
