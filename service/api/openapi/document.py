"""The published contract: an OpenAPI document written from the code."""

import copy
from typing import Any

import flask_smorest
import yaml
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_instance
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask, Response, current_app
from flask.views import MethodView
from marshmallow import Schema
from marshmallow.fields import Field

from service.api.http import response_headers
from service.api.http.annotations import Who
from service.api.openapi import enrichment, event_schemas
from service.api.openapi.blueprint import Blueprint
from service.api.schemas.base import Reply, Variants

blueprint = Blueprint("contract", "This document.")

_YAML = "application/yaml"

_INTRODUCTION = """\
Play King Up! by program. Reading needs no token unless a game is its players' alone;
acting needs one: `Authorization: Bearer kup_…`. Whatever goes wrong is told as
`application/problem+json` with a stable `code`. What isn't understood is 422, what
isn't allowed now 409. Ignore fields you don't know: more may come. Words for people
are in English, Italian, French or German, as `Accept-Language` asks for.
"""


class _Converter(OpenAPIConverter):
    """Knows our variants, and that our replies are whole."""

    def schema2jsonschema(self, schema: Schema | type[Schema]) -> dict[str, Any]:
        instance = resolve_schema_instance(schema)
        about = (type(instance).__doc__ or "").strip().replace("\n    ", "\n")
        if isinstance(instance, Variants):
            return {**self._one_of(instance), "description": about}
        found: dict[str, Any] = super().schema2jsonschema(schema)
        if isinstance(instance, Reply):
            found["required"] = sorted(found["properties"])
        return {**found, "description": about}

    def field2property(self, field: Field[Any]) -> dict[str, Any]:
        """A field that names a schema of the contract is that."""
        found: dict[str, Any] = super().field2property(field)
        name = found.pop("x-schema", None)
        return found if name is None else {"$ref": f"#/components/schemas/{name}"}

    def _one_of(self, variants: Variants) -> dict[str, Any]:
        forms = {
            kind: self.resolve_nested_schema(form)
            for kind, form in variants.forms.items()
        }
        mapping = {kind: form["$ref"] for kind, form in forms.items()}
        discriminator = {"propertyName": "kind", "mapping": mapping}
        return {"oneOf": list(forms.values()), "discriminator": discriminator}


class _Marshmallow(MarshmallowPlugin):
    Converter = _Converter


class Api(flask_smorest.Api):
    """The API: our problem documents in place of the library's errors."""

    # Every operation tells each of its failures.
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_pagination_header(self) -> None:
        """Lists lead on by `Link`: we have no pages as the library knows them."""

    def _register_error_handlers(self) -> None:
        """Each blueprint catches for itself: the pages have errors of their own."""

    def _register_responses(self) -> None:
        """Each operation has failures of its own; they share no response."""


_SPEC: dict[str, Any] = {
    "title": "Kingup",
    "version": "1",
    "openapi_version": "3.1.0",
    "info": {
        "description": _INTRODUCTION,
        "contact": {"name": "Kingup"},
        "license": {"name": "MIT", "identifier": "MIT"},
    },
    "servers": [{"url": "/"}],
    "security": [{"token": []}],
}


_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A personal access token: `Authorization: Bearer kup_…`.",
}


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as such, and nothing by reference."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)

_KEY = "kingup_contract"
_TEXT = "kingup_contract_text"


def init_app(app: Flask) -> Api:
    """An API on an app, ready for its blueprints."""
    api = Api(spec_kwargs={**_SPEC, "marshmallow_plugin": _Marshmallow()})
    api.init_app(app)
    api.spec.components.security_scheme("token", _TOKEN)
    event_schemas.describe(api.spec)
    for name, header in response_headers.HEADERS.items():
        api.spec.components.header(name, header)
    app.extensions[_KEY] = api
    return api


def specification(app: Flask) -> dict[str, Any]:
    """The contract of an app's API, nobody else's copy."""
    api: Api = app.extensions[_KEY]
    return enrichment.finished(copy.deepcopy(api.spec.to_dict()))


def document(app: Flask) -> str:
    """The contract of an app's API, as YAML."""
    spec = specification(app)
    return yaml.dump(
        {"openapi": spec.pop("openapi"), **spec},
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=88,
    )


@blueprint.route("/openapi.yaml")
class Contract(MethodView):
    """The contract."""

    @blueprint.access(Who.PUBLIC)
    @blueprint.response(200, {"type": "string"}, content_type=_YAML)
    def get(self) -> Response:
        """Read this document."""
        text = current_app.extensions.get(_TEXT)
        if text is None:
            text = current_app.extensions[_TEXT] = document(current_app)
        answer = Response(text, content_type=f"{_YAML}; charset=utf-8")
        answer.headers[response_headers.CONTENT_LANGUAGE] = "en"
        return answer
