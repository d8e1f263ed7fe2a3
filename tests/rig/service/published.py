"""The published contract, read as its users read it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from service.api.openapi import enrichment

PUBLISHED = Path(__file__).parents[3] / "openapi.yaml"


@cache
def published() -> dict[str, Any]:
    return yaml.load(PUBLISHED.read_text(), yaml.CSafeLoader)


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    return published()["components"][kind][name]


def operations() -> list[dict[str, Any]]:
    return list(enrichment.operations(published()))


def bodies(operation: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Whatever an operation takes or gives: where, media type, and what is told."""
    parts = {"body": operation.get("requestBody", {}), **operation["responses"]}
    for place, part in parts.items():
        for kind, media in resolved(part).get("content", {}).items():
            yield place, kind, media
