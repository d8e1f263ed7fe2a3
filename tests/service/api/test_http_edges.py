"""The edges that programs of others trip over: the same for every operation."""

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service import app as application
from service import config
from service.present import languages
from tests.rig import apps
from tests.rig.service import programs
from tests.rig.service.programs import Api, Table
from tests.rig.service.promised import Operation, below_v1, call, is_problem, operations
from tests.rig.service.seated import run

# No stream ends by itself.
ENDLESS = ("streamGame", "streamTurns")
SITE = {"Origin": "https://elsewhere.example"}


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api)


def timeless(answer: TestResponse) -> dict[str, str]:
    """The headers that don't count moments or requests."""
    return {
        name: value
        for name, value in answer.headers
        if name != "Date" and not name.startswith("RateLimit-")
    }


def reads(app: Flask) -> list[Operation]:
    return [each for each in below_v1(app) if each.method == "GET"]


def test_an_address_with_a_slash_more_is_another_one_and_never_a_redirect(
    app: Flask, table: Table
) -> None:
    for each in below_v1(app):
        answer = table.api.call(
            each.method,
            f"{each.at(game=table.id)}/",
            table.tokens[0],
            json=each.body,
            headers={"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"},
        )
        assert is_problem(answer, 404, "not-found"), each.name
        assert "Location" not in answer.headers


def test_a_head_is_its_get_without_the_body(app: Flask, table: Table) -> None:
    for each in reads(app):
        if each.name in ENDLESS:
            continue
        whole, head = call(table, each), call(table, each, "HEAD")
        assert head.status_code == whole.status_code, each.name
        assert not head.data
        assert timeless(head) == timeless(whole), each.name


def test_a_mark_is_promised_where_it_is_given(app: Flask, table: Table) -> None:
    for each in operations(app):
        if each.method == "GET" and each.name not in ENDLESS:
            answer = call(table, each)
            if answer.status_code == 200:
                marked = "ETag" in answer.headers
                assert marked is ("304" in each.answers), each.name


def test_another_site_may_ask_what_it_may_send(app: Flask, table: Table) -> None:
    for each in below_v1(app):
        answer = app.test_client().options(
            each.at(game=table.id),
            headers={
                **SITE,
                "Access-Control-Request-Method": each.method,
                "Access-Control-Request-Headers": "authorization,if-match",
            },
        )
        assert answer.status_code == 204
        assert not answer.data
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert each.method in answer.headers["Access-Control-Allow-Methods"].split(", ")
        taken = answer.headers["Access-Control-Allow-Headers"].split(", ")
        assert {
            "Authorization",
            "Content-Type",
            "Idempotency-Key",
            "If-Match",
            "If-None-Match",
            "Last-Event-ID",
            "Accept-Language",
        } <= set(taken)
        assert int(answer.headers["Access-Control-Max-Age"]) > 0
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_another_site_reads_answers_and_their_headers(api: Api, table: Table) -> None:
    paths = ("/v1/editions", table.path, "/v1/nothing", "/v1/me/turns")
    for path in paths:
        answer = api.get(path, **SITE)
        shown = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert {
            "ETag",
            "Location",
            "Link",
            "Retry-After",
            "Content-Language",
            "Idempotent-Replayed",
            "Allow",
        } <= set(shown)


def test_pages_are_for_their_own_site_alone(app: Flask) -> None:
    for path in ("/", "/rules", "/nothing", "/healthz"):
        answer = app.test_client().get(path, headers=SITE)
        assert not [name for name, _ in answer.headers if name.startswith("Access")]


def test_what_cannot_be_done_to_a_thing_tells_what_can(
    app: Flask, table: Table
) -> None:
    known: dict[str, set[str]] = {}
    for each in below_v1(app):
        known.setdefault(each.path, set()).add(each.method)
    for each in below_v1(app):
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - known[each.path]:
            answer = table.api.call(
                method,
                each.at(game=table.id),
                table.tokens[0],
                headers={"X-HTTP-Method-Override": each.method},
            )
            assert is_problem(answer, 405, "method-not-allowed"), each.path
            assert known[each.path] <= set(answer.headers["Allow"].split(", "))


def test_a_method_is_what_the_request_line_says(table: Table) -> None:
    for header in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        answer = table.api.get(table.path, table.tokens[0], **{header: "DELETE"})
        assert answer.status_code == 200

    assert table.view().json["status"] == "running"


@pytest.mark.parametrize(
    ("wanted", "language"),
    [("fr-CH", "fr"), ("xx", "en"), ("de-AT;q=0.4, xx", "de"), ("", "en"), ("*", "en")],
)
def test_a_reader_gets_their_language_or_english(
    api: Api, wanted: str, language: str
) -> None:
    for path in ("/v1/editions", "/v1/nothing/here", "/v1/me/turns"):
        answer = api.get(path, Accept_Language=wanted)
        assert answer.headers["Content-Language"] == language


@pytest.mark.parametrize(
    "wanted", [";;;", "q=1", "en;q=nan", "\x7f", "e" * 4000, "en-", "-", "en;q=1e999"]
)
def test_a_language_that_is_none_is_no_fault(api: Api, wanted: str) -> None:
    answer = api.get("/v1/editions", Accept_Language=wanted)

    assert answer.status_code == 200
    assert answer.headers["Content-Language"] in languages.API_LANGUAGES


@pytest.fixture
def broken(app: Flask, table: Table) -> Iterator[Table]:
    """A table in a database that has lost where games are."""
    with app.app_context():
        run("ALTER TABLE game RENAME TO lost")
    yield table
    with app.app_context():
        run("ALTER TABLE lost RENAME TO game")


def test_a_fault_of_ours_is_a_problem_and_tells_nothing_of_it(broken: Table) -> None:
    client = broken.api.app.test_client()

    answer = client.get(f"{broken.path}/view", headers={"Accept-Language": "de"})

    assert is_problem(answer, 500, "internal")
    assert answer.headers["Content-Language"] == "de"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert set(answer.json) == {"type", "title", "status", "detail", "code"}
    assert "game" not in answer.text.replace("problem", "")


def test_behind_a_proxy_links_lead_to_the_public_address(
    app: Flask, environ: dict[str, str]
) -> None:
    settings = config.load(
        environ | {"TRUSTED_PROXIES": "1", "PUBLIC_URL": "https://play.example"}
    )
    behind = application.create_app(settings)
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}

    begun = behind.test_client().post("/v1/practice-games", json={}, headers=forwarded)
    slashed = behind.test_client().post(
        "/v1/practice-games/", json={}, headers=forwarded
    )

    apps.put_away(behind)
    assert begun.headers["Location"].startswith("https://play.example/v1/games/")
    assert slashed.status_code == 404
    assert "Location" not in slashed.headers


def test_a_fault_of_ours_is_a_problem_without_a_trace_of_it(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("service.api.http.access.read_model", broken)

    answer = api.client.get(table.path)

    assert (answer.status_code, answer.mimetype) == (500, programs.PROBLEM)
    assert answer.json["code"] == "internal"
    assert "secret" not in answer.text
