"""Problems as RFC 9457 documents, whatever went wrong below /v1."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import msgspec
from flask import Blueprint, Response
from sqlalchemy.exc import SQLAlchemyError
from werkzeug import exceptions
from werkzeug.exceptions import HTTPException, default_exceptions
from werkzeug.http import HTTP_STATUS_CODES

from engine.errors import Refusal, UnreadableLog
from service.api.http import challenges, precedence, response_headers, validation
from service.api.http.annotations import Failure
from service.api.schemas.problem import InvalidProblemSchema, ProblemSchema
from service.present import error_texts
from service.values import errors
from service.values.errors import (
    Internal,
    Invalid,
    MethodNotAllowed,
    NotFound,
    Problem,
    PublicError,
    TooLarge,
    WrongMediaType,
)

MEDIA_TYPE: Final = "application/problem+json"

_HTTP: Final[Mapping[int, type[Problem]]] = {
    404: NotFound,
    413: TooLarge,
    415: WrongMediaType,
    500: Internal,
}

Facts: TypeAlias = Mapping[str, Mapping[str, Any] | Problem]
"""Facts of failures by their codes, or failures themselves."""


def _limit(name: str, whose: str, most: int, wait: int) -> Mapping[str, object]:
    return {"limit": name, "whose": whose, "most": most, "retry_after": wait}


_SAMPLES: Final[Facts] = {
    "beyond-the-record": {"record": 6, "head": f"6:{'9c1f' * 16}"},
    "idempotency-key-reused": {"header": "Idempotency-Key", "reason": "reused"},
    "not-found": {"what": "game"},
    "too-many-invitations": _limit("open-invitations", "host", 10, 3600),
    "too-many-requests": _limit("reading", "token", 600, 42),
    "too-many-waiting": _limit("waiting", "person", 20, 5),
    "unauthorized": {"reason": "bad-token"},
}
"""Facts for the contract's example of a problem, by its code."""

_FACTS: Final[Mapping[str, Any]] = {
    "asked": "move",
    "card": "no",
    "character": "O",
    "decision": 3,
    "option": "seats",
    "phase": "over",
    "place": "4",
    "reason": "no-room",
    "seat": 0,
    "seats": (2,),
    "value": 9,
}
"""Facts for the contract's example of any other failure, by their names."""

_WHOLE: Final = ("body", "request")
"""What is called a field, and is none."""

_KEPT_HEADERS = ("Allow", response_headers.RETRY_AFTER)


def document(error: PublicError, **more: object) -> Response:
    """An error as a problem document; its facts, and what more there is, beside it."""
    status = error_texts.status(error)
    text = msgspec.json.encode(_body(error, **more)) + b"\n"
    answer = Response(text, status, mimetype=MEDIA_TYPE)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Vary"] = "Authorization, Accept-Language"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    challenge = challenges.of(error)
    if challenge is not None:
        answer.headers[response_headers.WWW_AUTHENTICATE] = challenge
    wait = errors.retry_after(error)
    if wait is not None:
        answer.headers[response_headers.RETRY_AFTER] = str(wait)
    return answer


def _body(error: PublicError, **more: object) -> Mapping[str, object]:
    status = error_texts.status(error)
    body = {
        "type": f"urn:kingup:problem:{error.code}",
        "title": HTTP_STATUS_CODES[status],
        "status": status,
        "detail": error_texts.detail(error),
        "code": error.code,
    }
    if isinstance(error, Invalid):
        body["errors"] = [_flaw(each) for each in (error, *error.others)]
    # A fact never takes the place of a member that RFC 9457 defines.
    return {**body, **_top(error), **more, **body}


def _top(error: PublicError) -> Mapping[str, object]:
    """The facts beside the code; a header is called a field as well, as it once was."""
    facts = error.facts
    return {"field": facts["header"], **facts} if "header" in facts else facts


def _flaw(error: Invalid) -> Mapping[str, object]:
    """One of the things that aren't understood: where it is, why, and in a sentence."""
    facts = dict(error.facts)
    field = facts.pop("field", None)
    where = {} if field is None else {"pointer": _pointer(error, str(field))}
    return {**where, **facts, "detail": error_texts.detail(error)}


def _pointer(error: Invalid, field: str) -> str:
    if error.path is not None:
        return validation.pointer(error.path)
    return validation.pointer(() if field in _WHOLE else field.split("."))


def answer(error: Exception) -> Response:
    """The problem document of an exception; what is a fault of ours is raised again."""
    told = errors.public(error)
    if told is not None:
        return document(precedence.first(told))
    if isinstance(error, HTTPException):
        return _of_http(error)
    raise error


def _of_http(error: HTTPException) -> Response:
    """Whatever Flask itself refused, with the headers that belong to it."""
    code = error.code or 500
    if isinstance(error, exceptions.MethodNotAllowed):
        found = document(MethodNotAllowed(methods=_methods(error)))
    elif code in _HTTP:
        found = document(precedence.first(_HTTP[code]()))
    elif code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        found = document(Internal())
    else:
        found = document(Invalid(field="request", reason="not-understood"))
    for name, value in error.get_headers():
        if name in _KEPT_HEADERS:
            found.headers[name] = value
    return found


def _methods(error: exceptions.MethodNotAllowed) -> tuple[str, ...]:
    return tuple(sorted(error.valid_methods or ()))


def documented(
    failures: Iterable[Failure], facts: Facts
) -> Mapping[int, Mapping[str, object]]:
    """The responses with which an operation may refuse, by status, for the contract.

    `facts` are those of its own, as examples.
    """
    by_status: dict[int, list[Failure]] = {}
    for failure in failures:
        by_status.setdefault(error_texts.status_of(failure), []).append(failure)
    return {
        status: _response(status, _by_code(by_status[status]), {**_SAMPLES, **facts})
        for status in sorted(by_status)
    }


def _by_code(failures: Iterable[Failure]) -> Sequence[Failure]:
    return sorted(failures, key=lambda each: each.code)


def _response(
    status: int, failures: Sequence[Failure], facts: Facts
) -> Mapping[str, object]:
    codes = ", ".join(f"`{each.code}`" for each in failures)
    examples = {each.code: {"value": _example(each, facts)} for each in failures}
    schema = InvalidProblemSchema if status == Invalid.status else ProblemSchema
    content = {"schema": schema, "examples": examples}
    return {
        "description": f"{HTTP_STATUS_CODES[status]}: {codes}.",
        "content": {MEDIA_TYPE: content},
    }


def _example(failure: Failure, facts: Facts) -> Mapping[str, object]:
    """A failure as it is told, with facts made up where it can't do without."""
    if issubclass(failure, Problem):
        needed: Iterable[str] = error_texts.needed(failure)
    elif "__init__" in vars(failure):
        needed = inspect.signature(failure).parameters
    else:
        needed = ()
    known = facts.get(failure.code)
    if isinstance(known, Problem):
        return _body(known)
    return _body(failure(**(known or {name: _fact(name) for name in needed})))


def _fact(name: str) -> Any:
    return _FACTS.get(name, name)


def catch(blueprint: Blueprint) -> None:
    """Answer with a problem document whatever a blueprint's views raise."""
    for kind in (Problem, Refusal, UnreadableLog, SQLAlchemyError, HTTPException):
        blueprint.register_error_handler(kind, answer)
    # A handler of the app for one status would else come before ours for all.
    for code in default_exceptions:
        blueprint.register_error_handler(code, answer)


def unrouted(error: HTTPException) -> Response:
    """The problem document of an address below /v1 that is no operation's."""
    # Another spelling of an address is another address: a redirect loses bodies.
    redirects = error.code is not None and error.code < HTTPStatus.BAD_REQUEST
    return document(NotFound()) if redirects else answer(error)
