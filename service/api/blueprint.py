"""The kind of blueprint every resource is: strict input, answers that can be cached."""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import flask_smorest
import marshmallow
from flask import Request, Response, request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from service.api import body, declared, once, problems
from service.api.declared import Who
from service.errors import (
    Busy,
    Forbidden,
    IdempotencyKeyReused,
    Internal,
    Invalid,
    NotFound,
    TooLarge,
    TooManyRequests,
    Unauthorized,
    WrongMediaType,
)

_MISSING = marshmallow.fields.Field.default_error_messages["required"]
_REASONS = {_MISSING: "missing", "missing": "missing", "unknown": "unknown"}

_FRESH = "private, no-cache"


class _Parser(FlaskParser):
    """Reads bodies strictly and says which field was not understood."""

    DEFAULT_UNKNOWN_BY_LOCATION = {
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        # A mistyped parameter must not pass for its absence.
        "query": None,
    }

    def load_json(self, req: Request, schema: Schema) -> object:
        return body.load(req)

    def handle_error(
        self,
        error: ValidationError,
        req: Request,
        schema: Schema,
        *,
        error_status_code: int | None,
        error_headers: Mapping[str, str] | None,
    ) -> NoReturn:
        path, message = next(_leaves(error.normalized_messages(), ()))
        named = [key for key in path[1:] if key != marshmallow.exceptions.SCHEMA]
        reason = _REASONS.get(message)
        about = {"hint": message} if reason is None else {"reason": reason}
        raise Invalid(field=".".join(named) or "body", **about) from error


def _leaves(
    found: object, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every message with the path to its field; the first path says where."""
    match found:
        case dict():
            for key, inner in found.items():
                yield from _leaves(inner, (*path, str(key)))
        case list():
            for message in found:
                yield path, str(message)
        case _:
            yield path, str(found)


class Blueprint(flask_smorest.Blueprint):
    """A resource of the API."""

    ARGUMENTS_PARSER = _Parser()

    access = staticmethod(declared.access)
    fails = staticmethod(declared.fails)
    once = staticmethod(once.once)

    def __init__(self, name: str, description: str, prefix: str = "/v1") -> None:
        super().__init__(name, __name__, url_prefix=prefix, description=description)
        problems.catch(self)
        self.after_request(_finish)
        self._prepare_doc_cbks.append(_declarations)

    def _prepare_arguments_doc(
        self, doc: dict[str, Any], doc_info: dict[str, Any], **context: object
    ) -> dict[str, Any]:
        """Leave every status to the one problem document: Python renames some."""
        doc_info.get("arguments", {}).pop("responses", None)
        found: dict[str, Any] = super()._prepare_arguments_doc(doc, doc_info, **context)
        return found


def _declarations(
    doc: dict[str, Any], doc_info: dict[str, Any], **context: object
) -> dict[str, Any]:
    """What a view declares, as the contract says it."""
    access: declared.Access = doc_info["access"]
    doc["security"] = access.security
    doc["x-access"] = {"who": access.who.value, "scope": access.scope}
    failures = {*_implied(access, doc, doc_info), *declared.failures_of(doc_info)}
    for status, told in problems.documented(failures).items():
        doc["responses"].setdefault(str(status), told)
    if "once" in doc_info:
        doc.setdefault("parameters", []).append(once.PARAMETER)
    return doc


def _implied(
    access: declared.Access, doc: dict[str, Any], doc_info: dict[str, Any]
) -> Iterator[declared.Failure]:
    """How every view with such an access and such arguments can fail."""
    yield from (TooManyRequests, Internal, Busy)
    if access.who not in (Who.PUBLIC, Who.HOLDER):
        yield from (Unauthorized, Forbidden)
    if access.who is not Who.PUBLIC and access.who is not Who.PERSON:
        yield NotFound
    if doc.get("parameters") or "requestBody" in doc:
        yield Invalid
    if "requestBody" in doc:
        yield from (TooLarge, WrongMediaType)
    if "once" in doc_info:
        yield IdempotencyKeyReused


def _finish(answer: Response) -> Response:
    """Let every reader keep their own copy, and ask whether it is still the newest."""
    answer.headers["Vary"] = "Authorization, Accept-Language"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers.setdefault("Cache-Control", _FRESH)
    kept = answer.headers["Cache-Control"] == _FRESH
    if kept and request.method in ("GET", "HEAD") and answer.status_code == 200:
        answer.add_etag()
        answer.make_conditional(request)
    return answer
