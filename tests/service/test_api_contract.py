"""The contract: written from the code, valid, served, and true of every route."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from service.api import contract
from tests.service.programs import Api

PUBLISHED = Path(__file__).parents[2] / "openapi.yaml"


def test_the_published_contract_is_what_the_code_says(app: Flask) -> None:
    assert PUBLISHED.read_text() == contract.document(app)


def test_the_contract_is_valid() -> None:
    OpenAPIV31SpecValidator(yaml.safe_load(PUBLISHED.read_text())).validate()


def test_the_contract_is_served(app: Flask) -> None:
    answer = Api(app).get("/v1/openapi.yaml")

    assert answer.text == PUBLISHED.read_text()
    assert answer.mimetype == "application/yaml"


def test_the_contract_is_printed_without_any_setting() -> None:
    printed = subprocess.run(
        [sys.executable, "-P", "-m", "service.cli", "openapi"],
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )

    assert printed.stdout == PUBLISHED.read_text()


def test_every_route_below_v1_is_in_the_contract(app: Flask) -> None:
    paths = yaml.safe_load(PUBLISHED.read_text())["paths"]
    promised = {
        (path, method.upper())
        for path, operations in paths.items()
        for method in operations
        if method != "parameters"
    }

    served = {
        (re.sub(r"<(?:[^<>]+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/v1") or rule.rule in ("/healthz", "/readyz")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }

    assert served == promised


@pytest.mark.parametrize("schema", ["PlacementSchema", "Variants", "Request:"])
def test_the_contract_speaks_of_the_game_not_of_our_classes(schema: str) -> None:
    assert schema not in PUBLISHED.read_text()


def test_requests_refuse_unknown_fields_and_replies_are_whole() -> None:
    schemas = yaml.safe_load(PUBLISHED.read_text())["components"]["schemas"]

    assert schemas["TableWish"]["additionalProperties"] is False
    assert schemas["Move"]["additionalProperties"] is False
    assert set(schemas["View"]["required"]) == set(schemas["View"]["properties"])
    assert schemas["Answer"]["discriminator"]["propertyName"] == "kind"
