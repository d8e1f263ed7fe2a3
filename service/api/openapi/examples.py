"""Examples for the contract: of one game that was played, or made from a schema."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec

_SCHEMAS: Final = "#/components/schemas/"

GAME: Final = "2edbd422-2a88-40ee-b087-52df16fde604"

_GAME_URL: Final = f"https://kingup.example/v1/games/{GAME}"

_TEXTS: Final[Mapping[str, str]] = {
    "application/yaml": "openapi: 3.1.0\n",
    "image/png": "\x89PNG",
    "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
    "text/event-stream": (
        'id: 6\nevent: view\ndata: {"revision":6,…}\n\n'
        "id: 7\nevent: entry\n"
        'data: {"revision":7,"head":"7:f902…","event":{"type":"moved",…}}\n\n'
        'event: view\ndata: {"revision":7,…}\n\n'
    ),
}
"""What answers look like that are no JSON, by their media types."""

_FORMATS: Final[Mapping[str, str]] = {
    "date": "2026-03-14",
    "date-time": "2026-03-14T15:09:26.535Z",
    "email": "simon@example.org",
    "uri": _GAME_URL,
    "uuid": GAME,
}

_NAMED: Final[Mapping[str, Any]] = {
    "address": "simon@example.org",
    "bot": "steady",
    "card": "no",
    "character": "A",
    "code": "WDJB-MJHT",
    "daily_at": "20:00",
    "decision": 4,
    "decision_time": 86400,
    "edition": "classic",
    "body": "Your turn.",
    "host_name": "Rachel",
    "kinds": ["your_turn"],
    "language": "en",
    "new_address": "rachel@example.net",
    "new_code": "WDJB-MJHT",
    "old_code": "KXQP-TRHF",
    "zone": "Europe/Rome",
    "head": "8:69739377d82120fc759d62dd8067f2714ef52a18c6cab5462f706b143dd7f0f8",
    "description": "My bot on the train",
    "label": "Nobles",
    "limit": 50,
    "line": "Odessa would make a fine king.",
    "name": "Rachel",
    "nominee": "A",
    "place": "3",
    "scopes": ["games:read", "games:play"],
    "spare": 6,
    "secret": "vzgqm3jcw6ta2hdyol5xkb7sfe",
    "status": "running",
    "stream_url": f"{_GAME_URL}/stream?ticket=vzgqm3jcw6ta2hdyol5xkb7sfe",
    "to": "throne",
    "ticket": "vzgqm3jcw6ta2hdyol5xkb7sfe",
    "token": "kup_7qpvwhad6ryvo243zizapazeu4",
    "word": "abracadabra",
}
"""Values for fields of these names, where they fit the schema."""

_STANDING: Final[Mapping[str, Any]] = {
    "placements": [
        {"character": "A", "place": "4"},
        {"character": "C", "place": "3"},
    ],
    "move": {"character": "A", "to": "5"},
    "election": {"nominees": [{"nominee": "A", "card": "yes"}], "else": "no"},
}


_AS_AT_FIRST: Final = {
    "kept": False,
    "pauses_used": 0,
    "paused_until": None,
    "without_mail": False,
}
"""What seats are like at which nothing has happened."""


@cache
def played() -> Mapping[str, Any]:
    """What schemas look like filled in, by name: from a game that was played."""
    found = resources.files("service.api.openapi").joinpath("samples.json").read_bytes()
    examples: dict[str, Any] = msgspec.json.decode(found)
    for shown in (examples["Game"], examples["View"]):
        shown["seats"] = [{**seat, **_AS_AT_FIRST} for seat in shown["seats"]]
    examples["View"] |= {
        "kept_seat": None,
        "absences": [],
        "expected_end": "2026-04-02",
        "paused": None,
        "proposal": None,
        "extensions_left": 3,
    }
    examples["Game"]["expected_days"] = {"least": 13, "most": 43}
    details = {**examples["Game"], "rematch_url": None}
    return {
        **examples,
        "GameDetails": details,
        "OwnReceipt": {
            **examples["Receipt"],
            "source": "person",
            "reopened": None,
            "wished": None,
        },
        "Turn": _turn(examples["View"]),
        "PracticeGame": _practice(),
        "MessageCreation": {"line": _NAMED["line"]},
        "StandingAnswersUpdate": _STANDING,
        "StandingAnswers": _STANDING,
    }


def opened() -> Mapping[str, Any]:
    """The game that was played, as its host has just laid it."""
    game = played()["Game"]
    host, *guests = (
        {**seat, "program": False, "spare_used": 0} for seat in game["seats"]
    )
    _, head = _NAMED["head"].split(":")
    return {
        **game,
        "status": "inviting",
        "seats": [host, *({**guest, "state": "invited"} for guest in guests)],
        "seat": 0,
        "revision": 1,
        "head": f"1:{head}",
        "started_at": None,
    }


def _turn(view: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a view asks, as a turn tells it."""
    asked = view["decision"]
    number = asked["number"]
    return {
        "game": view["game"],
        "decision": number,
        "kind": asked["kind"],
        "deadline": asked["deadline"],
        "answer_url": f"{_GAME_URL}/decisions/{number}/answer",
        "view": view,
    }


def _practice() -> Mapping[str, Any]:
    """A practice game; its one person has the first seat."""
    return {
        "game": GAME,
        "seat": 0,
        "token": _NAMED["token"],
        "view_url": f"{_GAME_URL}/view",
    }


def text(kind: str) -> str:
    """An answer of a media type that isn't JSON."""
    return _TEXTS.get(kind, "…")


def of_parameter(name: str, schema: Mapping[str, Any]) -> Any:
    """A value for a parameter of an address."""
    return _of_type(schema, {}, name)


def sample(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Any:
    """A value that a schema of the contract allows."""
    return _sample(schema, components["schemas"], "")


def _sample(schema: Mapping[str, Any], named: Mapping[str, Any], name: str) -> Any:
    match schema:
        case {"$ref": str(place)}:
            called = place.removeprefix(_SCHEMAS)
            if called in played():
                return _filled(played()[called], schema, named)
            return _sample(named[called], named, name)
        case {"const": value} | {"example": value} | {"examples": [value, *_]}:
            return value
        case {"enum": [value, *_]}:
            return value
        case {"oneOf": [first, *_]} | {"anyOf": [first, *_]} | {"allOf": [first, *_]}:
            return _sample(first, named, name)
        case _:
            return _of_type(schema, named, name)


def _filled(value: Any, schema: Mapping[str, Any], named: Mapping[str, Any]) -> Any:
    """What was played, with all that a schema has asked for since."""
    while "$ref" in schema or "anyOf" in schema:
        if "anyOf" in schema:
            schema, *others = schema["anyOf"]
            if any("$ref" in other for other in others):
                # One of several forms: it has all that its own asks for.
                return value
        else:
            schema = named[schema["$ref"].removeprefix(_SCHEMAS)]
    if isinstance(value, list):
        return [_filled(each, schema.get("items", {}), named) for each in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    required = schema.get("required", ())
    return {
        name: _filled(value[name], inner, named)
        if name in value
        else _sample(inner, named, name)
        for name, inner in schema["properties"].items()
        if name in value or name in required
    }


def _of_type(schema: Mapping[str, Any], named: Mapping[str, Any], name: str) -> Any:
    known = _NAMED.get(name)
    match _type(schema):
        case "object":
            return _object(schema, named)
        case "array" if isinstance(known, list):
            return known
        case "array":
            fewest = max(1, schema.get("minItems", 0))
            return [_sample(schema.get("items", {}), named, name)] * fewest
        case "integer" | "number" if isinstance(known, int):
            return known
        case "integer" | "number":
            return schema.get("default", schema.get("minimum", 1))
        case "boolean":
            return schema.get("default", False)
        case "string" if schema.get("format") in _FORMATS:
            return _FORMATS[schema["format"]]
        case "string":
            return _string(name)
        case _:
            return None


def _string(name: str) -> str:
    known = _NAMED.get(name)
    if not isinstance(known, str):
        raise LookupError(f"no sample for {name!r}: name one, or its choices")
    return known


def _type(schema: Mapping[str, Any]) -> str:
    """What a schema asks for; the first of several types."""
    kind = schema.get("type", "object" if "properties" in schema else "null")
    return str(kind[0]) if isinstance(kind, list) else str(kind)


def _object(schema: Mapping[str, Any], named: Mapping[str, Any]) -> Any:
    return {
        name: _sample(inner, named, name)
        for name, inner in schema.get("properties", {}).items()
        # Whoever begins wants to see the least that is needed.
        if not inner.get("deprecated")
    }
