"""Limits over HTTP: told in headers, refused with 429, and never in an answer's way."""

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service import limits
from service.limits import PAINTING, PRACTICES, PRACTISING, READING, SIGNING_IN
from tests.service import programs
from tests.service.programs import Api, Table

HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")


@pytest.fixture
def api(limited: Flask) -> Api:
    return Api(limited)


def use_up(app: Flask, rule: limits.Rule, whose: str) -> None:
    with app.app_context():
        for _ in range(rule.amount):
            limits.current().take(rule, whose)


def use_up_token(app: Flask, rule: limits.Rule, token: str) -> None:
    use_up(app, rule, limits.key(rule, None, f"Bearer {token}"))


def told(answer: TestResponse) -> list[int]:
    return [int(answer.headers[name]) for name in HEADERS]


def test_every_reading_tells_what_is_left(api: Api) -> None:
    table = Table(api)

    answers = [table.view(0), table.view(0), table.view(1), table.view()]

    assert [told(each) for each in answers] == [
        [600, 599, 60],
        [600, 598, 60],
        [600, 599, 60],
        [600, 599, 60],
    ]


def test_a_304_tells_it_too(api: Api) -> None:
    table = Table(api)
    mark = table.view(0).headers["ETag"]

    again = api.get(f"{table.path}/view", table.tokens[0], If_None_Match=mark)

    assert (again.status_code, told(again)) == (304, [600, 598, 60])


def test_more_than_the_limit_is_refused_until_it_is_over(api: Api) -> None:
    table = Table(api)
    use_up_token(api.app, READING, table.tokens[0])

    refused = table.view(0)

    assert (refused.status_code, refused.json["code"]) == (429, "too-many-requests")
    assert refused.json["retry_after"] == 60
    assert refused.headers["Retry-After"] == "60"
    assert told(refused) == [600, 0, 60]
    assert table.view(1).status_code == 200
    assert table.view().status_code == 200


def test_an_answer_is_never_blocked(api: Api) -> None:
    table = Table(api)
    token = table.tokens[table.asked]
    legal = table.first_legal(table.asked)
    for rule in (READING, limits.WRITING, limits.CREATING):
        use_up_token(api.app, rule, token)
        use_up(api.app, rule, "127.0.0.1")

    answers = [table.put(table.asked, legal, table.decision, token)]
    answers += [table.put(0, legal, answers[0].json["decision"], token)] * 3

    assert {each.status_code for each in answers} == {200}
    assert not any(name in answers[0].headers for name in HEADERS)


def test_head_counts_as_get_does(api: Api) -> None:
    table = Table(api)

    head = api.call("HEAD", f"{table.path}/view", table.tokens[0])

    assert told(head)[1] == 599


def test_painting_has_a_limit_of_its_own(api: Api) -> None:
    table = Table(api)
    use_up_token(api.app, PAINTING, table.tokens[0])

    assert api.get(f"{table.path}/view.png", table.tokens[0]).status_code == 429
    assert api.get(f"{table.path}/view.svg", table.tokens[0]).status_code == 200


def test_codes_are_asked_for_ten_times_an_hour_from_one_network(api: Api) -> None:
    body = {"address": "somebody@example.org"}

    answers = [api.call("POST", "/v1/sign-in", json=body) for _ in range(11)]

    assert [each.status_code for each in answers] == [202] * 10 + [429]
    assert told(answers[0]) == [10, 9, 3600]
    elsewhere = {"REMOTE_ADDR": "192.0.2.9"}
    other = api.call("POST", "/v1/sign-in", json=body, environ_base=elsewhere)
    assert other.status_code == 202


def test_pages_and_programs_practise_from_one_purse(api: Api) -> None:
    use_up(api.app, PRACTISING, "127.0.0.1")

    program = api.call("POST", "/v1/practice-games", json={})
    page = api.client.post("/practice", headers={"Origin": "http://localhost"})

    assert (program.status_code, page.status_code) == (429, 429)
    assert page.headers["Retry-After"] == "3600"


def test_all_together_practise_so_often_and_nobody_is_told_how_often(api: Api) -> None:
    first = api.call("POST", "/v1/practice-games", json={})
    use_up(api.app, PRACTICES, "")

    refused = api.call("POST", "/v1/practice-games", json={})

    assert (first.status_code, told(first)) == (201, [20, 19, 3600])
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3600")


def test_without_limits_nothing_is_told(app: Flask) -> None:
    api = Api(app)

    answer = api.get("/v1/editions")

    assert answer.status_code == 200
    assert not any(name in answer.headers for name in HEADERS)


def test_what_is_refused_changes_nothing(api: Api) -> None:
    token = programs.operator_token(api)
    use_up_token(api.app, limits.CREATING, token)

    refused = api.call(
        "POST", "/v1/games", token, json={"seats": [{"kind": "bot"}] * 3}
    )

    assert refused.status_code == 429
    assert api.get("/v1/games", token).json == {"games": []}


def test_an_address_that_asks_for_codes_too_often_still_signs_in(api: Api) -> None:
    use_up(api.app, SIGNING_IN, "127.0.0.1")
    body = {"sign_in": "00000000-0000-4000-8000-000000000000", "code": "000000"}

    answer = api.call("POST", "/v1/sign-in/confirmation", json=body)

    assert answer.json["code"] == "code-refused"


def call_as(api: Api, header: str, path: str) -> TestResponse:
    return api.client.get(path, headers={"Authorization": header})


def test_a_token_counts_once_however_its_header_is_written(api: Api) -> None:
    token = programs.operator_token(api)
    headers = [f"Bearer {token}", f"Bearer   {token}", f"bEARER {token}"]

    left = [told(call_as(api, each, "/v1/games"))[1] for each in headers]

    assert left == [599, 598, 597]


def test_a_header_without_a_token_of_ours_counts_for_the_network(api: Api) -> None:
    headers = ["Bearer one", "Bearer two", "Basic three"]

    left = [told(call_as(api, each, "/v1/games"))[1] for each in headers]

    assert left == [599, 598, 597]


def test_made_up_tokens_are_bounded_by_their_network(api: Api) -> None:
    wide, _ = limits.in_turn(READING, f"Bearer kup_{'a' * 26}")
    use_up(api.app, wide, "127.0.0.1")

    refused = call_as(api, f"Bearer kup_{'b' * 26}", "/v1/games")

    assert (wide.amount, refused.status_code) == (6000, 429)


def test_where_no_token_is_looked_at_none_is_counted(api: Api) -> None:
    headers = [f"Bearer kup_{letter * 26}" for letter in "abc"]

    left = [told(call_as(api, each, "/v1/editions"))[1] for each in headers]

    assert left == [599, 598, 597]
