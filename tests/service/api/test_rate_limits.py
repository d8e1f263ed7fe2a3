"""Limits over HTTP: told in headers, refused with 429, and never in an answer's way."""

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.rate_limits import limits
from service.rate_limits.limits import (
    CODES,
    PICTURES,
    PRACTICE,
    READING,
    TABLES,
    TURNS,
    VIEWS,
    Party,
    Whose,
)
from tests.rig.service import programs
from tests.rig.service.counted import FIGURES, HERE, figures, use_up, use_up_token
from tests.rig.service.programs import Api, Table


@pytest.fixture
def api(limited: Flask) -> Api:
    return Api(limited)


def practise(api: Api, token: str | None = None, address: str = "") -> TestResponse:
    there = {"REMOTE_ADDR": address} if address else None
    return api.call(
        "POST", "/v1/practice-games", token, json={}, environ_base=there or {}
    )


def use_up_together(app: Flask) -> None:
    """Leave nothing of the practice games that strangers share."""
    for number in range(250):
        use_up(app, PRACTICE, Party(Whose.NETWORK, f"10.0.0.{number}"))
    for number in range(300):
        with app.app_context():
            limits.current().take(PRACTICE, Party(Whose.NETWORK, f"10.1.0.{number}"))


def test_every_reading_tells_what_is_left(api: Api) -> None:
    table = Table(api)

    answers = [table.view(0), table.view(0), table.view(1), table.view()]
    games = api.get("/v1/games", table.tokens[0])

    assert [figures(each) for each in answers] == [
        [100, 99, 10],
        [100, 98, 10],
        [100, 99, 10],
        [100, 99, 10],
    ]
    assert figures(games) == [600, 599, 60]


def test_a_304_tells_it_too(api: Api) -> None:
    table = Table(api)
    mark = table.view(0).headers["ETag"]

    again = api.get(f"{table.path}/view", table.tokens[0], If_None_Match=mark)

    assert (again.status_code, figures(again)) == (304, [100, 98, 10])


def test_more_than_the_limit_is_refused_until_it_is_over(api: Api) -> None:
    table = Table(api)
    use_up_token(api.app, READING, table.tokens[0])

    refused = api.get("/v1/games", table.tokens[0])

    assert (refused.status_code, refused.json["code"]) == (429, "too-many-requests")
    assert refused.json["limit"] == "reading"
    assert refused.json["whose"] == "token"
    assert refused.json["most"] == 600
    assert refused.json["retry_after"] == 60
    assert refused.headers["Retry-After"] == "60"
    assert figures(refused) == [600, 0, 60]
    assert api.get("/v1/games", table.tokens[1]).status_code == 200
    assert api.get("/v1/games").status_code == 200


def test_an_answer_is_never_blocked(api: Api) -> None:
    table = Table(api)
    token = table.tokens[table.asked]
    legal = table.first_legal(table.asked)
    for rule in (READING, limits.WRITING, VIEWS, TURNS, TABLES, limits.REFUSED):
        use_up_token(api.app, rule, token)
        use_up(api.app, rule)

    answers = [table.put(table.asked, legal, table.decision, token)]
    answers += [table.put(0, legal, answers[0].json["decision"], token)] * 3

    assert {each.status_code for each in answers} == {200}
    assert not any(name in answers[0].headers for name in FIGURES)


@pytest.mark.parametrize(
    ("polled", "other"),
    [("/v1/me/turns", "/view"), ("/view", "/v1/me/turns?view=true")],
)
def test_a_bot_that_polls_too_hard_still_plays(
    api: Api, polled: str, other: str
) -> None:
    table = Table(api, rounds=1)
    seat = table.asked
    paths = [table.path + each if each == "/view" else each for each in (polled, other)]

    statuses = [api.get(paths[0], table.tokens[seat]).status_code for _ in range(150)]
    seen = api.get(paths[1], table.tokens[seat])
    legal = (seen.json if other == "/view" else seen.json["turns"][0]["view"])["legal"]
    answered = table.put(seat, legal[0]["answer"])

    assert statuses == [200] * 100 + [429] * 50
    assert (seen.status_code, answered.status_code) == (200, 200)


def test_what_it_takes_to_play_is_not_used_up_by_anything_else(api: Api) -> None:
    table = Table(api)
    for rule in (READING, limits.WRITING, PICTURES):
        use_up_token(api.app, rule, table.tokens[0])

    needed = ["/view", "/events", "/v1/me/turns"]
    paths = [each if each.startswith("/v1") else table.path + each for each in needed]
    answers = [api.get(path, table.tokens[0]).status_code for path in paths]
    stream = api.call("HEAD", f"{table.path}/stream", table.tokens[0])

    assert (answers, stream.status_code) == ([200] * 3, 200)


def test_head_counts_as_get_does(api: Api) -> None:
    table = Table(api)

    head = api.call("HEAD", f"{table.path}/view", table.tokens[0])

    assert figures(head)[1] == 99


def test_painting_has_a_limit_of_its_own(api: Api) -> None:
    table = Table(api)
    use_up_token(api.app, PICTURES, table.tokens[0])

    assert api.get(f"{table.path}/view.png", table.tokens[0]).status_code == 429
    assert api.get(f"{table.path}/view.svg", table.tokens[0]).status_code == 200


def test_codes_are_asked_for_ten_times_an_hour_from_one_network(api: Api) -> None:
    body = {"address": "somebody@example.org"}

    answers = [api.call("POST", "/v1/sign-in", json=body) for _ in range(11)]

    assert [each.status_code for each in answers] == [202] * 10 + [429]
    assert figures(answers[0]) == [10, 9, 3600]
    elsewhere = {"REMOTE_ADDR": "192.0.2.9"}
    other = api.call("POST", "/v1/sign-in", json=body, environ_base=elsewhere)
    assert other.status_code == 202


def test_pages_and_programs_practise_from_one_budget(api: Api) -> None:
    use_up(api.app, PRACTICE)

    program = practise(api)
    page = api.client.post("/practice", headers={"Origin": "http://localhost"})

    assert (program.status_code, page.status_code) == (429, 429)
    assert page.headers["Retry-After"] == "3600"


def test_all_strangers_practise_so_often_and_nobody_is_told_how_often(
    api: Api,
) -> None:
    first = practise(api)
    use_up_together(api.app)

    refused = practise(api)

    assert (first.status_code, figures(first)) == (201, [20, 19, 3600])
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3600")
    assert (refused.json["whose"], refused.json["most"]) == ("instance", 1000)


def test_strangers_shut_nobody_out_who_has_proved_a_mailbox(api: Api) -> None:
    token = programs.operator_token(api)
    use_up_together(api.app)
    use_up(api.app, PRACTICE)

    answers = [practise(api, token) for _ in range(21)]

    assert [each.status_code for each in answers] == [201] * 20 + [429]
    assert answers[-1].json["whose"] == "person"
    assert practise(api).status_code == 429


def test_whoever_practises_has_proved_no_mailbox(api: Api) -> None:
    token = practise(api).json["token"]
    use_up(api.app, PRACTICE)

    refused = practise(api, token)

    assert (refused.status_code, refused.json["whose"]) == (429, "network")


def test_without_limits_nothing_is_told(app: Flask) -> None:
    api = Api(app)

    answer = api.get("/v1/editions")

    assert answer.status_code == 200
    assert not any(name in answer.headers for name in FIGURES)


def test_what_is_refused_changes_nothing(api: Api) -> None:
    token = programs.operator_token(api)
    use_up_token(api.app, TABLES, token)

    refused = api.call(
        "POST", "/v1/games", token, json={"seats": [{"kind": "bot"}] * 3}
    )

    assert refused.status_code == 429
    assert api.get("/v1/games", token).json == {"games": []}


def test_an_address_that_asks_for_codes_too_often_still_signs_in(api: Api) -> None:
    use_up(api.app, CODES)
    body = {"sign_in": "00000000-0000-4000-8000-000000000000", "code": "000000"}

    answer = api.call("POST", "/v1/sign-in/confirmation", json=body)

    assert answer.json["code"] == "code-refused"


def call_as(api: Api, header: str, path: str) -> TestResponse:
    return api.client.get(path, headers={"Authorization": header})


def test_a_token_counts_once_however_its_header_is_written(api: Api) -> None:
    token = programs.operator_token(api)
    headers = [f"Bearer {token}", f"Bearer   {token}", f"bEARER {token}"]

    left = [figures(call_as(api, each, "/v1/games"))[1] for each in headers]

    assert left == [599, 598, 597]


def test_what_was_made_before_counts_once(api: Api) -> None:
    key = {"Idempotency-Key": "a key that nobody guesses"}
    answers = [
        api.call("POST", "/v1/practice-games", json={}, headers=key) for _ in range(3)
    ]

    assert [each.status_code for each in answers] == [201] * 3
    assert figures(practise(api))[1] == 18


MISTYPED = (
    ("POST", "/v1/practice-games", {"bots": ["nobody"] * 3}),
    ("POST", "/v1/sign-in", {"address": "no address"}),
    ("POST", "/v1/games", {"seats": [{"kind": "bot", "bot": "nobody"}] * 3}),
    ("GET", "/v1/games/00000000-0000-4000-8000-000000000007/view.png", None),
)


@pytest.mark.parametrize(("method", "path", "body"), MISTYPED)
def test_what_was_refused_uses_up_no_quota(
    api: Api, method: str, path: str, body: object
) -> None:
    token = programs.operator_token(api)
    options = {} if body is None else {"json": body}

    statuses = {api.call(method, path, token, **options).status_code for _ in range(70)}
    good = [practise(api, token), practise(api)]
    codes = api.call("POST", "/v1/sign-in", json={"address": "me@example.org"})
    table = Table(api)
    opened = api.call("POST", "/v1/games", token, json={"seats": [{"kind": "bot"}] * 3})
    painted = api.get(f"{table.path}/view.png", token)

    assert 429 not in statuses
    assert all(400 <= each < 500 for each in statuses)
    assert [figures(each)[:2] for each in good] == [[20, 19], [20, 19]]
    assert figures(codes)[:2] == [10, 9]
    assert figures(opened)[1] <= 59
    assert figures(painted)[1] <= 59
    assert (opened.status_code, painted.status_code) == (201, 200)


def test_every_operation_that_has_a_quota_is_tried_mistyped(api: Api) -> None:
    quotas = {rule.name for rule in vars(limits).values() if _is_quota(rule)}

    assert quotas == {
        "practice-games",
        "codes",
        "tables",
        "pictures",
    }


def _is_quota(rule: object) -> bool:
    return isinstance(rule, limits.Rule) and rule.quota


def test_where_no_token_is_looked_at_none_is_counted(api: Api) -> None:
    headers = [f"Bearer kup_{letter * 26}" for letter in "abc"]

    left = [figures(call_as(api, each, "/v1/editions"))[1] for each in headers]

    assert left == [599, 598, 597]


def test_the_networks_of_strangers_are_told_their_own_figures(api: Api) -> None:
    use_up(api.app, READING, HERE)

    here = api.get("/v1/editions")
    there = api.call("GET", "/v1/editions", environ_base={"REMOTE_ADDR": "192.0.2.1"})

    assert (here.status_code, there.status_code) == (429, 200)
    assert here.json["whose"] == "network"
