"""Seats before the start over the API: open ones taken, promised ones given, left."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from service.people import auth
from tests.service import programs, seated
from tests.service.programs import Api, Table
from tests.service.seated import run

OPEN, BOT = {"kind": "open"}, {"kind": "bot"}
SIMON = {"kind": "person", "address": "simon@example.org", "name": "Simon"}


@pytest.fixture
def api(app: Flask) -> Api:
    return Api(app)


@pytest.fixture
def host(api: Api) -> str:
    return programs.operator_token(api)


def lay(api: Api, host: str, *seats: object, **wish: Any) -> str:
    """The path of a new table."""
    wish.setdefault("visibility", "listed")
    answer = api.call("POST", "/v1/games", host, json={"seats": list(seats), **wish})
    assert answer.status_code == 201, answer.text
    return f"/v1/games/{answer.json['id']}"


def take(api: Api, path: str, token: str | None, **wish: Any) -> Any:
    return api.call("POST", f"{path}/seats", token, json=wish)


def person(api: Api, name: str) -> str:
    with api.app.app_context():
        address = f"{name.lower()}@example.org"
        return auth.issue_token(address, name)


def states(api: Api, path: str, token: str) -> list[str]:
    return [s["state"] for s in api.get(f"{path}/seats", token).json["seats"]]


def test_whoever_comes_takes_an_open_seat_and_the_last_one_starts_the_game(
    api: Api, host: str
) -> None:
    path = lay(api, host, OPEN, OPEN)
    terry, paul = person(api, "Terry"), person(api, "Paul")

    first = take(api, path, terry, seat=2, word="luck")
    second = take(api, path, paul, name="Pauline")

    assert (first.status_code, first.json["number"]) == (201, 2)
    assert first.headers["Location"] == f"http://localhost{path}/seats/2"
    assert first.json["name"] == "Terry"
    assert (second.json["number"], second.json["name"]) == (1, "Pauline")
    assert api.get(path, terry).json["status"] == "running"
    assert api.get(f"{path}/view", terry).json["own"]["seat"] == 2


def test_an_open_seat_says_nobodys_name(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, BOT)

    seat = api.get(f"{path}/seats/1").json

    assert (seat["kind"], seat["state"], seat["bot"]) == ("open", "open", None)
    assert seat["name"] == "Player 2"
    assert api.get(f"{path}/seats/3").status_code == 404


def test_of_two_who_want_one_seat_at_once_one_has_it(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, SIMON)
    several = [person(api, name) for name in ("Terry", "Paul", "Thomas", "Britta")]

    def wants(token: str) -> tuple[int, str | None]:
        answer = take(Api(api.app), path, token)
        return answer.status_code, answer.json.get("code")

    with ThreadPoolExecutor(4) as pool:
        found = sorted(pool.map(wants, several), key=str)

    assert found == [(201, None)] + [(409, "seat-taken")] * 3


def test_one_person_has_one_seat(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, OPEN, OPEN)
    terry = person(api, "Terry")
    assert take(api, path, terry).status_code == 201

    for token, wish in ((terry, {}), (terry, {"seat": 2}), (host, {})):
        again = take(api, path, token, **wish)
        assert (again.status_code, again.json["code"]) == (409, "address-twice")


def test_whoever_is_invited_takes_the_seat_kept_for_them(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, SIMON)
    simon = person(api, "Simon")

    other = take(api, path, simon, seat=1)
    own = take(api, path, simon, seat=2)

    assert (other.status_code, other.json["code"]) == (409, "address-twice")
    assert own.json["state"] == "joined"
    with api.app.app_context():
        assert run("SELECT state FROM invitation") == [("accepted",)]


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        ({"seat": 0}, 409, "seat-taken"),
        ({"seat": 2}, 409, "seat-taken"),
        ({"seat": 3}, 404, "not-found"),
        ({"seat": 99}, 422, "invalid"),
        ({"seat": "1"}, 422, "invalid"),
        ({"name": "Sіmon"}, 409, "name-taken"),
        ({"name": "evil.example"}, 422, "invalid"),
        ({"word": "x" * 65}, 422, "invalid"),
        ({"chair": 1}, 422, "invalid"),
    ],
)
def test_a_seat_that_cannot_be_had_so_changes_nothing(
    api: Api, host: str, wish: dict[str, Any], status: int, code: str
) -> None:
    path = lay(api, host, OPEN, SIMON)
    terry = person(api, "Terry")
    before = seated.everything(api.app)

    answer = take(api, path, terry, **wish)

    assert (answer.status_code, answer.json["code"]) == (status, code)
    assert seated.everything(api.app) == before


def test_nobody_sits_down_without_a_token_or_once_it_has_begun(
    api: Api, host: str
) -> None:
    path = lay(api, host, OPEN, SIMON)
    running, draft = Table(api), lay_draft(api)
    practice = api.call("POST", "/v1/practice-games", json={}).json["token"]

    assert take(api, path, None).status_code == 401
    assert take(api, path, practice).status_code == 403
    late = take(api, running.path, host)
    assert (late.status_code, late.json["code"]) == (409, "already-started")
    assert take(api, draft, programs.stranger(api)).status_code == 404
    early = take(api, draft, host)
    assert (early.status_code, early.json["code"]) == (409, "table-not-open")


def lay_draft(api: Api) -> str:
    with api.app.app_context():
        return f"/v1/games/{seated.draft(3)}"


def test_open_seats_are_for_tables_that_somebody_finds(api: Api, host: str) -> None:
    wish = {"seats": [OPEN, BOT], "visibility": "players"}

    answer = api.call("POST", "/v1/games", host, json=wish)

    assert (answer.status_code, answer.json["code"]) == (409, "bad-table")
    assert answer.json["option"] == "visibility"
    path = lay(api, host, SIMON, BOT, visibility="players")
    given = api.call("PUT", f"{path}/seats/1", host, json=OPEN)
    assert (given.status_code, given.json["code"]) == (409, "bad-table")


def test_the_host_gives_a_seat_to_a_bot_to_somebody_else_or_to_whoever_comes(
    api: Api, host: str
) -> None:
    path = lay(api, host, SIMON, BOT, OPEN)
    terry = {"kind": "person", "address": "terry@example.org", "name": "Terry"}

    answers = [
        api.call("PUT", f"{path}/seats/{seat}", host, json=wish)
        for seat, wish in ((1, OPEN), (2, terry), (3, BOT))
    ]

    assert [a.status_code for a in answers] == [200] * 3
    assert [a.json["kind"] for a in answers] == ["open", "person", "bot"]
    assert states(api, path, host) == ["joined", "open", "invited", "joined"]
    with api.app.app_context():
        found = run("SELECT seat, state FROM invitation ORDER BY seat")
    assert found == [(1, "withdrawn"), (2, "open")]


def test_a_seat_that_somebody_took_is_given_to_nobody(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, OPEN)
    terry = person(api, "Terry")
    take(api, path, terry, seat=1)

    for token, seat, status in ((host, 1, 409), (host, 0, 409), (host, 3, 404)):
        answer = api.call("PUT", f"{path}/seats/{seat}", token, json=BOT)
        assert answer.status_code == status
    for token, status in ((terry, 403), (None, 401), (programs.stranger(api), 403)):
        answer = api.call("PUT", f"{path}/seats/2", token, json=BOT)
        assert answer.status_code == status


def test_whoever_leaves_an_open_seat_leaves_it_open_and_the_host_hears(
    api: Api, host: str
) -> None:
    path = lay(api, host, OPEN, OPEN)
    terry = person(api, "Terry")
    take(api, path, terry, seat=1)

    assert api.call("DELETE", f"{path}/seats/1", terry).status_code == 204

    assert states(api, path, host) == ["joined", "open", "open"]
    assert api.get(f"{path}/seats/1").json["name"] == "Player 2"
    with api.app.app_context():
        assert seated.kinds(path.split("/")[-1]) == ["declined"]
    assert take(api, path, terry, seat=2).status_code == 201


def test_whoever_was_invited_and_leaves_has_declined(api: Api, host: str) -> None:
    path = lay(api, host, SIMON, OPEN)
    simon = person(api, "Simon")
    take(api, path, simon)

    assert api.call("DELETE", f"{path}/seats/1", simon).status_code == 204
    again = api.call("DELETE", f"{path}/seats/1", simon)

    assert (again.status_code, again.json["reason"]) == (403, "no-seat")
    assert api.get(path, simon).json["seat"] is None

    assert states(api, path, host) == ["joined", "declined", "open"]
    with api.app.app_context():
        assert run("SELECT state FROM invitation") == [("declined",)]
        assert seated.kinds(path.split("/")[-1]) == ["declined", "invitation"]
    assert take(api, path, simon).json["number"] == 2


def test_the_host_frees_a_seat_but_never_leaves(api: Api, host: str) -> None:
    path = lay(api, host, SIMON, OPEN, OPEN)
    terry = person(api, "Terry")
    take(api, path, terry, seat=2)

    assert api.call("DELETE", f"{path}/seats/1", terry).status_code == 403
    assert api.call("DELETE", f"{path}/seats/2", host).status_code == 204
    assert api.call("DELETE", f"{path}/seats/1", host).status_code == 204
    own = api.call("DELETE", f"{path}/seats/0", host)

    assert (own.status_code, own.json["code"]) == (409, "host-stays")
    assert states(api, path, host) == ["joined", "open", "open", "open"]


def test_whoever_declined_reads_a_table_of_players_no_more(api: Api, host: str) -> None:
    path = lay(api, host, SIMON, BOT, visibility="players")
    simon = person(api, "Simon")
    assert api.get(path, simon).json["seat"] == 1

    left = api.call("DELETE", f"{path}/seats/1", simon)

    assert left.status_code == 204
    for below in ("", "/seats", "/view", "/events", "/export"):
        answer = api.get(path + below, simon)
        assert (answer.status_code, answer.json["what"]) == (404, "game")
    assert api.call("DELETE", f"{path}/seats/1", simon).status_code == 404
    assert api.get("/v1/games", simon).json["games"] == []


@pytest.mark.parametrize(
    ("scopes", "own", "others"),
    [
        (("games:read", "games:play"), 204, 403),
        (("games:read", "games:create"), 403, 204),
        (("games:read",), 403, 403),
        (("games:play", "games:create"), 204, 204),
    ],
)
def test_a_host_frees_seats_and_a_guest_leaves_with_a_scope_of_its_own(
    api: Api, host: str, scopes: tuple[str, ...], own: int, others: int
) -> None:
    path = lay(api, host, SIMON, OPEN)
    simon = person(api, "Simon")
    hosts, guests = limited(api, host, scopes), limited(api, simon, scopes)

    freed = api.call("DELETE", f"{path}/seats/2", hosts)
    left = api.call("DELETE", f"{path}/seats/1", guests)

    assert (left.status_code, freed.status_code) == (own, others)
    if own == 403:
        assert left.json["scope"] == "games:play"


def limited(api: Api, token: str, scopes: tuple[str, ...]) -> str:
    """Another token of the same person."""
    wish = {"name": "limited", "scopes": list(scopes)}
    return str(api.call("POST", "/v1/me/tokens", token, json=wish).json["token"])


def test_nobody_leaves_once_it_has_begun(api: Api) -> None:
    table = Table(api)

    answer = api.call("DELETE", f"{table.path}/seats/1", table.tokens[1])

    assert (answer.status_code, answer.json["code"]) == (409, "already-started")


def test_a_seat_is_taken_without_a_body_and_only_one(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, OPEN)
    guest = person(api, "Terry")

    taken, again = (api.call("POST", f"{path}/seats", guest) for _ in range(2))

    assert taken.status_code == 201
    assert (again.status_code, again.json["reason"]) == (409, "own-table")
    assert again.json["detail"] == "You sit at this table already."
