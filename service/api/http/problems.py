"""Problems as RFC 9457 documents, whatever went wrong below /v1."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Final

import msgspec
from flask import Blueprint, Response
from msgspec import UNSET, Meta, UnsetType
from sqlalchemy.exc import SQLAlchemyError
from werkzeug import exceptions
from werkzeug.exceptions import HTTPException, default_exceptions
from werkzeug.http import HTTP_STATUS_CODES

from engine.errors import Refusal, UnreadableLog
from service.api.http import (
    challenges,
    precedence,
    replies,
    response_headers,
    validation,
)
from service.present import error_texts
from service.store import failures
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


class ProblemReply(msgspec.Struct, frozen=True):
    """What went wrong; the facts of its code come as further fields."""

    type: Annotated[str, Meta(description="A URI made of the code.")]
    title: Annotated[str, Meta(description="The status in words.")]
    status: int
    detail: Annotated[str, Meta(description="One sentence in the reader's language.")]
    code: Annotated[str, Meta(description="Stable: act by this.")]


class FlawReply(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that wasn't understood; the facts of its reason come beside it."""

    pointer: Annotated[
        str | UnsetType,
        Meta(description="Where in the body it is: a JSON Pointer in a URI fragment."),
    ] = UNSET
    parameter: Annotated[
        str | UnsetType, Meta(description="The one of the query that it is.")
    ] = UNSET
    header: Annotated[str | UnsetType, Meta(description="What header it is.")] = UNSET
    reason: Annotated[str, Meta(description="Stable: act by this.")]
    detail: Annotated[str, Meta(description="One sentence in the reader's language.")]


_WHOLE: Final = ("body", "request")
"""What is called a field, and is none."""

_KEPT_HEADERS = ("Allow", response_headers.RETRY_AFTER)


def document(error: PublicError, **more: object) -> Response:
    """An error as a problem document; its facts, and what more there is, beside it."""
    status = error_texts.status(error)
    text = replies.encode(body(error, **more)) + b"\n"
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


def body(error: PublicError, **more: object) -> Mapping[str, object]:
    """What the problem document of an error says."""
    status = error_texts.status(error)
    told = {
        "type": f"urn:kingup:problem:{error.code}",
        "title": HTTP_STATUS_CODES[status],
        "status": status,
        "detail": error_texts.detail(error),
        "code": error.code,
    }
    if isinstance(error, Invalid):
        told["errors"] = [_flaw(each) for each in (error, *error.others)]
    # A fact never takes the place of a member that RFC 9457 defines.
    return {**told, **_top(error), **more, **told}


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
    told = failures.public(error)
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
