"""Tables over the API: opened, found, described, called off; and practice."""

import base64
from typing import Any

import pytest

from service.auth import bearer
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.turns import seat_by

SIMON = {"kind": "person", "address": "simon@example.org", "name": "Simon"}
BOT = {"kind": "bot"}


def post(api: Api, token: str | None, **wish: Any) -> Any:
    wish.setdefault("seats", [SIMON, BOT])
    return api.call("POST", "/v1/games", token, json=wish)


def test_a_new_table_invites_its_guests_and_says_where_it_is(
    api: Api, host: str
) -> None:
    answer = post(api, host, rounds=2, visibility="listed", word="Würfel")

    game = answer.json
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"http://localhost/v1/games/{game['game']}"
    assert (game["status"], game["seat"]) == ("inviting", 0)
    assert game["options"]["rounds"] == 2
    assert [(s["kind"], s["state"]) for s in game["seats"]] == [
        ("person", "joined"),
        ("person", "invited"),
        ("bot", "joined"),
    ]
    with api.app.app_context():
        assert seated.run("SELECT kind FROM notice") == [("invitation",)]


def test_a_table_of_bots_alone_beside_the_host_starts_at_once(
    api: Api, host: str
) -> None:
    game = post(api, host, seats=[BOT, BOT]).json

    view = api.get(f"/v1/games/{game['game']}/view", host).json
    assert view["status"] == "running"
    assert view["own"]["seat"] == 0


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"seats": []}, "seats"),
        ({"seats": [BOT] * 9}, "seats"),
        ({"seats": "many"}, "seats"),
        ({"seats": [1, BOT]}, "seats.0"),
        ({"seats": [BOT, {}]}, "seats.1.kind"),
        ({"seats": [{"kind": "person"}, BOT]}, "seats.0.address"),
        ({"seats": [SIMON | {"seat": 1}, BOT]}, "seats.0.seat"),
        ({"seats": [SIMON | {"address": "a@b, c@d"}, BOT]}, "seats.0.address"),
        ({"seats": [SIMON | {"name": "see evil.example"}, BOT]}, "seats.0.name"),
        ({"seats": [SIMON | {"name": "a\u202eb"}, BOT]}, "seats.0.name"),
        ({"seats": [{"kind": "bot", "bot": "cheat"}, BOT]}, "seats.0.bot"),
        ({"edition": "chess"}, "edition"),
        ({"rounds": 4}, "rounds"),
        ({"rounds": "3"}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"rounds": 1.5}, "rounds"),
        ({"placement": "by hand"}, "placement"),
        ({"ballot_history": None}, "ballot_history"),
        ({"first": -1}, "first"),
        ({"visibility": "secret"}, "visibility"),
        ({"word": "x" * 65}, "word"),
        ({"host": "me"}, "host"),
    ],
)
def test_a_wish_that_is_not_understood_names_its_field(
    api: Api, host: str, wish: dict[str, Any], field: str
) -> None:
    answer = post(api, host, **wish)

    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert answer.json["field"] == field
    with api.app.app_context():
        assert seated.run("SELECT 1 FROM game") == []


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"seats": [BOT]}, "bad-table"),
        ({"placement": "compensated"}, "bad-table"),
        ({"first": 3}, "bad-table"),
        ({"seats": [SIMON, SIMON | {"name": "Again"}]}, "address-twice"),
        (
            {"seats": [SIMON, SIMON | {"address": "other@example.org"}]},
            "name-taken",
        ),
        (
            {"seats": [SIMON | {"address": "Rachel@Example.org"}, BOT]},
            "address-twice",
        ),
    ],
)
def test_a_wish_that_is_not_allowed_is_a_conflict(
    api: Api, host: str, wish: dict[str, Any], code: str
) -> None:
    answer = post(api, host, **wish)

    assert (answer.status_code, answer.json["code"]) == (409, code)
    with api.app.app_context():
        assert seated.run("SELECT 1 FROM game") == []


def test_too_many_invitations_are_refused(api: Api, host: str) -> None:
    several = [
        {
            "kind": "person",
            "address": f"g{number}@example.org",
            "name": f"Guest {number}",
        }
        for number in range(11)
    ]
    [first, second] = [several[:5], several[5:10]]
    opened = post(api, host, seats=first)
    assert opened.status_code == 201, opened.json
    assert post(api, host, seats=second).status_code == 201

    answer = post(api, host, seats=[several[10], BOT])

    assert answer.status_code == 429
    assert answer.json["code"] == "too-many-invitations"


def test_only_a_token_for_it_opens_tables(api: Api, host: str) -> None:
    table = Table(api)
    with api.app.app_context():
        reader = table.token(0, scopes=bearer.SCOPES[:2])
        bound = table.token(0, game_id=table.id)

    assert post(api, None).status_code == 401
    assert post(api, "kup_nonsense").status_code == 401
    assert post(api, reader).status_code == 403
    assert post(api, bound).status_code == 403


def test_one_finds_the_listed_games_and_ones_own(api: Api, host: str) -> None:
    own = post(api, host, seats=[BOT, BOT]).json["game"]
    listed = post(api, host, seats=[BOT, BOT], visibility="listed").json["game"]
    hidden = post(api, host, seats=[BOT, BOT], visibility="players").json["game"]

    def found(token: str | None) -> list[str]:
        return [game["game"] for game in api.get("/v1/games", token).json["games"]]

    assert found(host) == [hidden, listed, own]
    assert found(None) == found(programs.stranger(api)) == [listed]
    assert api.get("/v1/games", "kup_nonsense").status_code == 401


def test_a_list_is_paged_without_gap_or_repetition(api: Api, host: str) -> None:
    for _ in range(7):
        post(api, host, seats=[BOT, BOT])
    with api.app.app_context():
        # Games of one moment are told apart by their ids.
        seated.run(
            "UPDATE game SET created_at = '2030-01-01' WHERE id IN"
            " (SELECT id FROM game LIMIT 5)"
        )
    whole = [game["game"] for game in api.get("/v1/games", host).json["games"]]

    found, path = [], "/v1/games?limit=2"
    while path:
        answer = api.get(path, host)
        found += [game["game"] for game in answer.json["games"]]
        link = answer.headers.get("Link", "")
        path = link.partition(">")[0].removeprefix("<http://localhost")

    assert len(whole) == 7
    assert found == whole


def mark(text: str) -> str:
    """A cursor in the form of ours."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


SOME_ID = "7b0c7ff2-4a5e-4d0e-9a3c-3f1f0a9d2c11"


def test_a_cursor_of_this_form_leads_on(api: Api) -> None:
    answer = api.get(f"/v1/games?cursor={mark(f'2026-11-02T08:00:00+00:00/{SOME_ID}')}")

    assert answer.status_code == 200


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "%00",
        "MjAyNg",
        "!!!!",
        "a" * 201,
        "é",
        mark(f"2026-11-02T08:00:00/{SOME_ID}"),
        mark(f"2026-11-02/{SOME_ID}"),
        mark("2026-11-02T08:00:00+00:00/7"),
        mark("2026-11-02T08:00:00+00:00"),
    ],
)
def test_a_cursor_of_ones_own_making_is_not_understood(api: Api, cursor: str) -> None:
    answer = api.get(f"/v1/games?cursor={cursor}")

    assert (answer.status_code, answer.json["parameter"]) == (422, "cursor")


def test_a_draft_is_in_its_hosts_list_alone(api: Api, host: str) -> None:
    with api.app.app_context():
        seated.draft(3, visibility="listed")
    simon = programs.operator_token(api, "simon@example.org")

    counts = [len(api.get("/v1/games", t).json["games"]) for t in (host, simon, None)]

    assert counts == [1, 0, 0]


def test_a_token_for_one_game_finds_that_one_alone(api: Api) -> None:
    one, other = Table(api), Table(api)
    seat_by(api, other, 0, one.tokens[0])
    with api.app.app_context():
        narrow = one.token(0, game_id=one.id)

    all_of_them, that_one = (
        {game["game"] for game in api.get("/v1/games", token).json["games"]}
        for token in (one.tokens[0], narrow)
    )

    assert all_of_them == {str(one.id), str(other.id)}
    assert that_one == {str(one.id)}


def test_the_host_calls_a_table_off_before_the_start(api: Api, host: str) -> None:
    path = f"/v1/games/{post(api, host).json['game']}"

    assert api.call("DELETE", path, host).status_code == 204
    assert api.call("DELETE", path, host).status_code == 204

    assert api.get(path, host).json["status"] == "over"
    assert api.get(f"{path}/view", host).json["end_reason"] == "cancelled"
    assert api.get(path).status_code == 404


def test_after_the_start_the_host_has_no_more_power_than_any_seat(api: Api) -> None:
    table = Table(api)

    answer = api.call("DELETE", table.path, table.tokens[0])

    assert (answer.status_code, answer.json["code"]) == (409, "already-started")
    table.inside("finish")
    assert api.call("DELETE", table.path, table.tokens[0]).status_code == 409


def test_nobody_else_calls_a_table_off(api: Api, host: str) -> None:
    path = f"/v1/games/{post(api, host).json['game']}"
    guest = programs.operator_token(api, "simon@example.org")

    assert api.call("DELETE", path).status_code == 401
    assert api.call("DELETE", path, guest).status_code == 403
    assert api.call("DELETE", path, programs.stranger(api)).status_code == 403
    unknown = f"/v1/games/{programs.unknown_game()}"
    assert api.call("DELETE", unknown, host).status_code == 404
    assert api.get(path, host).json["status"] == "inviting"


def test_practice_begins_at_once_with_a_token_for_that_game_alone(api: Api) -> None:
    answer = api.call("POST", "/v1/practice-games", json={"name": "Rachel"})

    begun = answer.json
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    path = begun["view_url"].removeprefix("http://localhost")
    view = api.get(path, begun["token"]).json
    assert (view["status"], view["own"]["seat"]) == ("running", begun["seat"])
    assert view["options"]["decision_time"] is None
    other = Table(api)
    assert api.get(f"{other.path}/view", begun["token"]).status_code == 403
    assert post(api, begun["token"]).status_code == 403


def test_whoever_practises_without_a_name_has_one_that_others_can_read(
    api: Api,
) -> None:
    begun = api.call("POST", "/v1/practice-games", json={}).json

    seats = api.get(f"/v1/games/{begun['game']}", begun["token"]).json["seats"]

    assert seats[0]["name"] == "Your Grace"


@pytest.mark.parametrize("name", ["", " ", "www.evil.example", "\u202e", "x" * 33])
def test_a_practiser_has_a_name_fit_to_be_shown(api: Api, name: str) -> None:
    answer = api.call("POST", "/v1/practice-games", json={"name": name})

    assert (answer.status_code, answer.json["field"]) == (422, "name")


@pytest.mark.parametrize(
    ("terms", "wrong"),
    [
        ({"decision_time": 3599}, "decision_time"),
        ({"decision_time": 14 * 86400 + 1}, "decision_time"),
        ({"decision_time": None, "daily_at": "20:00", "zone": "UTC"}, "decision_time"),
        ({"spare": 15}, "spare"),
        ({"misses": 0}, "misses"),
        ({"misses": 6}, "misses"),
        ({"daily_at": "24:00", "zone": "UTC"}, "daily_at"),
        ({"daily_at": "8:00", "zone": "UTC"}, "daily_at"),
        ({"daily_at": "20:00Z", "zone": "UTC"}, "daily_at"),
        ({"daily_at": "20:00", "zone": "Europe/Nowhere"}, "zone"),
        ({"daily_at": "20:00"}, "zone"),
        ({"daily_at": "20:00", "zone": "UTC", "decision_time": 3600}, "decision_time"),
    ],
)
def test_a_pace_that_no_game_has_is_refused_by_its_field(
    api: Api, host: str, terms: dict[str, object], wrong: str
) -> None:
    body = {"seats": [{"kind": "open"}] * 2, **terms}

    answer = api.call("POST", "/v1/games", host, json=body)

    named = {422: "field", 409: "option"}[answer.status_code]
    assert answer.json[named] == wrong


def test_a_host_chooses_the_pace_and_changes_it_before_anybody_is_asked(
    api: Api, host: str
) -> None:
    daily = {"daily_at": "20:00", "zone": "Europe/Zurich", "spare": 2, "misses": 5}
    body = {"seats": [{"kind": "open"}] * 2, **daily}
    path = api.call("POST", "/v1/games", host, json=body).headers["Location"]
    before = api.get(f"{path}/view", host).json["options"]
    change = {"daily_at": None, "spare": 0}

    changed = api.call("PATCH", path, host, json=change)

    after = api.get(f"{path}/view", host).json["options"]
    assert changed.status_code == 200
    assert daily.items() <= before.items()
    assert (after["decision_time"], before["decision_time"]) == (86400, 86400)
    assert not {"spare", "daily_at", "zone"} & after.keys()
