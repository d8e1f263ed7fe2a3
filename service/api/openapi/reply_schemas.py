"""The schemas of replies and of record events, made from the structs themselves.

They are open to what comes: whatever is one of some words may be another, and whatever
is one of some forms may be another with a new word in it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, get_args

import msgspec
from apispec import APISpec

from engine import events
from service.api.http.replies import Moment

Schema: TypeAlias = dict[str, Any]

SCHEMAS: Final = "#/components/schemas/"

_NULL: Final[Schema] = {"type": "null"}
_TEXT: Final[Schema] = {"type": "string"}
_SENT_BACK: Final = ("Placement", "Move", "Ballot")
"""What replies offer as it is to be sent: the schemas of requests describe it."""

_SUFFIXES: Final = ("Reply", "View")


class _Union(msgspec.Struct, frozen=True):
    """What one of several forms is called, and one that is none of those known."""

    name: str
    description: str
    other: str
    other_description: str


_UNIONS: Final[Mapping[str, _Union]] = {
    "code": _Union(
        "Problem",
        "What went wrong, by its `code`, with the facts of that.",
        "UnknownProblem",
        "A problem with a code that came later. Act by the status.",
    ),
    "event": _Union(
        "StreamMessage",
        "A message of a stream: its fields, with the JSON of `data`.",
        "UnknownMessage",
        "A message that came later: leave it out.",
    ),
    "kind": _Union(
        "Answer",
        "An answer to a decision, by the kind of its question.",
        "UnknownAnswer",
        "An answer of a kind that came later: send what was offered verbatim.",
    ),
    "type": _Union(
        "RecordEvent",
        "An event of the record, by its `type`: docs/fairness.md.",
        "UnknownEvent",
        "An event of a type that came later.",
    ),
}
"""The unions of the contract, by the property that tells their forms apart."""

_CALLED: Final[Mapping[str, str]] = {
    "AnswerReceipt": "Receipt",
    "Card": "CardKey",
    "CardReply": "Card",
    "History": "BallotHistory",
    "InvitationAnswer": "InvitationChoice",
    "Kind": "DecisionKind",
    "Source": "AnswerSource",
    # By its name `UnknownProblem` is the last: some generators try the forms in order.
    "WrongKindProblem": "KindMismatchProblem",
    "WrongMediaTypeProblem": "MediaTypeProblem",
}
"""What the contract calls types whose name in the code wouldn't do there."""

_EVENTS: Final = frozenset(kind.__name__ for kind in get_args(events.Record))
"""The names of the structs of events."""


def describe(spec: APISpec, kinds: Iterable[Any]) -> None:
    """Put types of replies into the contract, those of events, and all they are of."""
    references, found = msgspec.json.schema_components(
        [*kinds, events.Record],
        ref_template=f"{SCHEMAS}{{name}}",
        schema_hook=_of_type,
    )
    words = frozenset(name for name, schema in found.items() if "enum" in schema)
    unions: dict[str, Schema] = {}
    for name, schema in found.items():
        if name not in _SENT_BACK:
            _add(spec, called(name), _plain(schema, words, unions))
    for reference in references:
        _plain(reference, words, unions)
    for name, schema in unions.items():
        _add(spec, name, schema)


def _add(spec: APISpec, name: str, schema: Schema) -> None:
    """Put a schema in under its name, once. Raises ValueError where that is taken."""
    earlier = spec.components.schemas.get(name)
    if earlier is None:
        spec.components.schema(name, schema)
    elif earlier != schema:
        raise ValueError(f"the contract has something else that is called {name}")


def reference(kind: Any) -> Schema:
    """Where the contract describes a type of reply, or one of several."""
    (found,), _ = msgspec.json.schema_components(
        [kind], ref_template=f"{SCHEMAS}{{name}}", schema_hook=_of_type
    )
    schema: Schema = _plain(found, frozenset(), {})
    return schema


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


def open_words(name: str) -> tuple[str, Schema]:
    """Where one of the words called by a name, or any other, is described, and how.

    It has a name of its own: for the `kind` of a `Decision` generators make one up,
    `DecisionKind`, and that is what the words alone are called.
    """
    either = [{"$ref": f"{SCHEMAS}{name}"}, _TEXT]
    about = "One of these, or one that comes later."
    return f"Any{name}", {"description": about, "anyOf": either}


def open_union(tag: str, forms: Mapping[str, str]) -> Mapping[str, Schema]:
    """One of some forms, by the values of the property that tells them apart.

    And the form of what is none of them, each under its name.
    """
    union = _UNIONS[tag]
    known = ", ".join(f"`{value}`" for value in forms)
    other = {
        "description": union.other_description,
        "type": "object",
        "properties": {tag: {**_TEXT, "description": f"Known are {known}."}},
        "required": [tag],
    }
    places = [*dict.fromkeys(forms.values()), f"{SCHEMAS}{union.other}"]
    whole = {
        "description": union.description,
        "anyOf": [{"$ref": place} for place in places],
    }
    return {union.other: other, union.name: whole}


def _of_type(kind: type) -> Schema:
    if kind is Moment:
        return {"type": "string", "format": "date-time"}
    raise NotImplementedError  # What msgspec's hooks say of a type that isn't theirs.


def _plain(schema: Any, words: frozenset[str], unions: dict[str, Schema]) -> Any:
    """A schema as generators of clients read it best, its references under new names.

    Pairs are lists of two; `words`, by the names of their types, are open; what may be
    null is said by its types, where it has some; titles are gone, as they repeat a
    name. A union, of words too, is a reference to its name, as it is in `unions`.
    """
    match schema:
        case {"x-words": name, **more}:
            return _of_words(name, more, unions)
        case {"anyOf": _, "discriminator": tag, **more}:
            name, mapping = tag["propertyName"], tag["mapping"]
            forms = {value: _renamed(place) for value, place in mapping.items()}
            unions.update(open_union(name, forms))
            return {"$ref": f"{SCHEMAS}{_UNIONS[name].name}", **more}
        case {"$ref": str(place), **more} if place.removeprefix(SCHEMAS) in words:
            name = called(place.removeprefix(SCHEMAS))
            return {**_opened(name, unions), **more}
        case {"$ref": str(place), **more}:
            return {"$ref": _renamed(place), **more}
        case {"anyOf": [{"$ref": _} as inner, {"type": "null"}], **more}:
            found = _plain(inner, words, unions)
            return {"anyOf": [*found.get("anyOf", [found]), _NULL], **more}
        case dict():
            return {
                key: value if key == "examples" else _plain(value, words, unions)
                for key, value in _simple(schema).items()
            }
        case list():
            return [_plain(each, words, unions) for each in schema]
        case _:
            return schema


def _simple(schema: Schema) -> Schema:
    """A schema of no other type, in the simplest form that says the same."""
    match schema:
        case {"anyOf": [{"type": str()} as inner, {"type": "null"}], **more}:
            return _worded({**inner, "type": [inner["type"], "null"]} | dict(more))
        case {"prefixItems": [first, *_], **more}:
            return _worded(dict(more) | {"items": first})
        case {"enum": [value], **more}:
            return _worded(dict(more) | {"type": "string", "const": value})
        case {"enum": _}:
            return _worded({"type": "string", **schema})
        case _:
            return _worded(schema)


def _opened(name: str, unions: dict[str, Schema]) -> Schema:
    """One of the words that are called by a name, or another."""
    union, schema = open_words(name)
    unions[union] = schema
    return {"$ref": f"{SCHEMAS}{union}"}


def _of_words(
    name: str, schema: Mapping[Any, Any], unions: dict[str, Schema]
) -> Schema:
    """One of the words that are called by a name, null where that is allowed."""
    rest = {key: value for key, value in schema.items() if key not in ("type", "anyOf")}
    either = _opened(name, unions)
    if _NULL in schema.get("anyOf", ()):
        return {"anyOf": [either, _NULL], **rest}
    return {**either, **rest}


def _renamed(place: str) -> str:
    return SCHEMAS + called(place.removeprefix(SCHEMAS))


def _worded(schema: Schema) -> Schema:
    """A schema without its title, and with the words of JSON for those of Python."""
    # A property may be called `title` as well: that is no text.
    plain = {
        key: value
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }
    description = plain.get("description")
    if isinstance(description, str):
        plain["description"] = prose(description)
    return plain


def prose(docstring: str) -> str:
    """A docstring as it describes JSON: no source of a rule, and null for None."""
    flat = "\n".join(line.strip() for line in docstring.splitlines())
    return flat.replace("None", "null").replace(" (RULES §3)", "")
