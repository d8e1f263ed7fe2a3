"""What is wrong with a token is told to whoever shows it, also as RFC 6750 says it."""

import re
from datetime import timedelta

import pytest
from werkzeug.test import TestResponse

from service.store import clock
from service.values import entropy
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run

CHALLENGE = "WWW-Authenticate"

BODIES = {
    "PUT": {"json": {"kind": "move", "character": "A"}},
    "POST": {"json": {"seats": [{"kind": "bot"}, {"kind": "bot"}]}},
}


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api)


def expired(table: Table) -> str:
    with table.api.app.app_context():
        return table.token(0, expires_at=clock.now() - timedelta(seconds=1))


def revoked(table: Table) -> str:
    with table.api.app.app_context():
        token = table.token(0, expires_at=clock.now() - timedelta(seconds=1))
        values = {"hash": entropy.digest(token)}
        run(
            "UPDATE token SET revoked_at = kingup_now() WHERE token_hash = :hash",
            values,
        )
    return token


def me(table: Table, token: str) -> TestResponse:
    return table.api.get("/v1/me", token)


def parameters(answer: TestResponse) -> dict[str, str]:
    scheme, _, rest = answer.headers[CHALLENGE].partition(" ")
    assert scheme == "Bearer"
    return dict(re.findall(r'(\w+)="([^"\\]*)"(?:, |\Z)', rest))


def test_tokens_that_are_over_are_told_from_those_that_never_were(table: Table) -> None:
    tokens = {
        "bad-token": f"kup_{'a' * 26}",
        "expired-token": expired(table),
        "revoked-token": revoked(table),
    }

    for reason, token in tokens.items():
        answer = me(table, token)
        assert (answer.status_code, answer.json["reason"]) == (401, reason)
    assert len({me(table, token).json["detail"] for token in tokens.values()}) == 3


def test_every_way_to_ask_is_told_so(table: Table) -> None:
    for method, path in (
        ("GET", f"{table.path}/view"),
        ("GET", "/v1/games"),
        ("GET", "/v1/me/turns"),
        ("PUT", f"{table.path}/decisions/1/answer"),
        ("POST", "/v1/games"),
    ):
        answer = table.api.call(method, path, expired(table), **BODIES.get(method, {}))
        assert answer.json["reason"] == "expired-token", path


def test_a_token_that_is_no_good_is_challenged_with_why(table: Table) -> None:
    found = parameters(me(table, expired(table)))

    assert found == {
        "realm": "kingup",
        "error": "invalid_token",
        "error_description": "The token has expired",
    }


def test_a_scope_that_is_missing_is_named(table: Table) -> None:
    with table.api.app.app_context():
        narrow = table.token(0, scopes=("games:read",))

    answer = me(table, narrow)

    assert answer.status_code == 403
    assert parameters(answer)["error"] == "insufficient_scope"
    assert parameters(answer)["scope"] == answer.json["scope"] == "profile"


def test_whoever_sends_no_token_is_told_how_to_and_no_fault(table: Table) -> None:
    for headers in ({}, {"Authorization": "Basic YTpi"}):
        answer = table.api.call("GET", "/v1/me", headers=headers)
        assert answer.headers[CHALLENGE] == 'Bearer realm="kingup"'


def test_a_seat_that_is_missing_is_no_matter_of_the_token(table: Table) -> None:
    elsewhere = Table(table.api)

    answer = elsewhere.put(0, {"kind": "move", "character": "A"}, 1, table.tokens[0])

    assert answer.status_code == 403
    assert CHALLENGE not in answer.headers
