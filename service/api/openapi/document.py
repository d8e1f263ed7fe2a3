"""The published contract: an OpenAPI document written from the code."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Response, current_app

from service.api.http import annotations, response_headers
from service.api.http.annotations import Who
from service.api.http.resource import Blueprint, Resource
from service.api.openapi import (
    enrichment,
    failing,
    operations,
    reply_schemas,
    request_schemas,
)
from service.present import languages
from service.values import public_urls

blueprint = Blueprint("contract", "This document.")

_YAML = "application/yaml"

_INTRODUCTION = """\
Play King Up! by program. Reading needs no token unless a game is its players' alone;
acting needs one: `Authorization: Bearer kup_…`. Whatever goes wrong is told as
`application/problem+json` with a stable `code`. What isn't understood is 422, what
isn't allowed now 409. Ignore fields you don't know: more may come. Words for people
are in English, Italian, French or German, as `Accept-Language` asks for.
"""


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


_STEPS = re.compile(r"<(?:(\w+)(?:\(max=(\d+)\))?:)?(\w+)>")
"""What varies in an address: its kind, the most that it is, and its name."""

_KINDS: Mapping[str | None, Mapping[str, Any]] = {
    None: {"type": "string", "minLength": 1},
    "uuid": {"type": "string", "format": "uuid"},
    "int": {"type": "integer", "minimum": 0},
    "seat": {"type": "integer", "minimum": 0},
}

_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A personal access token: `Authorization: Bearer kup_…`.",
}


class _Dumper(yaml.CSafeDumper):
    """Writes texts of several lines as such, and nothing by reference."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)

_TEXT = "kingup_contract_text"


def _written(app: Flask) -> APISpec:
    """The contract of all that an app serves."""
    marshmallow = MarshmallowPlugin()
    spec = APISpec(plugins=[marshmallow], **_SPEC)
    if marshmallow.converter is not None:
        marshmallow.converter.add_attribute_function(request_schemas.of_words)
    spec.components.security_scheme("token", _TOKEN)
    acts = list(_acts(app))
    for body in filter(None, (annotations.of(act).body for act in acts)):
        request_schemas.describe(spec, body)
    reply_schemas.describe(spec, _replies(acts))
    failing.describe(spec, chain.from_iterable(map(operations.failures_of, acts)))
    for name, header in response_headers.HEADERS.items():
        spec.components.header(name, dict(header))
    for rule in app.url_map.iter_rules():
        place = app.blueprints.get(rule.endpoint.partition(".")[0])
        if isinstance(place, Blueprint):
            _place(spec, rule.rule, place, app.view_functions[rule.endpoint])
    for found in app.blueprints.values():
        if isinstance(found, Blueprint):
            spec.tag({"name": found.name, "description": found.description})
    return spec


def _acts(app: Flask) -> Iterator[Callable[..., Any]]:
    """All operations."""
    for view in app.view_functions.values():
        resource = getattr(view, "view_class", None)
        if resource is not None and issubclass(resource, Resource):
            yield from (
                getattr(resource, method)
                for method in operations.METHODS
                if hasattr(resource, method)
            )


def _replies(acts: Iterable[Callable[..., Any]]) -> Iterator[Any]:
    """The types of all that operations answer."""
    for act in acts:
        for each in annotations.of(act).answers:
            if each.form is not None and not isinstance(each.form, Mapping):
                yield each.form


def _place(spec: APISpec, rule: str, place: Blueprint, view: Any) -> None:
    """Put an address into a contract, with all that can be done there."""
    below = public_urls.is_api(rule)
    resource = view.view_class
    done = {
        method: {
            **operations.describe(resource, method, below=below),
            "tags": [place.name],
        }
        for method in operations.METHODS
        if method.upper() in resource.methods
    }
    found = list(_STEPS.finditer(rule))
    spec.path(
        _STEPS.sub(lambda step: f"{{{_called(step)}}}", rule),
        operations=done,
        parameters=[_parameter(step) for step in found],
    )


def _parameter(step: re.Match[str]) -> dict[str, Any]:
    kind, most, _ = step.groups()
    schema = dict(_KINDS[kind])
    if most is not None:
        schema["maximum"] = int(most)
    return {"in": "path", "name": _called(step), "required": True, "schema": schema}


def _called(step: re.Match[str]) -> str:
    """What varies in an address, by what it is: a game, not a game's id."""
    return step[3].removesuffix("_id")


def specification(app: Flask) -> dict[str, Any]:
    """The contract of an app's API, nobody else's copy."""
    return enrichment.finished(_written(app).to_dict())


def document(app: Flask) -> str:
    """The contract of an app's API, as YAML; in English, whoever asks for it first."""
    with languages.speaking(languages.API_LANGUAGES[0]):
        spec = specification(app)
    return yaml.dump(
        {"openapi": spec.pop("openapi"), **spec},
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=88,
    )


@blueprint.place("/openapi.yaml")
class Contract(Resource):
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
