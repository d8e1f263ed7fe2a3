"""Tokens of one's own: made with no more power than one's token has, and revoked."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from werkzeug.test import TestResponse

from service.auth import bearer, last_use
from service.store import clock, tokens
from service.store.transactions import transaction
from tests.rig.service.programs import Api, Table, let_pass, operator_token
from tests.rig.service.seated import run

PATH = "/v1/me/tokens"


@pytest.fixture
def token(api: Api) -> str:
    return operator_token(api)


def make(api: Api, token: str, **wish: object) -> TestResponse:
    body = {"description": "bot", "scopes": ["games:read"], **wish}
    return api.call("POST", PATH, token, json=body)


def listed(api: Api, token: str) -> list[dict]:
    found: list[dict] = api.get(PATH, token).json["tokens"]
    return found


def keep_usage(api: Api) -> None:
    with api.app.app_context():
        last_use.current().keep()


def test_a_token_is_shown_once_and_listed_without_its_value(
    api: Api, token: str
) -> None:
    answer = make(api, token, scopes=["profile", "games:read", "games:read"])

    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    new = answer.json
    assert new["scopes"] == ["games:read", "profile"]
    assert new["token"].startswith("kup_")
    assert [each["id"] for each in listed(api, new["token"])][0] == new["id"]
    assert new["token"] not in api.get(PATH, token).text


def test_a_token_makes_none_with_more_scopes_than_its_own(api: Api, token: str) -> None:
    lesser = make(api, token, scopes=["games:read", "profile"]).json["token"]

    answer = make(api, lesser, scopes=["games:read", "games:play"])

    assert (answer.status_code, answer.json["scope"]) == (403, "games:play")
    assert len(listed(api, token)) == 2


def test_a_token_makes_none_that_outlives_it(api: Api, token: str) -> None:
    short = make(api, token, scopes=["profile"], expires_in=3600).json

    of_short = make(api, short["token"], scopes=["profile"]).json
    longer = make(api, short["token"], scopes=["profile"], expires_in=7200).json

    assert of_short["expires_at"] == longer["expires_at"] == short["expires_at"]


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_a_token_for_one_game_has_no_account(api: Api, method: str) -> None:
    table = Table(api)
    with api.app.app_context():
        one = table.token(0, scopes=bearer.SCOPES, game_id=table.id)

    answer = api.call(method, "/v1/me", one, json={} if method == "PATCH" else None)

    assert (answer.status_code, answer.json["reason"]) == (403, "one-game")
    assert make(api, one).json["reason"] == "one-game"


def test_a_token_for_one_game_is_for_who_sits_there(api: Api, token: str) -> None:
    table = Table(api)
    mine = make(api, table.tokens[0], game=str(table.id), scopes=["games:read"])

    others = make(api, token, game=str(table.id))

    assert mine.json["game"] == str(table.id)
    assert api.get(f"{table.path}/view", mine.json["token"]).json["own"]
    assert (others.status_code, others.json["what"]) == (404, "game")


def test_an_expired_token_is_no_good(api: Api, token: str) -> None:
    short = make(api, token, scopes=["profile"], expires_in=60).json["token"]
    before = api.get(PATH, short).status_code
    let_pass(api, 0.02)

    assert (before, api.get(PATH, short).status_code) == (200, 401)


def test_an_end_is_said_in_one_way(api: Api, token: str) -> None:
    with api.app.app_context():
        end = (clock.now() + timedelta(hours=1)).isoformat()

    both = make(api, token, expires_in=60, expires_at=end)

    assert (both.status_code, both.json["field"]) == (422, "expires_at")
    assert make(api, token, expires_at=end).json["expires_at"][:16] == end[:16]


def test_a_revoked_token_is_no_good_and_stays_listed(api: Api, token: str) -> None:
    new = make(api, token, scopes=["profile"]).json

    done = api.call("DELETE", f"{PATH}/{new['id']}", token)
    again = api.call("DELETE", f"{PATH}/{new['id']}", token)

    assert (done.status_code, again.status_code) == (204, 204)
    assert api.get(PATH, new["token"]).status_code == 401
    assert listed(api, token)[0]["revoked_at"]


def test_with_its_own_id_a_token_signs_out(api: Api, token: str) -> None:
    (mine,) = listed(api, token)

    api.call("DELETE", f"{PATH}/{mine['id']}", token)

    assert api.get("/v1/me", token).status_code == 401


def test_nobody_revokes_the_token_of_somebody_else(api: Api, token: str) -> None:
    (mine,) = listed(api, token)
    stranger = operator_token(api, "simon@example.org")

    answer = api.call("DELETE", f"{PATH}/{mine['id']}", stranger)

    assert (answer.status_code, answer.json["what"]) == (404, "token")
    assert api.get("/v1/me", token).status_code == 200


def test_the_last_use_is_kept_by_and_by(api: Api, token: str) -> None:
    api.get("/v1/editions", token)
    unkept = listed(api, token)[0]["last_used_at"]

    keep_usage(api)

    assert unkept is None
    assert listed(api, token)[0]["last_used_at"]


@pytest.mark.parametrize("scheme", ["bearer ", "BEARER  "])
def test_a_use_is_kept_however_its_header_is_spelled(
    api: Api, token: str, scheme: str
) -> None:
    api.get("/v1/editions", Authorization=scheme + token)

    keep_usage(api)

    assert listed(api, token)[0]["last_used_at"]


def test_what_is_no_blank_is_part_of_a_token(api: Api, token: str) -> None:
    answer = api.get("/v1/me", f"{token}\xa0")

    assert answer.status_code == 401


def test_a_token_in_constant_use_is_written_once_in_five_minutes(
    api: Api, token: str
) -> None:
    api.get(PATH, token)
    keep_usage(api)
    first = listed(api, token)[0]["last_used_at"]
    keep_usage(api)
    second = listed(api, token)[0]["last_used_at"]
    let_pass(api, 0.1)
    api.get(PATH, token)
    keep_usage(api)

    assert first == second < listed(api, token)[0]["last_used_at"]


def test_reading_writes_nothing_for_the_last_use(api: Api, token: str) -> None:
    written = "SELECT xmin::text FROM token"
    with api.app.app_context():
        before = run(written, {})
        api.get(PATH, token)

        assert run(written, {}) == before


def test_a_bad_token_is_not_noted(api: Api, token: str) -> None:
    api.get("/v1/me", "kup_nobody")
    with api.app.app_context():
        last_use.current().note(b"nobody's")
        last_use.current().keep()

        assert run("SELECT last_used_at FROM token", {}) == [(None,)]


def test_a_repeated_request_makes_one_token_and_never_shows_the_same(
    api: Api, token: str
) -> None:
    body = {"description": "bot", "scopes": ["games:read"]}
    headers = {"Idempotency-Key": "k"}
    first = api.call("POST", PATH, token, json=body, headers=headers)

    again = api.call("POST", PATH, token, json=body, headers=headers)

    assert again.json == {**first.json, "token": again.json["token"]}
    assert again.json["token"] != first.json["token"]
    assert len(listed(api, token)) == 2


def test_nobody_has_more_than_a_hundred_tokens(api: Api, token: str) -> None:
    with api.app.app_context(), transaction():
        (person,) = run("SELECT person_id FROM token", {})[0]
        for _ in range(99):
            tokens.issue(person, "t", ["games:read"])

    assert make(api, token).json["code"] == "too-many-tokens"


@pytest.mark.parametrize("over", ["revoked_at", "expires_at"])
def test_a_token_that_is_over_takes_no_room(api: Api, token: str, over: str) -> None:
    with api.app.app_context(), transaction():
        (person,) = run("SELECT person_id FROM token", {})[0]
        for _ in range(tokens.MOST - 1):
            tokens.issue(person, "t", ["games:read"])
        run(
            f"UPDATE token SET {over} = kingup_now() WHERE id IN"
            " (SELECT id FROM token WHERE name = 't' LIMIT 1)"
        )

    made = [make(api, token).status_code for _ in range(2)]

    assert made == [201, 409]


def test_whoever_asks_many_times_at_once_gets_no_more_than_that(
    api: Api, token: str
) -> None:
    with api.app.app_context(), transaction():
        (person,) = run("SELECT person_id FROM token", {})[0]
        for _ in range(tokens.MOST - 2):
            tokens.issue(person, "t", ["games:read"])

    def ask(_: int) -> int:
        return make(Api(api.app), token).status_code

    with ThreadPoolExecutor(6) as pool:
        found = sorted(pool.map(ask, range(6)))

    assert found == [201, *[409] * 5]
    with api.app.app_context():
        assert tokens.count(person) == tokens.MOST


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"scopes": []}, "scopes"),
        ({"scopes": ["all"]}, "scopes.0"),
        ({"description": ""}, "description"),
        ({"expires_in": 0}, "expires_in"),
        ({"expires_in": True}, "expires_in"),
        ({"expires_at": "2030-01-01T00:00:00"}, "expires_at"),
        ({"game": "none"}, "game"),
        ({"power": 9}, "power"),
    ],
)
def test_what_is_not_understood_is_named(
    api: Api, token: str, wish: dict, field: str
) -> None:
    answer = make(api, token, **wish)

    assert (answer.status_code, answer.json["field"]) == (422, field)


@pytest.mark.parametrize(
    "end", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"]
)
def test_an_end_outside_of_our_times_is_refused(api: Api, end: str) -> None:
    token = operator_token(api)

    answer = api.call(
        "POST",
        "/v1/me/tokens",
        token,
        json={"description": "bot", "scopes": ["games:read"], "expires_at": end},
    )

    assert (answer.status_code, answer.json["field"]) == (422, "expires_at")
