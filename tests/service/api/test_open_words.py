"""Words that a later version may add to: open where they are read, named, described."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from openapi_schema_validator import OAS31Validator

from engine import events
from service.api.openapi import examples
from service.values.lines import StockPhrase
from tests.rig.service.published import (
    PUBLISHED,
    bodies,
    operations,
    published,
    resolved,
)


def forms(union: str) -> dict[str, dict[str, Any]]:
    """The forms of a union by their names."""
    whole = published()["components"]["schemas"][union]
    return {each["$ref"].split("/")[-1]: resolved(each) for each in whole["anyOf"]}


def known(union: str, told_apart: str) -> set[str]:
    """What tells the forms of a union apart; the last one is open to any other."""
    *named, other = forms(union).values()
    assert other["properties"][told_apart]["type"] == "string"
    assert "enum" not in other["properties"][told_apart]
    values = {each["properties"][told_apart]["const"] for each in named}
    for value in values:
        assert f"`{value}`" in other["properties"][told_apart]["description"]
    return values


@pytest.mark.parametrize("union", ["Answer", "RecordEvent", "StreamMessage", "Problem"])
def test_what_comes_later_is_the_last_form_by_its_name_too(union: str) -> None:
    # Some generators try the forms by their names; this one fits every other.
    *_, later = names = list(forms(union))

    assert later == max(names)


def test_every_event_of_the_record_is_one_of_the_described() -> None:
    tags = {str(kind.__struct_config__.tag) for kind in get_args(events.Record)}

    assert known("RecordEvent", "type") == tags
    entry = published()["components"]["schemas"]["RecordEntry"]
    assert entry["properties"]["event"] == {"$ref": "#/components/schemas/RecordEvent"}


def test_every_message_of_a_stream_is_one_of_the_described() -> None:
    assert known("StreamMessage", "event") == {
        "view",
        "entry",
        "reset",
        "message",
    }


def test_every_problem_is_described_by_its_code() -> None:
    codes = {
        code
        for operation in operations()
        for _, kind, media in bodies(operation)
        if kind == "application/problem+json"
        for code in media["examples"]
    }

    assert known("Problem", "code") == codes


def enumerations(schema: Any, seen: set[str]) -> Iterator[tuple[Any, bool]]:
    """Every enumeration below a schema, and whether any other word may be there."""
    match schema:
        case {"$ref": str(place)} if place not in seen:
            yield from enumerations(resolved(schema), seen | {place})
        case {"anyOf": list(kinds)} if {"type": "string"} in kinds:
            for kind in kinds:
                yield from ((each, True) for each, _ in enumerations(kind, seen))
        case {"enum": values}:
            yield tuple(values), False
        case dict():
            for inner in schema.values():
                yield from enumerations(inner, seen)
        case list():
            for inner in schema:
                yield from enumerations(inner, seen)
        case _:
            pass


def test_words_in_answers_are_open_and_those_in_requests_closed() -> None:
    asked = set[tuple[tuple[str, ...], bool]]()
    promised = set[tuple[tuple[str, ...], bool]]()
    for operation in operations():
        for place, kind, media in bodies(operation):
            if kind.endswith("json"):
                found = set(enumerations(media["schema"], set()))
                (asked if place == "body" else promised).update(found)

    cards = ("no", "stomachache", "yes")
    assert len(promised) > 10
    assert all(is_open for _, is_open in promised)
    phrases = tuple(sorted(StockPhrase))
    # What was offered is sent back verbatim, and described as it was.
    assert {values for values, is_open in asked if is_open} == {cards, phrases}


def test_every_enumeration_has_a_name_and_a_type() -> None:
    schemas = published()["components"]["schemas"]
    named = [schema for schema in schemas.values() if "enum" in schema]

    text = PUBLISHED.read_text()
    headers = published()["components"]["headers"].values()
    inline = [each for each in headers if "enum" in each["schema"]]
    assert len(re.findall(r"^ +enum:", text, re.MULTILINE)) == len(named + inline)
    assert {schema["type"] for schema in named} == {"string"}


def unions(schema: Any) -> Iterator[list[Any]]:
    """Every union somewhere in a schema."""
    match schema:
        case dict():
            if isinstance(schema.get("anyOf"), list):
                yield schema["anyOf"]
            for inner in schema.values():
                yield from unions(inner)
        case list():
            for inner in schema:
                yield from unions(inner)
        case _:
            pass


def test_open_words_are_described_once_under_a_name_of_their_own() -> None:
    is_open = [each for each in unions(published()) if {"type": "string"} in each]
    named = published()["components"]["schemas"]

    assert len(is_open) > 10
    for words, other in is_open:
        _, name = words["$ref"].rsplit("/", 1)
        assert named[f"Any{name}"]["anyOf"] == [words, other]
    names = [words["$ref"] for words, _ in is_open]
    assert len(names) == len(set(names))


def made_up(example: Any, **words: object) -> Any:
    """An example with other words in some of its places, wherever they are."""
    match example:
        case dict():
            return {
                name: words[name] if name in words else made_up(inner, **words)
                for name, inner in example.items()
            }
        case list():
            return [made_up(each, **words) for each in example]
        case _:
            return example


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ("View", {"starting_hand": ["yes", "abstain"], "phase": "council"}),
        ("View", {"answer": {"kind": "council", "seats": [1, 2]}}),
        ("View", {"answer": {"kind": "election", "card": "abstain"}}),
        ("Receipt", {"answer": {"kind": "council", "seats": [1, 2]}}),
        ("RecordEntry", {"event": {"type": "council_held", "seats": [1, 2]}}),
        ("Game", {"status": "adjourned", "visibility": "friends"}),
        ("Edition", {"id": "grand", "kind": "balcony", "key": "abstain"}),
        ("Problem", {"code": "council-in-session", "status": 409}),
    ],
)
def test_what_comes_later_passes_the_contract(
    schema: str, words: dict[str, object]
) -> None:
    place = {"$ref": f"#/components/schemas/{schema}"}
    busy = {"type": "urn:x", "title": "X", "status": 503, "detail": "", "code": "busy"}
    example = (
        busy
        if schema == "Problem"
        else examples.sample(place, published()["components"])
    )

    later = made_up(example, **words)

    assert later != example
    OAS31Validator({**place, "components": published()["components"]}).validate(later)
