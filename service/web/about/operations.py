"""Operations of the contract, as a page tells them."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from markupsafe import Markup, escape

from service.api.openapi import examples
from service.values import public_urls

_JSON: Final = "application/json"
_CODE: Final = re.compile(r"`([^`]+)`")
_PARAGRAPHS: Final = re.compile(r"\n\s*\n")


class OperationField(msgspec.Struct, frozen=True):
    """A parameter, or a field of a body. `where` is the parameter's place, or empty."""

    name: str
    where: str
    kind: str
    required: bool
    about: Markup


class BodyForm(msgspec.Struct, frozen=True):
    """What a body may look like: one of several forms, if they have names."""

    name: str
    fields: Sequence[OperationField]


class OperationAnswer(msgspec.Struct, frozen=True):
    """What comes back when all is well; `example` is empty where there is no body."""

    status: str
    about: Markup
    kind: str
    example: str


class Failure(msgspec.Struct, frozen=True):
    """One way to be refused."""

    status: str
    code: str
    detail: str


class OperationPage(msgspec.Struct, frozen=True):
    """An operation with all that its page shows."""

    name: str
    tag: str
    method: str
    path: str
    steps: Markup
    summary: str
    about: Sequence[Markup]
    who: str
    scope: str | None
    parameters: Sequence[OperationField]
    forms: Sequence[BodyForm]
    body: str
    curl: str
    answers: Sequence[OperationAnswer]
    failures: Sequence[Failure]


def read(spec: Mapping[str, Any]) -> Iterator[OperationPage]:
    """Every operation, in the order of the contract."""
    for path, item in spec["paths"].items():
        shared = item.get("parameters", [])
        for method, operation in item.items():
            if method != "parameters":
                parameters = [*shared, *operation.get("parameters", [])]
                yield _page(path, method, operation, parameters, spec["components"])


def _page(
    path: str,
    method: str,
    operation: Mapping[str, Any],
    parameters: Sequence[Mapping[str, Any]],
    components: Mapping[str, Any],
) -> OperationPage:
    body = operation.get("requestBody", {}).get("content", {}).get(_JSON, {})
    example = body.get("example")
    answers = {
        status: _resolved(answer, components)
        for status, answer in operation["responses"].items()
    }
    summary, about = operation["summary"], operation["description"]
    return OperationPage(
        name=operation["operationId"],
        tag=operation["tags"][0],
        method=method.upper(),
        path=path,
        steps=_steps(path),
        summary=summary,
        about=[] if about == summary else _paragraphs(about),
        who=operation["x-access"]["who"],
        scope=operation["x-access"]["scope"],
        parameters=[_parameter(each, components) for each in parameters],
        forms=list(_forms(body.get("schema", {}), components)),
        body="" if example is None else _pretty(example),
        curl=_curl(path, method, operation, parameters, example),
        answers=list(_answers(answers)),
        failures=list(_failures(answers)),
    )


def _resolved(part: Mapping[str, Any], components: Mapping[str, Any]) -> Any:
    """What a reference of the contract leads to."""
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    return components[kind][name]


def _marked(text: str) -> Markup:
    """A sentence of the contract, its code as such."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped


def _paragraphs(text: str) -> Sequence[Markup]:
    return [_marked(each) for each in _PARAGRAPHS.split(text.strip())]


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _parameter(
    parameter: Mapping[str, Any], components: Mapping[str, Any]
) -> OperationField:
    schema = parameter["schema"]
    return OperationField(
        name=parameter["name"],
        where=parameter["in"],
        kind=_kind(schema, components),
        required=parameter.get("required", False),
        about=_marked(parameter.get("description", "")),
    )


def _forms(
    schema: Mapping[str, Any], components: Mapping[str, Any]
) -> Iterator[BodyForm]:
    """The fields of a body, form by form."""
    whole = _resolved(schema, components)
    several = whole.get("oneOf", whole.get("anyOf", ()))
    for form in several or [whole]:
        found = _resolved(form, components)
        required = found.get("required", ())
        fields = [
            OperationField(
                name, "", _kind(inner, components), name in required, _about(inner)
            )
            for name, inner in found.get("properties", {}).items()
        ]
        if fields:
            yield BodyForm(form["$ref"].split("/")[-1] if several else "", fields)


def _about(schema: Mapping[str, Any]) -> Markup:
    return _marked(schema.get("description", ""))


def _kind(schema: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    """The type of a value in a few words: `integer, 1 to 200, else 50`."""
    words = [_type(schema, components)]
    if "minimum" in schema and "maximum" in schema:
        words.append(f"{schema['minimum']} to {schema['maximum']}")
    if "maxLength" in schema:
        words.append(f"at most {schema['maxLength']} characters")
    if "default" in schema:
        words.append(f"else {json.dumps(schema['default'], ensure_ascii=False)}")
    return ", ".join(words)


def _type(schema: Mapping[str, Any], components: Mapping[str, Any]) -> str:
    """A type by itself; the words of an enumeration stand for its name."""
    match schema:
        case {"$ref": str(place)}:
            found = _resolved(schema, components)
            if "enum" in found or {"type": "string"} in found.get("anyOf", ()):
                return _type(found, components)
            return place.split("/")[-1]
        case {"anyOf": list(kinds)}:
            # That other words may come is told once, in the contract's introduction.
            known = [_type(kind, components) for kind in kinds]
            return " or ".join(each for each in known if each != "string")
        case {"enum": list(values)}:
            return " | ".join(json.dumps(each) for each in values)
        case {"const": value}:
            return json.dumps(value)
        case {"type": "array"}:
            return f"list of {_kind(schema['items'], components)}"
        case _:
            kinds = schema.get("type", "value")
            told = " or ".join(kinds) if isinstance(kinds, list) else str(kinds)
            return f"{told}, {schema['format']}" if "format" in schema else told


def _curl(
    path: str,
    method: str,
    operation: Mapping[str, Any],
    parameters: Sequence[Mapping[str, Any]],
    example: object,
) -> str:
    """The same on the command line."""
    for each in parameters:
        if each["in"] == "path":
            value = examples.of_parameter(each["name"], each["schema"])
            path = path.replace(f"{{{each['name']}}}", str(value))
    streams = "text/event-stream" in operation["responses"].get("200", {}).get(
        "content", {}
    )
    # Without -N curl keeps messages back until there are many.
    words = ["curl", "-sN" if streams else "-s"]
    if method != "get":
        words += ["-X", method.upper()]
    words.append(shlex.quote(public_urls.url(path)))
    if {"token": []} in operation.get("security", []):
        words += ["-H", '"$A"']
    if example is not None:
        words += ["-H", "'Content-Type: application/json'"]
        words += ["-d", shlex.quote(json.dumps(example, ensure_ascii=False))]
    return " ".join(words)


def _answers(answers: Mapping[str, Mapping[str, Any]]) -> Iterator[OperationAnswer]:
    for status, answer in answers.items():
        content = answer.get("content", {})
        # Problems have several examples, and are told by their codes.
        if any("examples" in media for media in content.values()):
            continue
        about = _marked(answer.get("description", ""))
        for kind, media in content.items():
            example = media.get("example", "")
            text = _pretty(example) if kind == _JSON else str(example)
            yield OperationAnswer(status, about, kind, text)
        if not content:
            yield OperationAnswer(status, about, "", "")


def _failures(answers: Mapping[str, Mapping[str, Any]]) -> Iterator[Failure]:
    for status, answer in sorted(answers.items()):
        for media in answer.get("content", {}).values():
            for code, example in media.get("examples", {}).items():
                yield Failure(status, code, example["value"]["detail"])


def _steps(path: str) -> Markup:
    """A path that breaks before a slash and nowhere else."""
    first, *others = path.removeprefix("/").split("/")
    return Markup("<wbr>").join((f"/{first}", *(f"/{each}" for each in others)))
