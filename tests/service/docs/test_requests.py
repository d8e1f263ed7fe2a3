"""Every request that docs/api.md prints is one that the contract takes."""

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import jsonschema_rs
import pytest
import yaml

from tests.rig.service.manual import ROOT, page

_VARIABLE = re.compile(r"\$[A-Z]")


class Request(NamedTuple):
    """A request as it is printed; `body` is None without one, or for a variable."""

    method: str
    path: str
    query: frozenset[str]
    body: str | None


def printed() -> Iterator[Request]:
    for block in re.findall(r"```sh\n(.*?)```", page("api.md"), re.S):
        text = block.replace("\\\n", " ")
        for command in re.split(r"^curl ", text, flags=re.M)[1:]:
            yield request(shlex.split(command))


def request(words: list[str]) -> Request:
    """What the words behind `curl` ask, up to the end of the command."""
    method, url, body, left = "GET", "", None, iter(words)
    for word in left:
        if word == "-X":
            method = next(left)
        elif word == "-d":
            body = next(left)
        elif word in ("-H", "-o"):
            next(left)
        elif word.startswith("$B"):
            url = word.removeprefix("$B")
        elif not word.startswith("-"):
            break
    parts = urlsplit(url)
    names = frozenset(name for name, _ in parse_qsl(parts.query))
    written = None if body is None or _VARIABLE.fullmatch(body) else body
    return Request(method, _VARIABLE.sub("x", parts.path), names, written)


@pytest.fixture(scope="module")
def contract() -> dict[str, Any]:
    text = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.load(text, yaml.CSafeLoader)
    return found


def operation(contract: dict[str, Any], asked: Request) -> dict[str, Any]:
    """The operation that a request asks for; what stands there as such comes first."""
    for path in sorted(contract["paths"], key=lambda each: each.count("{")):
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), asked.path):
            found: dict[str, Any] = contract["paths"][path][asked.method.lower()]
            return found
    raise AssertionError(asked.path)


REQUESTS = tuple(printed())


def test_the_page_prints_requests_of_every_kind() -> None:
    assert len(REQUESTS) > 25
    assert {each.method for each in REQUESTS} == {
        "GET",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
    }


@pytest.mark.parametrize("asked", REQUESTS, ids=lambda each: each.path)
def test_what_is_printed_is_a_request_that_the_contract_takes(
    contract: dict[str, Any], asked: Request
) -> None:
    way = operation(contract, asked)

    named = {
        each["name"] for each in way.get("parameters", ()) if each["in"] == "query"
    }
    assert asked.query <= named
    if asked.body is not None:
        schema = way["requestBody"]["content"]["application/json"]["schema"]
        whole = {**schema, "components": contract["components"]}
        jsonschema_rs.Draft202012Validator(whole).validate(json.loads(asked.body))
