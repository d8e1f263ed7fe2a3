"""The schemas of replies and of record events, made from the structs themselves."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, get_args

import msgspec
from apispec import APISpec

from engine import events
from service.api.http.replies import Moment

Schema: TypeAlias = dict[str, Any]

_SCHEMAS: Final = "#/components/schemas/"
_OF_REQUESTS: Final = ("Placement", "Move", "Ballot")
_SUFFIXES: Final = ("Reply", "View")


class _Union(msgspec.Struct, frozen=True):
    """What one of several types is called, and what it is."""

    name: str
    description: str


_UNIONS: Final[Mapping[str, _Union]] = {
    "event": _Union(
        "StreamMessage", "A message of a stream: its fields, with the JSON of `data`."
    ),
    "kind": _Union("Answer", "An answer to a decision, by the kind of its question."),
    "type": _Union(
        "RecordEvent", "An event of the record, by its `type`: docs/fairness.md."
    ),
}
"""The unions of the contract, by the property that tells their types apart."""

_CALLED: Final[Mapping[str, str]] = {
    "AnswerReceipt": "Receipt",
    "Card": "CardKey",
    "CardReply": "Card",
    "History": "BallotHistory",
    "Kind": "DecisionKind",
    "Source": "AnswerSource",
}
"""What the contract calls types whose name in the code means something else there."""


def describe(spec: APISpec, kinds: Iterable[Any]) -> None:
    """Put types of replies into the contract, those of events, and all they are of."""
    references, found = msgspec.json.schema_components(
        [*kinds, events.Record],
        ref_template=f"{_SCHEMAS}{{name}}",
        schema_hook=_of_type,
    )
    unions: dict[str, Schema] = {}
    for reference in references:
        _plain(reference, unions)
    for name, schema in found.items():
        if name not in _OF_REQUESTS:
            spec.components.schema(called(name), _plain(schema, unions))
    for name, schema in unions.items():
        if name not in spec.components.schemas:
            spec.components.schema(name, schema)


def reference(kind: Any) -> Schema:
    """Where the contract describes a type of reply, or one of several."""
    (found,), _ = msgspec.json.schema_components(
        [kind], ref_template=f"{_SCHEMAS}{{name}}", schema_hook=_of_type
    )
    told: Schema = _plain(found, {})
    return told


def called(name: str) -> str:
    """What the contract calls a type."""
    if name in _EVENTS:
        return f"{name.removesuffix('Record')}Event"
    if name in _CALLED:
        return _CALLED[name]
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and name != suffix:
            return name.removesuffix(suffix)
    return name


def _of_type(kind: type) -> Schema:
    if kind is Moment:
        return {"type": "string", "format": "date-time"}
    raise NotImplementedError


_EVENTS: Final[Mapping[str, str]] = {
    kind.__name__: str(kind.__struct_config__.tag) for kind in get_args(events.Record)
}
"""The types of events, by the names of their structs."""


def _plain(schema: Any, unions: dict[str, Schema]) -> Any:
    """A schema as generators of clients read it best, its references under new names.

    Pairs are lists of two; enumerations say what type they are of; what may be null is
    said by its types, where it has some; titles are gone, as they repeat a name. A
    union is a reference to its name, under which it is found in `unions`.
    """
    match schema:
        case {"anyOf": kinds, "discriminator": told_apart, **more}:
            union = _UNIONS[told_apart["propertyName"]]
            unions[union.name] = _union(union, kinds, told_apart)
            return {"$ref": f"{_SCHEMAS}{union.name}", **more}
        case {"$ref": str(place), **more}:
            return {"$ref": _renamed(place), **more}
        case {"anyOf": [{"type": str()} as inner, {"type": "null"}], **more}:
            types = [inner["type"], "null"]
            return _plain({**inner, "type": types, **more}, unions)
        case {"prefixItems": [first, *_], **more}:
            return _plain({**more, "items": first}, unions)
        case {"enum": _}:
            return _worded({"type": "string", **schema})
        case dict():
            return {
                key: value if key == "examples" else _plain(value, unions)
                for key, value in _worded(schema).items()
            }
        case list():
            return [_plain(each, unions) for each in schema]
        case _:
            return schema


def _union(union: _Union, kinds: Iterable[Schema], told_apart: Schema) -> Schema:
    mapping = {tag: _renamed(place) for tag, place in told_apart["mapping"].items()}
    return {
        "description": union.description,
        "oneOf": [{"$ref": _renamed(kind["$ref"])} for kind in kinds],
        "discriminator": {**told_apart, "mapping": mapping},
    }


def _renamed(place: str) -> str:
    return _SCHEMAS + called(place.removeprefix(_SCHEMAS))


def _worded(schema: Schema) -> Schema:
    """A schema without its title, and with the words of JSON for those of Python."""
    # A property may be called `title` as well: that is no text.
    plain = {
        key: value
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }
    told = plain.get("description")
    if isinstance(told, str):
        flat = "\n".join(line.strip() for line in told.splitlines())
        plain["description"] = flat.replace("None", "null").replace(" (RULES §3)", "")
    return plain
