"""What is added to the contract as a whole: examples, words for parameters."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from service.api.http import response_headers
from service.api.openapi import examples

_JSON: Final = "application/json"
_RESPONSES: Final = "#/components/responses/"
_MOST_SHARED: Final = 3

_PARAMETERS: Final[Mapping[str, str]] = {
    "absence": "The absence's id.",
    "cursor": "Where the list goes on: from the `Link` of the page before.",
    "decision": "The number of the decision.",
    "device": "The device's id.",
    "edition": "The edition's id.",
    "game": "The game's id.",
    "limit": "The most that one answer shall hold.",
    "message": "The message's id.",
    "seat": "The number of the seat.",
    "status": "How far games are: being laid, inviting, running or over.",
    "secret": "The secret from the link that was mailed.",
    "token": "The token's id, not the token itself.",
    "proposal": "The number of a proposal.",
}
"""What a parameter is, by its name, where nothing else says it."""


def finished(spec: dict[str, Any]) -> dict[str, Any]:
    """The contract with examples and descriptions in every place.

    A failure that many operations share is kept once, under `components`. Raises
    LookupError for a parameter that nothing describes.
    """
    for path in spec["paths"].values():
        for parameter in _parameters_of(path):
            name = parameter["name"]
            if "description" not in parameter:
                parameter["description"] = _PARAMETERS[name]
    for operation in operations(spec):
        operation.setdefault("description", operation["summary"])
        _lead_on(operation)
        _exemplify(operation, spec)
        _share(operation["responses"], spec["components"])
    return spec


def operations(spec: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every operation of a contract."""
    for path in spec["paths"].values():
        for method, operation in path.items():
            if method != "parameters":
                yield operation


def _parameters_of(path: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield from path.get("parameters", ())
    for method, operation in path.items():
        if method != "parameters":
            yield from operation.get("parameters", ())


def _lead_on(operation: Mapping[str, Any]) -> None:
    """What comes in parts leads to its next part."""
    names = {each["name"] for each in operation.get("parameters", ())}
    if "limit" in names:
        operation["responses"]["200"]["headers"] |= response_headers.named(
            response_headers.LINK
        )


def _exemplify(operation: Mapping[str, Any], spec: Mapping[str, Any]) -> None:
    """Show a body to send, and one of every answer that brings one."""
    bodies = [operation["requestBody"]] if "requestBody" in operation else []
    bodies += operation["responses"].values()
    for body in bodies:
        for kind, media in body.get("content", {}).items():
            if "example" in media or "examples" in media:
                continue
            if kind == _JSON:
                media["example"] = examples.sample(media["schema"], spec["components"])
            else:
                media["example"] = examples.text(kind)


def _share(responses: dict[str, Any], components: dict[str, Any]) -> None:
    """Put failures of few codes where every operation can refer to them.

    Those with other headers or facts have names with a number.
    """
    shared = components.setdefault("responses", {})
    for status, answer in responses.items():
        kinds = answer.get("content", {})
        codes = [code for each in kinds.values() for code in each.get("examples", ())]
        if not status.startswith(("4", "5")) or len(kinds) != 1:
            continue
        if 0 < len(codes) <= _MOST_SHARED:
            name = _free_name(f"{status}-{'-or-'.join(codes)}", answer, shared)
            shared[name] = answer
            responses[status] = {"$ref": f"{_RESPONSES}{name}"}


def _free_name(name: str, answer: object, shared: Mapping[str, object]) -> str:
    """The first of a row of names under which nothing else is shared."""
    names = (name, *(f"{name}-{number}" for number in range(2, len(shared) + 3)))
    return next(each for each in names if shared.get(each, answer) == answer)
