"""Every stable code has one sentence that a person can read."""

import inspect
import re
from collections.abc import Iterator
from typing import TypeVar

import pytest
from flask import Flask
from psycopg.errors import LockNotAvailable
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from engine import errors as engine_errors
from engine.errors import CardNotHeld, NoRoom, Refusal, UnreadableLog
from service.present import error_texts
from service.store import failures
from service.values import conflicts, errors
from service.values.errors import Invalid, Problem, TooManyInvitations

Kind = TypeVar("Kind", bound=Exception)


def _family(root: type[Kind]) -> Iterator[type[Kind]]:
    yield root
    for member in root.__subclasses__():
        yield from _family(member)


REFUSALS = [c for c in _family(Refusal) if c.__module__ == engine_errors.__name__]
SAID = (errors.__name__, conflicts.__name__)
PROBLEMS = [c for c in _family(Problem) if c.__module__ in SAID]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda c: c.__name__)
def test_every_refusal_is_a_conflict_told_in_a_sentence(
    refusal: type[Refusal], app: Flask
) -> None:
    has_facts = "__init__" in vars(refusal)
    facts = inspect.signature(refusal).parameters if has_facts else ()
    error = refusal(*facts)

    with app.test_request_context():
        sentence = error_texts.detail(error)

    assert error_texts.status(error) == 409
    assert re.fullmatch(r"[^%]{10,}\.", sentence)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda c: c.__name__)
def test_every_problem_is_told_in_a_sentence(
    problem: type[Problem], app: Flask
) -> None:
    limit = {"limit": "reading", "whose": "nobody", "most": 3, "retry_after": 60}
    limited = issubclass(problem, errors.TooManyRequests)
    told = {name: 3 for name in ("most",) if name in problem.tells}
    error = problem(field="name", **(limit if limited else told))

    with app.test_request_context():
        sentence = error_texts.detail(error)

    assert error_texts.status(error) == problem.status
    assert re.fullmatch(r"[^%]{10,}[.”]", sentence)


def test_codes_are_distinct() -> None:
    codes = [*(c.code for c in REFUSALS), *(c.code for c in PROBLEMS)]

    assert len(codes) == len(set(codes))


def test_facts_are_told_as_words(app: Flask) -> None:
    with app.test_request_context():
        assert error_texts.detail(CardNotHeld("no")) == "You hold no No."
        assert "Traders" in error_texts.detail(NoRoom("2"))
        assert "seats.1.name" in error_texts.detail(
            Invalid(field="seats.1.name", reason="link")
        )
        capped = TooManyInvitations(
            limit="invitations", whose="address", most=3, retry_after=7200
        )
        assert error_texts.detail(capped).endswith(
            "The limit “invitations” is 3. Try again in 2 hours."
        )


def test_what_somebody_typed_is_never_a_format(app: Flask) -> None:
    with app.test_request_context():
        assert "%(x)s" in error_texts.detail(engine_errors.UnknownCharacter("%(x)s"))


def test_outages_are_busy_and_unknown_logs_wait() -> None:
    locked = OperationalError("SELECT", {}, LockNotAvailable())

    assert isinstance(failures.public(locked), errors.Busy)
    assert isinstance(failures.public(PoolTimeout()), errors.Busy)
    assert isinstance(failures.public(UnreadableLog("g", "gap")), errors.GameUnreadable)
    assert failures.public(ZeroDivisionError()) is None
