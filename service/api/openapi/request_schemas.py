"""The schemas of requests, in the contract."""

import inspect
from collections.abc import Sequence
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, fields

from service.api.openapi.reply_schemas import (
    SCHEMAS,
    called,
    open_union,
    open_words,
    prose,
)
from service.api.schemas.answer import AnswerSchema
from service.api.schemas.base import Variants
from service.api.schemas.validators import OneOf


def describe(spec: APISpec, schema: type[Schema]) -> None:
    """Put the schema of a request into the contract, and all that is nested in it."""
    if name_of(schema) in spec.components.schemas:
        return
    if issubclass(schema, Variants):
        _describe_variants(spec, schema)
        return
    for field in schema().fields.values():
        _describe_nested(spec, field)
    _add(spec, schema, {})


def of_words(
    converter: OpenAPIConverter, field: fields.Field[Any], ret: dict[str, Any]
) -> dict[str, Any]:
    """A field that takes one of some words: the name under which these are found."""
    words = _words(field)
    if words is None:
        return {}
    ret.pop("type", None)
    choices = ret.pop("enum")
    if len(words.choices) == 1:
        return {"type": "string", "const": choices[0]}
    if words.name not in converter.spec.components.schemas:
        about = {"description": words.description} if words.description else {}
        schema = {**about, "type": "string", "enum": list(words.choices)}
        converter.spec.components.schema(words.name, schema)
    place = {"$ref": f"{SCHEMAS}{words.name}"}
    if ret.pop("x-open", False):
        return _opened(converter.spec, words.name)
    return {"anyOf": [place, {"type": "null"}]} if field.allow_none else place


class _Words(msgspec.Struct, frozen=True):
    """Some words, what they are called, and what they are."""

    name: str
    choices: Sequence[str]
    description: str = ""


def _words(field: fields.Field[Any]) -> _Words | None:
    """The words that a field takes, if it takes some."""
    if isinstance(field, fields.Enum):
        about = prose(field.enum.__doc__ or "")
        choices = sorted(str(each.value) for each in field.enum)
        return _Words(called(field.enum.__name__), choices, about)
    for validator in field.validators:
        if isinstance(validator, OneOf):
            return _Words(validator.name, list(validator.choices))
    return None


def _opened(spec: APISpec, name: str) -> dict[str, Any]:
    """One of the words that are called by a name, or another."""
    union, schema = open_words(name)
    if union not in spec.components.schemas:
        spec.components.schema(union, schema)
    return {"$ref": f"{SCHEMAS}{union}"}


def name_of(schema: type[Schema]) -> str:
    """What the contract calls it."""
    return schema.__name__.removesuffix("Schema")


def _describe_nested(spec: APISpec, field: fields.Field[Any]) -> None:
    inner = field.inner if isinstance(field, fields.List) else field
    if isinstance(inner, fields.Nested):
        describe(spec, type(inner.schema))


def _describe_variants(spec: APISpec, schema: type[Variants]) -> None:
    places = {}
    for kind, form in schema.forms.items():
        describe(spec, type(form))
        places[kind] = f"{SCHEMAS}{name_of(type(form))}"
    if schema is AnswerSchema:
        # What was offered is sent back verbatim, be it one that came later.
        _add(spec, schema, open_union("kind", places)["Answer"])
    else:
        one_of = {
            "oneOf": [{"$ref": place} for place in places.values()],
            "discriminator": {"propertyName": "kind", "mapping": places},
        }
        _add(spec, schema, one_of)
    # What it is of stands in its forms.
    union = spec.components.schemas[name_of(schema)]
    for name in ("type", "properties", "additionalProperties"):
        union.pop(name, None)


def _add(spec: APISpec, schema: type[Schema], form: dict[str, Any]) -> None:
    about = inspect.cleandoc(schema.__doc__ or "")
    described = {"description": about, **form}
    spec.components.schema(name_of(schema), described, schema=schema)
