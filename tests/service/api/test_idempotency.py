"""Idempotency-Key: what is sent again gets the first answer and makes nothing twice."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from werkzeug.test import TestResponse

from service.auth import bearer
from service.store import tokens
from service.store.transactions import transaction
from tests.rig.service.programs import Api, Table, let_pass, operator_token
from tests.rig.service.seated import run

TABLE = {"seats": [{"kind": "person", "address": "simon@example.org", "name": "Simon"}]}

HEADER, REPLAYED = "Idempotency-Key", "Idempotent-Replayed"

KEY = "a-key-nobody-guesses"


def post(
    api: Api, key: str, token: str | None, path: str = "/v1/games", **body: Any
) -> TestResponse:
    headers = {"Idempotency-Key": key}
    return api.call("POST", path, token, json=body or wish(), headers=headers)


def wish() -> dict[str, Any]:
    return {"seats": [*TABLE["seats"], {"kind": "bot"}]}


def games(api: Api) -> int:
    with api.app.app_context():
        count: int = run("SELECT count(*) FROM game", {})[0][0]
    return count


def test_the_same_key_and_request_get_the_same_answer(api: Api) -> None:
    token = operator_token(api)
    first = post(api, "k", token)
    before = games(api)

    again = post(api, "k", token)

    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert games(api) == before


def test_a_key_asks_for_one_thing_only(api: Api) -> None:
    token = operator_token(api)
    post(api, "k", token)
    before = games(api)

    other = post(api, "k", token, **wish(), rounds=1)

    assert (other.status_code, other.json["code"]) == (422, "idempotency-key-reused")
    assert games(api) == before


def test_a_key_asks_at_one_address_only(api: Api) -> None:
    host, guest = operator_token(api), operator_token(api, "odette@example.org")
    open_seats = {"seats": [{"kind": "open"}] * 3}
    one, other = (post(api, k, host, **open_seats).json["game"] for k in "ab")
    wanted = {"name": "Odette"}
    first = post(api, "k", guest, f"/v1/games/{one}/seats", **wanted)

    second = post(api, "k", guest, f"/v1/games/{other}/seats", **wanted)

    assert first.status_code == 201
    assert (second.status_code, second.json["code"]) == (422, "idempotency-key-reused")


def test_a_key_is_its_owners_alone(api: Api) -> None:
    first = post(api, "k", operator_token(api))

    other = post(api, "k", operator_token(api, "odette@example.org"))

    assert other.status_code == 201
    assert other.json["game"] != first.json["game"]


def test_another_token_of_the_same_person_has_the_same_keys(api: Api) -> None:
    first = post(api, "k", operator_token(api))

    again = post(api, "k", operator_token(api))

    assert again.data == first.data


def test_what_was_refused_may_be_tried_again_with_its_key(api: Api) -> None:
    token = operator_token(api)
    refused = post(api, "k", token, seats=[{"kind": "bot"}])

    allowed = post(api, "k", token)

    assert refused.status_code == 409
    assert allowed.status_code == 201


@pytest.mark.parametrize("key", ["", "k" * 129, "k" * 10_240, "schlüssel"])
def test_a_key_that_is_none_is_refused(api: Api, key: str) -> None:
    token = operator_token(api)
    before = games(api)

    answer = post(api, key, token)

    assert (answer.status_code, answer.json["field"]) == (422, "Idempotency-Key")
    assert games(api) == before


def test_a_key_is_good_for_seven_days(api: Api) -> None:
    token = operator_token(api)
    first = post(api, "k", token)
    let_pass(api, 24 * 7 + 1)

    again = post(api, "k", token)

    assert again.status_code == 201
    assert again.json["game"] != first.json["game"]


def test_a_token_that_may_not_create_gets_no_kept_answer(api: Api) -> None:
    token = operator_token(api)
    post(api, "k", token)
    with api.app.app_context():
        run("UPDATE token SET scopes = '{games:read}' RETURNING id", {})

    answer = post(api, "k", token)

    assert answer.status_code == 403


ASKED = (
    ("/v1/games", {"seats": [{"kind": "bot"}, {"kind": "bot"}]}),
    ("/v1/me/tokens", {"description": "new", "scopes": ["games:read"]}),
    ("{other}/invitations", {"seat": 1, "address": "odette@example.org"}),
    ("{over}/rematch", None),
)


@pytest.mark.parametrize(("path", "body"), ASKED, ids=lambda each: str(each)[:12])
def test_a_token_of_one_game_gets_what_it_would_get_without_a_key(
    api: Api, path: str, body: dict[str, Any] | None
) -> None:
    over = Table(api, rounds=1, placement="random")
    over.inside("finish")
    full, only = over.tokens[0], one_game(over)
    other = post(api, KEY, full).headers["Location"].removeprefix("http://localhost")
    path = path.format(other=other, over=over.path)
    first = api.call("POST", path, full, json=body, headers={HEADER: "k"})

    with_key = api.call("POST", path, only, json=body, headers={HEADER: "k"})
    without = api.call("POST", path, only, json=body)

    assert first.status_code == 201
    assert with_key.status_code == 403
    assert with_key.data == without.data
    again = api.call("POST", path, full, json=body, headers={HEADER: "k"})
    assert (again.status_code, again.headers[REPLAYED]) == (201, "true")


def one_game(table: Table) -> str:
    """A token with every scope, good for one game alone."""
    with table.api.app.app_context():
        return table.token(0, game_id=table.id)


def test_a_token_of_one_game_has_its_answers_repeated(api: Api) -> None:
    host = operator_token(api)
    body = {"seats": [{"kind": "open"}, *TABLE["seats"]]}
    waits = UUID(post(api, KEY, host, **body).json["game"])
    with api.app.app_context(), transaction():
        (guest,) = run("SELECT id FROM person WHERE address LIKE 'simon@%'")
        only = tokens.issue(guest[0], "test", bearer.SCOPES, waits).token
    seats = f"/v1/games/{waits}/seats"

    first, again = (post(api, "k", only, seats, name="Simon") for _ in range(2))

    assert first.status_code == 201
    assert (again.data, again.headers[REPLAYED]) == (first.data, "true")


def test_a_token_that_could_not_have_made_another_gets_nothing_of_it(api: Api) -> None:
    table = Table(api)
    with api.app.app_context():
        lesser = table.token(0, scopes=["profile"])
    wished = {"description": "new", "scopes": ["games:play", "profile"]}
    made = post(api, "k", table.tokens[0], "/v1/me/tokens", **wished)

    again = post(api, "k", lesser, "/v1/me/tokens", **wished)

    assert made.status_code == 201
    assert (again.status_code, again.json["scope"]) == (403, "games:play")
    assert again.data == api.call("POST", "/v1/me/tokens", lesser, json=wished).data


def test_fifty_at_once_make_one_game(api: Api) -> None:
    token = operator_token(api)
    before = games(api)

    with ThreadPoolExecutor(50) as many:
        programs = list(many.map(lambda _: Api(api.app), range(50)))
        answers = list(many.map(lambda each: post(each, "k", token), programs))

    made = [answer for answer in answers if answer.status_code == 201]
    assert {answer.status_code for answer in answers} <= {201, 503}
    assert len({answer.data for answer in made}) == 1
    assert games(api) == before + 1


def test_a_token_shown_once_is_made_anew_for_a_practice_game(api: Api) -> None:
    first = post(api, KEY, None, "/v1/practice-games", name="Rita")

    again = post(api, KEY, None, "/v1/practice-games", name="Rita")

    assert again.json["game"] == first.json["game"]
    # Nobody on the way keeps what shows a token, neither the first time nor again.
    assert {each.headers["Cache-Control"] for each in (first, again)} == {"no-store"}
    for token in (first.json["token"], again.json["token"]):
        assert api.get(f"/v1/games/{first.json['game']}/view", token).json["own"]
    with api.app.app_context():
        kept = run("SELECT body FROM kept_answer", {})
    assert len(kept) == 1
    assert all(b"kup_" not in body for (body,) in kept)


@pytest.mark.parametrize("token", ["kup_nonsense", "operator"])
def test_a_token_changes_nothing_where_none_is_asked_for(api: Api, token: str) -> None:
    brought = operator_token(api) if token == "operator" else token

    answer = post(api, KEY, brought, "/v1/practice-games", name="Rita")

    assert answer.status_code == 201


def test_nobody_has_a_key_where_a_token_is_asked_for(api: Api) -> None:
    post(api, "k", operator_token(api))

    answer = post(api, "k", None)

    assert answer.status_code == 401


def test_a_key_without_a_token_is_too_long_to_be_guessed(api: Api) -> None:
    short, enough = (
        post(api, key, None, "/v1/practice-games", name="Rita")
        for key in ("k" * 15, "k" * 16)
    )

    assert (short.status_code, short.json["reason"]) == (422, "key-too-short")
    assert "16" in short.json["detail"]
    assert enough.status_code == 201


def practise(api: Api, origin: str, key: str = KEY) -> TestResponse:
    """Begin a practice game from somewhere."""
    return api.call(
        "POST",
        "/v1/practice-games",
        json={},
        headers={HEADER: key},
        environ_base={"REMOTE_ADDR": origin},
    )


def test_a_kept_answer_tells_nobody_where_it_was_asked_for(api: Api) -> None:
    for key in (KEY, KEY + "2"):
        practise(api, "203.0.113.77", key)

    with api.app.app_context():
        kept = [bytes(whose) for (whose,) in run("SELECT principal FROM kept_answer")]

    assert len(set(kept)) == 2
    assert not any(b"203.0.113" in whose for whose in kept)


def test_a_key_without_a_token_is_good_in_its_network_alone(api: Api) -> None:
    first = practise(api, "2001:db8:1:2::1")

    again = practise(api, "2001:db8:1:2:ffff::9")
    elsewhere = practise(api, "2001:db8:1:3::1")

    assert again.json["game"] == first.json["game"]
    assert elsewhere.json["game"] != first.json["game"]
