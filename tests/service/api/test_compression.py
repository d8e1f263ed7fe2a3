"""Only what holds no secret is compressed: lengths tell what is in a body."""

import gzip
import time
from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from service.api.http import compression
from service.api.http.compression import ENDPOINTS
from tests.rig.service.programs import Api, Table, operator_token

GZIP = {"Accept-Encoding": "gzip"}

Paths = Callable[[Table], str]

ALIKE: dict[str, Paths] = {
    "contract.Contract": lambda table: "/v1/openapi.yaml",
    "editions.Editions": lambda table: "/v1/editions",
    "editions.OneEdition": lambda table: "/v1/editions/jester",
    "events.Events": lambda table: f"{table.path}/events?limit=500",
    "export.Export": lambda table: f"{table.path}/export",
    "static": lambda table: "/static/kingup.css",
    "web.reference.show": lambda table: "/docs",
    "web.rules.show": lambda table: "/rules",
}
"""An address of each endpoint whose answers are compressed."""

OWN = ("view", "view.svg", "view.txt", "", "seats")
"""What is made for a viewer of a game, or has names in it."""


@pytest.fixture
def however_small(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left as it is only because it is short."""
    monkeypatch.setitem(api.app.config, "COMPRESS_MIN_SIZE", 0)


@pytest.fixture
def table(api: Api) -> Table:
    found = Table(api, rounds=1)
    for _ in range(5):
        found.play_a_turn()
    return found


def asked(api: Api, path: str, token: str | None = None, **more: str) -> TestResponse:
    headers = {**GZIP, **more}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    return fetched(api, path, headers)


def fetched(api: Api, path: str, headers: dict[str, str]) -> TestResponse:
    """An answer with its body; of a file that is closed again."""
    answer = api.app.test_client().get(path, headers=headers)
    with answer:
        answer.get_data()
    return answer


def test_every_endpoint_that_is_compressed_is_tried_here() -> None:
    assert set(ALIKE) == compression.ENDPOINTS


def test_what_everybody_gets_alike_is_compressed(api: Api, table: Table) -> None:
    for endpoint in sorted(ENDPOINTS):
        path = ALIKE[endpoint](table)
        plain = fetched(api, path, {})

        small = asked(api, path)

        assert plain.status_code == small.status_code == 200, endpoint
        assert small.headers["Content-Encoding"] == "gzip", endpoint
        assert "Accept-Encoding" in small.headers["Vary"], endpoint
        assert gzip.decompress(small.data) == plain.data, endpoint
        assert len(small.data) < len(plain.data) * 3 / 4, endpoint
        assert "Content-Encoding" not in plain.headers, endpoint
        assert "Accept-Encoding" in plain.headers["Vary"], endpoint


def test_what_is_compressed_is_the_same_for_everybody(api: Api, table: Table) -> None:
    for endpoint in sorted(ENDPOINTS):
        path = ALIKE[endpoint](table)

        answers = [asked(api, path, token) for token in (None, *table.tokens)]

        bodies = {gzip.decompress(each.data) for each in answers}
        assert len(bodies) == 1, endpoint


@pytest.mark.usefixtures("however_small")
def test_what_is_made_for_a_viewer_is_sent_as_it_is(api: Api, table: Table) -> None:
    for what in OWN:
        path = f"{table.path}/{what}".rstrip("/")

        answer = asked(api, path, table.tokens[0])

        assert answer.status_code == 200, what
        assert "Content-Encoding" not in answer.headers, what


@pytest.mark.usefixtures("however_small")
def test_what_is_ones_own_is_sent_as_it_is(api: Api, table: Table) -> None:
    for path in ("/v1/games", "/v1/me", "/v1/me/turns?view=true"):
        answer = asked(api, path, table.tokens[0])

        assert answer.status_code == 200, path
        assert "Content-Encoding" not in answer.headers, path


@pytest.mark.usefixtures("however_small")
def test_a_token_comes_as_it_is(api: Api) -> None:
    token = operator_token(api)

    answer = api.call(
        "POST",
        "/v1/me/tokens",
        token,
        json={"description": "test", "scopes": ["games:read"]},
        headers=GZIP,
    )

    assert answer.status_code == 201
    assert "Content-Encoding" not in answer.headers


def test_the_mark_of_a_compressed_answer_holds_for_both_codings(
    api: Api, table: Table
) -> None:
    marks = {}
    for endpoint in sorted(ENDPOINTS):
        path = ALIKE[endpoint](table)
        mark = marks[endpoint] = asked(api, path).headers.get("ETag")
        # A page is made anew each time.
        if mark is None:
            continue

        small = asked(api, path, **{"If-None-Match": mark})
        plain = fetched(api, path, {"If-None-Match": mark})

        assert mark.startswith("W/"), endpoint
        answers = [(each.status_code, each.data) for each in (small, plain)]
        assert answers == [(304, b"")] * 2, endpoint
    assert {name for name, mark in marks.items() if mark is None} == {
        "web.reference.show",
        "web.rules.show",
    }


def test_whoever_waits_with_the_mark_of_a_compressed_answer_waits(
    api: Api, table: Table
) -> None:
    path = ALIKE["events.Events"](table)
    known = asked(api, path)
    since = time.monotonic()

    later = asked(api, f"{path}&wait=2", **{"If-None-Match": known.headers["ETag"]})

    assert known.headers["Content-Encoding"] == "gzip"
    assert later.status_code == 304
    assert time.monotonic() - since >= 2


def test_nobody_gets_what_they_have_not_asked_for(api: Api, table: Table) -> None:
    for said in ("", "identity", "gzip;q=0", "br"):
        answer = asked(api, ALIKE["events.Events"](table), **{"Accept-Encoding": said})

        assert "Content-Encoding" not in answer.headers, said
