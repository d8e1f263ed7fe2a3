"""The kind of blueprint every resource is: strict input, answers that can be cached."""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any, NoReturn

import flask_smorest
from flask import Request, Response, request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from service.api.http import (
    annotations,
    idempotency,
    problems,
    response_headers,
    strictjson,
    validation,
)
from service.api.openapi import operations
from service.values import public_urls
from service.values.errors import Invalid


class _Parser(FlaskParser):
    """Reads bodies strictly and says which field was not understood."""

    DEFAULT_UNKNOWN_BY_LOCATION = {
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        # A mistyped parameter must not pass for its absence.
        "query": None,
    }

    def parse(self, argmap: Any, req: Request | None = None, **options: Any) -> object:
        """Don't read a query that is empty each time anew."""
        if options.get("location") == "query" and not request.query_string:
            known, values = _empty(argmap)
            if known:
                return dict(values)
        return super().parse(argmap, req, **options)

    def load_json(self, req: Request, schema: Schema) -> object:
        # Where every field may be left out, so may the body.
        fields = getattr(schema, "fields", {}).values()
        optional = bool(fields) and not any(field.required for field in fields)
        return strictjson.load(req, optional, partial(_faults, schema))

    def handle_error(
        self,
        error: ValidationError,
        req: Request,
        schema: Schema,
        *,
        error_status_code: int | None,
        error_headers: Mapping[str, str] | None,
    ) -> NoReturn:
        ((location, messages),) = error.normalized_messages().items()
        raise validation.together(validation.of_schema(messages, location)) from error


@cache
def _empty(schema: type[Schema]) -> tuple[bool, Mapping[str, object]]:
    """Whether nothing at all is in order for a schema, and what it stands for."""
    reader = schema()
    if any(field.required for field in reader.fields.values()):
        return False, {}
    values = reader.load({})
    return isinstance(values, dict), values


def _faults(schema: Schema, body: Any) -> Iterator[Invalid]:
    """What a schema finds wrong with a body."""
    try:
        schema.load(body)
    except ValidationError as error:
        yield from validation.of_schema(error.normalized_messages(), "json")


class Blueprint(flask_smorest.Blueprint):
    """A resource of the API."""

    ARGUMENTS_PARSER = _Parser()

    access = staticmethod(annotations.access)
    fails = staticmethod(annotations.fails)
    limited = staticmethod(annotations.limited)
    fleeting = staticmethod(annotations.fleeting)
    named = staticmethod(annotations.named)
    marked = staticmethod(annotations.marked)
    conditional = staticmethod(annotations.conditional)
    unconditional = staticmethod(annotations.unconditional)
    once = staticmethod(idempotency.idempotent)

    def __init__(
        self, name: str, description: str, prefix: str = public_urls.API
    ) -> None:
        super().__init__(name, __name__, url_prefix=prefix, description=description)
        problems.catch(self)
        self.after_request(_finish)
        describe = partial(operations.describe, below=public_urls.is_api(prefix))
        self._prepare_doc_cbks.append(describe)

    def _store_endpoint_docs(
        self, endpoint: str, view: type, *args: object, **options: object
    ) -> None:
        """Give every operation its name beside what is known of it."""
        super()._store_endpoint_docs(endpoint, view, *args, **options)
        for method, doc in self._docs[endpoint].items():
            if method in operations.METHODS:
                doc["operation"] = operations.name_of(view, method)

    def _prepare_arguments_doc(
        self, doc: dict[str, Any], doc_info: dict[str, Any], **context: object
    ) -> dict[str, Any]:
        """Leave every status to the one problem document: Python renames some."""
        doc_info.get("arguments", {}).pop("responses", None)
        found: dict[str, Any] = super()._prepare_arguments_doc(doc, doc_info, **context)
        return found


def _finish(answer: Response) -> Response:
    """Let every reader keep their own copy, and ask whether it is still the newest.

    A view that says how its answer is kept has given it a mark itself.
    """
    headers = answer.headers
    headers["Vary"] = "Authorization, Accept-Language"
    headers["X-Content-Type-Options"] = "nosniff"
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = response_headers.FRESH
        if request.method in ("GET", "HEAD") and answer.status_code == 200:
            answer.add_etag()
            answer.make_conditional(request)
    return answer
