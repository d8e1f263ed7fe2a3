"""What a request brings, read strictly, as its operation declares it."""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any

from flask import Request
from marshmallow import Schema, ValidationError

from service.api.http import strictjson, validation
from service.api.http.annotations import Operation
from service.api.schemas import base
from service.values.errors import Invalid


def read(asked: Request, operation: Operation) -> Iterator[object]:
    """What an operation reads: of headers, then of the query, then of the body.

    Raises Invalid, WrongMediaType and TooLarge.
    """
    if operation.headers is not None:
        yield _loaded(operation.headers, _headers(asked, operation.headers), "headers")
    if operation.query is not None:
        yield _query(asked, operation.query)
    if operation.body is not None:
        yield _body(asked, operation.body)


def _headers(asked: Request, schema: type[Schema]) -> Mapping[str, str]:
    """Those that a schema knows: any others may come."""
    return {
        name: asked.headers[name] for name in _names(schema) if name in asked.headers
    }


@cache
def _reader(schema: type[Schema]) -> Schema:
    return schema()


@cache
def _names(schema: type[Schema]) -> tuple[str, ...]:
    return tuple(base.names(_reader(schema)))


@cache
def is_optional(schema: type[Schema]) -> bool:
    """Whether a body may be left out: where each of its fields may."""
    fields = _reader(schema).fields.values()
    return bool(fields) and not any(field.required for field in fields)


def _query(asked: Request, schema: type[Schema]) -> object:
    # A query that is empty isn't read each time anew.
    if not asked.query_string:
        return _of_nothing(schema)
    return _loaded(schema, asked.args.to_dict(), "query")


@cache
def _of_nothing(schema: type[Schema]) -> object:
    """What it stands for that no parameter is there."""
    return _reader(schema).load({})


def _body(asked: Request, schema: type[Schema]) -> object:
    found = strictjson.load(asked, is_optional(schema), partial(_flaws, schema))
    return _loaded(schema, found, "body")


def _loaded(schema: type[Schema], found: Any, location: str) -> object:
    try:
        return _reader(schema).load(found)
    except ValidationError as error:
        flaws = validation.of_schema(error.normalized_messages(), location)
        raise validation.together(flaws) from error


def _flaws(schema: type[Schema], body: Any) -> Iterator[Invalid]:
    """What a schema finds wrong with a body."""
    try:
        _reader(schema).load(body)
    except ValidationError as error:
        yield from validation.of_schema(error.normalized_messages(), "body")
