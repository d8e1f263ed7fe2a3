"""The contract: written from the code, valid, served, and true of every route."""

import re
import subprocess
import sys
from collections import Counter
from typing import Any

import msgspec
import pytest
from apispec import APISpec
from flask import Flask
from openapi_schema_validator import OAS31Validator

from service.api.openapi import document, reply_schemas
from tests.rig.service.programs import Api, contract
from tests.rig.service.published import (
    PUBLISHED,
    bodies,
    operations,
    published,
    resolved,
)


def test_the_published_contract_is_what_the_code_says(app: Flask) -> None:
    assert PUBLISHED.read_text() == document.document(app)


def test_the_contract_says_in_yaml_what_every_answer_is_held_to(app: Flask) -> None:
    assert contract(app) == published()


def test_two_things_of_one_name_are_no_contract() -> None:
    spec = APISpec("Two floors", "1", "3.1.0")
    reply_schemas.describe(spec, [msgspec.defstruct("FloorReply", [("room", int)])])

    with pytest.raises(ValueError, match="Floor"):
        reply_schemas.describe(spec, [msgspec.defstruct("FloorView", [("at", str)])])


def test_the_contract_is_served(app: Flask) -> None:
    answer = Api(app).get("/v1/openapi.yaml")

    assert answer.text == PUBLISHED.read_text()
    assert answer.mimetype == "application/yaml"


def test_the_contract_is_in_english_whoever_asks_for_it_first(app: Flask) -> None:
    app.extensions.pop(document._TEXT, None)

    answer = Api(app).get("/v1/openapi.yaml", Accept_Language="fr")

    assert answer.text == PUBLISHED.read_text()
    assert answer.headers["Content-Language"] == "en"


def test_the_contract_is_printed_without_any_setting() -> None:
    printed = subprocess.run(
        [sys.executable, "-P", "-m", "service.commands.cli", "openapi"],
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )

    assert printed.stdout == PUBLISHED.read_text()


def test_every_route_below_v1_is_in_the_contract(app: Flask) -> None:
    paths = published()["paths"]
    promised = {
        (path, method.upper())
        for path, operations in paths.items()
        for method in operations
        if method != "parameters"
    }

    served = {
        (re.sub(r"<(?:[^<>]+:)?(\w+?)(?:_id)?>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/v1") or rule.rule in ("/healthz", "/readyz")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }

    assert served == promised


@pytest.mark.parametrize("schema", ["PlacementSchema", "Variants", "Request:"])
def test_the_contract_speaks_of_the_game_not_of_our_classes(schema: str) -> None:
    assert schema not in PUBLISHED.read_text()


def test_requests_refuse_unknown_fields_and_replies_are_whole() -> None:
    schemas = published()["components"]["schemas"]

    assert schemas["GameCreation"]["additionalProperties"] is False
    assert schemas["Move"]["additionalProperties"] is False
    assert set(schemas["View"]["required"]) == set(schemas["View"]["properties"])
    assert schemas["SeatWish"]["discriminator"]["propertyName"] == "kind"


def test_every_operation_has_a_short_name_of_its_own() -> None:
    names = Counter(each["operationId"] for each in operations())

    assert set(names.values()) == {1}
    for name in names:
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+){0,3}", name), name


def test_whatever_is_taken_or_given_has_an_example_that_fits() -> None:
    for operation in operations():
        for place, kind, media in bodies(operation):
            samples = media.get("examples", {}).values()
            examples = [each["value"] for each in samples] or [media["example"]]
            whole = {**media["schema"], "components": published()["components"]}
            for example in examples:
                assert example not in (None, {}), (operation["operationId"], place)
                if kind.endswith("json"):
                    OAS31Validator(whole).validate(example)


def test_every_failure_is_told_with_its_codes() -> None:
    for operation in operations():
        assert "default" not in operation["responses"]
        for status, answer in operation["responses"].items():
            # What is not ready says so in its own words.
            ready = (operation["operationId"], status) == ("getReadiness", "503")
            if status >= "400" and not ready:
                problem = resolved(answer)["content"]["application/problem+json"]
                for code, example in problem["examples"].items():
                    assert example["value"]["code"] == code
                    assert str(example["value"]["status"]) == status
                    assert "%(" not in example["value"]["detail"]


def test_nothing_is_not_found_where_nothing_is_looked_for() -> None:
    looked_for = {"POST /v1/me/tokens", "POST /v1/sign-in/confirmation"}

    for path, ways in published()["paths"].items():
        for method, operation in ways.items():
            if "{" not in path and method != "parameters":
                found = "404" in operation["responses"]
                assert found is (f"{method.upper()} {path}" in looked_for), path


def test_whatever_is_not_understood_tells_all_that_is_wrong() -> None:
    for operation in operations():
        if "422" in operation["responses"]:
            answer = resolved(operation["responses"]["422"])
            media = answer["content"]["application/problem+json"]
            *forms, _ = (resolved(form) for form in media["schema"]["anyOf"])
            assert all("errors" in form["required"] for form in forms)


def test_every_place_that_words_can_stand_in_has_some() -> None:
    tags = {tag["name"] for tag in published()["tags"] if tag["description"]}
    for path in published()["paths"].values():
        for parameter in path.get("parameters", []):
            assert parameter["description"], parameter["name"]
    for operation in operations():
        assert operation["summary"].endswith(".")
        assert set(operation["tags"]) <= tags
        for parameter in operation.get("parameters", []):
            named = (operation["operationId"], parameter["name"])
            assert parameter.get("description"), named
        for answer in operation["responses"].values():
            assert resolved(answer)["description"]
            for header in resolved(answer).get("headers", {}).values():
                assert resolved(header)["description"]


def test_what_is_read_can_be_asked_for_if_it_has_changed() -> None:
    for operation in operations():
        if "304" in operation["responses"]:
            assert "ETag" in operation["responses"]["200"]["headers"]
    names = [each["operationId"] for each in operations() if "304" in each["responses"]]
    assert "getView" in names
    assert "createGame" not in names


def test_no_schema_is_called_what_makes_another_in_go() -> None:
    # A generated type called Game comes with a function called NewGame.
    names = set(published()["components"]["schemas"])

    assert not names & {f"New{name}" for name in names}


def test_the_examples_are_of_one_game_and_agree() -> None:
    paths = published()["paths"]

    def example(path: str, method: str, status: str) -> dict[str, Any]:
        answer = resolved(paths[path][method]["responses"][status])
        return answer["content"]["application/json"]["example"]

    [turn] = example("/v1/me/turns", "get", "200")["turns"]
    receipt = example("/v1/games/{game}/decisions/{decision}/answer", "put", "200")
    view, asked = turn["view"], turn["view"]["decision"]

    assert turn["answer_url"].endswith(
        f"/v1/games/{view['game']}/decisions/{asked['number']}/answer"
    )
    summary = (turn["game"], turn["decision"], turn["kind"], turn["deadline"])
    assert summary == (view["game"], asked["number"], asked["kind"], asked["deadline"])
    assert view["seat"] == view["own"]["seat"] == asked["seat"]
    assert receipt["decision"] == asked["number"]
    assert receipt["answer"] in [offer["answer"] for offer in view["legal"]]
    assert receipt["revision"] == view["revision"] + 1


def test_a_view_says_what_each_of_its_parts_is() -> None:
    schemas = published()["components"]["schemas"]
    parts = [
        ("View", "seat"),
        ("View", "own"),
        ("View", "starting_hand"),
        ("View", "unplaced"),
        ("View", "elections"),
        ("View", "legal"),
        ("Decision", "nominee"),
        ("Decision", "mover"),
        ("Decision", "offers"),
        ("Own", "hand"),
        ("Offer", "nominates"),
        ("Options", "decision_time"),
    ]

    for schema, name in parts:
        assert schemas[schema]["properties"][name].get("description"), (schema, name)
    assert "description: Which" not in PUBLISHED.read_text()
