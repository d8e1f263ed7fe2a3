"""The events of a record, described in the contract by the engine's own types."""

from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec
from apispec import APISpec

from engine import events
from service.api.schemas.event import RECORD_EVENT

_PLACE: Final = "#/components/schemas/"


def describe(spec: APISpec) -> None:
    """Put every type of event into the contract, and what is one of them."""
    kinds = get_args(events.Record)
    _, found = msgspec.json.schema_components(kinds, ref_template=f"{_PLACE}{{name}}")
    names = {kind.__name__: _tag(kind) for kind in kinds}
    called = {name: _called(name, names) for name in found}
    for name, schema in found.items():
        spec.components.schema(called[name], _plain(schema, called))
    mapping = {tag: f"{_PLACE}{called[name]}" for name, tag in names.items()}
    whole: dict[str, Any] = {
        "description": "An event of the record, by its `type`: docs/fairness.md.",
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    spec.components.schema(RECORD_EVENT, whole)


def _tag(kind: type[events.Event]) -> str:
    return str(kind.__struct_config__.tag)


def _called(name: str, events_by_name: Mapping[str, str]) -> str:
    """A name that no schema of ours has: `PlacedEvent`, `RecordCard`."""
    if name in events_by_name:
        return f"{name.removesuffix('Record')}Event"
    return f"Record{name}"


def _plain(schema: Any, called: Mapping[str, str]) -> Any:
    """A schema as generators of clients read it best, its references under new names.

    Pairs are lists of two; enumerations say what type they are of; titles are gone, as
    they repeat a name.
    """
    match schema:
        case {"$ref": str(place)}:
            return {"$ref": f"{_PLACE}{called[place.removeprefix(_PLACE)]}"}
        case {"prefixItems": [first, *_], **more}:
            rest = {key: value for key, value in more.items() if key != "items"}
            return {**rest, "items": _plain(first, called)}
        case {"enum": values, **more}:
            kept: dict[str, Any] = {
                str(key): value for key, value in more.items() if key != "title"
            }
            return {"type": "string", "enum": values, **_words(kept)}
        case dict():
            # A property may be called `title` as well: those are further inside.
            plain: dict[str, Any] = {
                str(key): _plain(value, called)
                for key, value in schema.items()
                if not (key == "title" and isinstance(value, str))
            }
            return _words(plain)
        case list():
            return [_plain(each, called) for each in schema]
        case _:
            return schema


def _words(schema: dict[str, Any]) -> dict[str, Any]:
    """The engine's words for its own readers, for those of JSON."""
    told = schema.get("description")
    if isinstance(told, str):
        flat = "\n".join(line.strip() for line in told.splitlines())
        schema["description"] = flat.replace("None", "null").replace(" (RULES §3)", "")
    return schema
