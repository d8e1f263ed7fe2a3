"""Of several things that are wrong, the same one is told first by every operation."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.auth import bearer
from tests.rig.service import promised
from tests.rig.service.everybody import Crowd
from tests.rig.service.programs import Api, Table, unknown_game
from tests.rig.service.promised import Operation

NOT_UNDERSTOOD = 2
"""Where Accept, query, headers and body come: in no order that is promised."""


class Fault(NamedTuple):
    """One thing that is wrong with a request: where it comes, and what is told."""

    rank: int
    status: int
    applies: Callable[[Operation], bool]


def is_own(each: Operation) -> bool:
    return each.who in ("person", "seat", "host")


def has_token(each: Operation) -> bool:
    return each.who not in ("public", "holder")


def writes(each: Operation) -> bool:
    return each.method != "GET"


FAULTS = {
    "no token": Fault(0, 401, is_own),
    "an unknown token": Fault(0, 401, has_token),
    "an expired token": Fault(0, 401, has_token),
    "a token without the scope": Fault(1, 403, has_token),
    "a token for another game": Fault(
        1,
        403,
        lambda each: (
            has_token(each)
            and ("{game}" in each.path or each.scope in bearer.OF_ACCOUNTS)
        ),
    ),
    "accept": Fault(NOT_UNDERSTOOD, 406, lambda each: bool(media(each))),
    "query": Fault(NOT_UNDERSTOOD, 422, lambda each: True),
    "condition": Fault(
        NOT_UNDERSTOOD,
        422,
        lambda each: writes(each) and each.name != "putAnswer",
    ),
    "media type": Fault(NOT_UNDERSTOOD, 415, writes),
    "length": Fault(NOT_UNDERSTOOD, 413, writes),
    "body": Fault(NOT_UNDERSTOOD, 422, writes),
    "nothing there": Fault(3, 404, lambda each: "{" in each.path),
}

TOKENS = [name for name in FAULTS if "token" in name]


def media(each: Operation) -> list[str]:
    """What an operation answers in when all is well."""
    return [
        kind
        for status, answer in each.answers.items()
        if status.startswith("2")
        for kind in answer.get("content", {})
    ]


def pairs(each: Operation) -> Iterator[tuple[str, str]]:
    """Every two faults of which one comes first, and each alone."""
    possible = [name for name, fault in FAULTS.items() if fault.applies(each)]
    for name in possible:
        yield name, name
    for one, other in combinations(possible, 2):
        both_tokens = one in TOKENS and other in TOKENS
        if not both_tokens and FAULTS[one].rank != FAULTS[other].rank:
            yield one, other


class Asking:
    """Requests that are wrong in one way or two."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.nowhere = unknown_game()
        # No request that is wrong moves the game.
        self.decision = crowd.table.decision
        self._tokens: dict[object, str] = {}

    def __call__(self, each: Operation, *wrong: str) -> TestResponse:
        return self.crowd.api.call(
            each.method,
            self.path(each, *wrong),
            self.token(each, *wrong),
            headers=self.headers(*wrong),
            **self.body(each, *wrong),
        )

    def path(self, each: Operation, *wrong: str) -> str:
        table = self.crowd.table
        values: dict[str, object] = {
            "game": table.id,
            "decision": self.decision,
            "seat": 1,
        }
        if "nothing there" in wrong:
            values = {"game": self.nowhere, "edition": "chess"}
        return each.at(**values) + ("?colour=red" if "query" in wrong else "")

    def token(self, each: Operation, *wrong: str) -> str | None:
        tokens = self.crowd.tokens
        if not has_token(each) or "no token" in wrong:
            return None
        if "an unknown token" in wrong:
            return tokens["unknown"]
        if "an expired token" in wrong:
            return tokens["expired"]
        if "a token for another game" in wrong:
            return tokens["token for another game"]
        if "a token without the scope" in wrong:
            return self._without(each.scope, each.others)
        return tokens["host"]

    def _without(self, *scopes: str | None) -> str:
        if scopes not in self._tokens:
            rest = tuple(each for each in bearer.SCOPES if each not in scopes)
            self._tokens[scopes] = self.crowd.token(scopes=rest)
        return self._tokens[scopes]

    def headers(self, *wrong: str) -> dict[str, str]:
        accept = {"Accept": "application/x-nothing"} if "accept" in wrong else {}
        tags = {"If-Match": "no tag"} if "condition" in wrong else {}
        return accept | tags

    def body(self, each: Operation, *wrong: str) -> dict[str, Any]:
        if "media type" in wrong:
            return {"data": b"{}", "content_type": "text/plain"}
        if "length" in wrong:
            return {"data": b" " * 20_000, "content_type": "application/json"}
        if "body" in wrong:
            return {"data": b'{"colour":', "content_type": "application/json"}
        return {} if each.body is None else {"json": each.body}


def first(*wrong: str) -> set[int]:
    """The statuses of what comes first."""
    rank = min(FAULTS[name].rank for name in wrong)
    return {FAULTS[name].status for name in wrong if FAULTS[name].rank == rank}


def test_the_token_comes_before_the_request_and_that_before_the_thing(
    api: Api,
) -> None:
    crowd = Crowd(api)
    ask = Asking(crowd)
    for each in promised.below_v1(api.app):
        ask.token(each, "a token without the scope")
    before, tried = crowd.rows(), 0

    for each in promised.below_v1(api.app):
        for wrong in pairs(each):
            answer = ask(each, *wrong)
            assert answer.status_code in first(*wrong), (each.name, wrong, answer.text)
            tried += 1

    assert crowd.rows() == before
    assert tried > 1000


def test_what_is_wrong_with_a_thing_is_told_last(api: Api) -> None:
    table, elsewhere = Table(api, visibility="players"), Table(api)
    stranger = elsewhere.tokens[0]
    answer = f"{table.path}/decisions/1/answer"

    hidden = api.call("PUT", answer, stranger, json={"kind": "move", "character": "A"})
    wrong = api.call("PUT", answer, stranger, json={"kind": "sit"})
    no_host = api.call("DELETE", elsewhere.path, elsewhere.tokens[1], json={"x": 1})

    assert (hidden.status_code, wrong.status_code) == (404, 422)
    assert no_host.status_code == 422


def asked(api: Api, token: str | None, times: int = 1) -> TestResponse:
    for _ in range(times - 1):
        api.client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})
    return api.get("/v1/me?colour=red", token)


def test_a_network_that_shows_bad_tokens_is_told_of_its_limit_first(
    limited: Flask,
) -> None:
    api = Api(limited)

    answer = asked(api, f"kup_{'a' * 26}", 121)

    assert (answer.status_code, answer.json["whose"]) == (429, "network")


@pytest.mark.parametrize("who", ["expired", "revoked"])
def test_a_token_that_is_over_is_told_so_and_then_counts_as_a_bad_one(
    limited: Flask, who: str
) -> None:
    api = Api(limited)
    crowd = Crowd(api)

    first, later = asked(api, crowd.tokens[who], 120), asked(api, crowd.tokens[who], 2)

    assert (first.status_code, first.json["reason"]) == (401, f"{who}-token")
    assert (later.status_code, later.json["whose"]) == (429, "network")


def test_a_good_token_is_told_of_its_limit_before_its_scope(limited: Flask) -> None:
    api = Api(limited)
    narrow = Crowd(api).tokens["host without profile"]

    before, after = asked(api, narrow), asked(api, narrow, 600)

    assert (before.status_code, after.status_code) == (403, 429)
    assert after.json["whose"] == "token"


def test_a_token_whose_network_shows_bad_ones_is_asked_as_ever(
    limited: Flask,
) -> None:
    api = Api(limited)
    crowd = Crowd(api)
    asked(api, crowd.tokens["expired"], 130)

    assert api.get("/v1/me", crowd.tokens["host"]).status_code == 200
