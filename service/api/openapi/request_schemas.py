"""The schemas of requests, in the contract."""

import inspect
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, fields

from service.api.schemas.base import Variants


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


def type_of_enum(
    converter: OpenAPIConverter, field: fields.Field[Any], ret: dict[str, Any]
) -> dict[str, Any]:
    """Say of an enumeration what type it is of."""
    is_enum = isinstance(field, fields.Enum)
    return {"type": ret.get("type", "string")} if is_enum else {}


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
        places[kind] = f"#/components/schemas/{name_of(type(form))}"
    one_of = {
        "oneOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "kind", "mapping": places},
    }
    _add(spec, schema, one_of)
    # What it is of stands in its forms.
    told = spec.components.schemas[name_of(schema)]
    for name in ("type", "properties", "additionalProperties"):
        told.pop(name, None)


def _add(spec: APISpec, schema: type[Schema], told: dict[str, Any]) -> None:
    about = inspect.cleandoc(schema.__doc__ or "")
    told = {**told, "description": about}
    spec.components.schema(name_of(schema), told, schema=schema)
