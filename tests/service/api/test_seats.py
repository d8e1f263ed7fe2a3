"""Seats before the start over the API: open ones taken, promised ones given, left."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.rig.service import programs, seated
from tests.rig.service.new_tables import (
    BOT,
    OPEN,
    SIMON,
    lay,
    lay_draft,
    person,
    states,
    take,
)
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run


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
    for other, status in ((terry, 403), (None, 401), (programs.stranger(api), 403)):
        answer = api.call("PUT", f"{path}/seats/2", other, json=BOT)
        assert answer.status_code == status


def test_a_seat_is_taken_without_a_body_and_only_one(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, OPEN)
    guest = person(api, "Terry")

    taken, again = (api.call("POST", f"{path}/seats", guest) for _ in range(2))

    assert taken.status_code == 201
    assert (again.status_code, again.json["reason"]) == (409, "own-table")
    assert again.json["detail"] == "You sit at this table already."
