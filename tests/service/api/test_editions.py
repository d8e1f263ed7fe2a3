"""Editions over the API: told whole, opened with every option, practised."""

from typing import Any

import pytest

from engine.editions import EDITIONS
from service.present import languages
from tests.rig.service import seated
from tests.rig.service.programs import Api

BOT = {"kind": "bot"}


def post(api: Api, token: str, seats: int, **wish: Any) -> Any:
    wish = {"seats": [BOT] * (seats - 1), "edition": "jester", **wish}
    return api.call("POST", "/v1/games", token, json=wish)


def view_of(api: Api, token: str, game_id: str) -> Any:
    return api.get(f"/v1/games/{game_id}/view", token).json


def table_of(edition: Any, seats: int) -> Any:
    return next(table for table in edition["tables"] if table["players"] == seats)


def test_an_edition_tells_all_that_a_client_needs(api: Api) -> None:
    editions = api.get("/v1/editions").json["editions"]

    assert [edition["id"] for edition in editions] == list(EDITIONS)
    classic = api.get("/v1/editions/classic").json
    assert classic in editions
    assert len(classic["favourites"]) == 26
    assert {
        "letter": "O",
        "name": "Odessa",
        "names": dict.fromkeys(languages.API_LANGUAGES, "Odessa"),
        "title": "la Contessa",
    } in classic["characters"]
    assert table_of(classic, 4)["starting_hand"] == ["yes", "no", "no", "no"]
    assert table_of(classic, 4)["quota"]["choose"] == [3, 3, 3, 3]
    assert table_of(classic, 4)["bonus"] == {"choose": [0] * 4, "random": [0] * 4}
    assert classic["places"][0]["key"] == "throne"
    assert api.get("/v1/editions/chess").json["what"] == "edition"


def test_the_jester_edition_tells_its_places_cards_and_bonus(api: Api) -> None:
    edition = api.get("/v1/editions/jester").json

    assert (edition["label"], edition["start_score"]) == ("With the Jester", 20)
    assert ("J", "Jester", "il Giullare") in [
        (each["letter"], each["name"], each["title"]) for each in edition["characters"]
    ]
    places = {place["key"]: place for place in edition["places"]}
    assert places["wc3"] == {
        "key": "wc3",
        "label": "WC beside the Officers",
        "labels": {
            "en": "WC beside the Officers",
            "it": "WC accanto agli Ufficiali",
            "fr": "WC à côté des Officiers",
            "de": "WC neben den Offizieren",
        },
        "kind": "aside",
        "value": 0,
        "capacity": 1,
        "beside": "3",
    }
    assert [places[f"dungeon{n}"]["value"] for n in (3, 2, 1)] == [-3, -2, -1]
    assert places["dungeon3"]["label"] == "Dungeon −3"
    assert {places[f"dungeon{n}"]["kind"] for n in (3, 2, 1)} == {"dungeon"}
    cards = {card["key"]: card["labels"] for card in edition["cards"]}
    assert list(cards["stomachache"].values()) == [
        "Stomachache",
        "Mal di pancia",
        "Mal de ventre",
        "Bauchweh",
    ]


@pytest.mark.parametrize("language", languages.API_LANGUAGES)
def test_an_edition_is_told_in_the_readers_language_and_named_in_all(
    api: Api, language: str
) -> None:
    answer = api.get("/v1/editions/jester", Accept_Language=language)

    edition = answer.json
    labelled = [edition, *edition["places"], *edition["cards"]]
    words = [(each["label"], each["labels"]) for each in labelled]
    words += [(each["name"], each["names"]) for each in edition["characters"]]
    assert answer.headers["Content-Language"] == language
    for word, in_all in words:
        assert tuple(in_all) == languages.API_LANGUAGES
        assert word == in_all[language]
        assert all(in_all.values())
    assert len(set(edition["labels"].values())) == len(languages.API_LANGUAGES)


def test_an_edition_tells_which_tables_an_option_is_for(api: Api) -> None:
    edition = api.get("/v1/editions/jester").json

    for seats in range(2, 7):
        assert "compensated" not in table_of(edition, seats)["quota"]
        assert "compensated" not in table_of(edition, seats)["bonus"]
    assert table_of(edition, 7)["quota"]["compensated"] == [2] * 6 + [1]
    assert table_of(edition, 7)["bonus"]["compensated"] == [0] * 6 + [3]
    assert table_of(edition, 8)["quota"]["compensated"] == [2] * 5 + [1] * 3
    assert table_of(edition, 8)["bonus"]["compensated"] == [0] * 5 + [3] * 3


def test_a_table_is_opened_with_every_option(api: Api, host: str) -> None:
    answer = post(
        api,
        host,
        8,
        rounds=2,
        placement="compensated",
        ballot_history="table",
        first=0,
    )

    game = answer.json
    assert (answer.status_code, game["edition"]) == (201, "jester")
    view = view_of(api, host, game["game"])
    assert (view["edition"], view["rules"]) == ("jester", EDITIONS["jester"].rules)
    assert view["starting_seat"] == view["decision"]["seat"] == 0
    assert view["options"]["placement"] == "compensated"
    assert view["totals"] == [20] * 8
    kinds = {place["key"]: place["kind"] for place in view["places"]}
    assert (kinds["wc3"], kinds["dungeon1"], kinds["box"]) == (
        "aside",
        "dungeon",
        "out",
    )


@pytest.mark.parametrize(
    ("edition", "seats"), [(e.id, n) for e in EDITIONS.values() for n in e.seats]
)
def test_every_edition_starts_with_all_its_numbers_of_players(
    api: Api, host: str, edition: str, seats: int
) -> None:
    game = post(api, host, seats, edition=edition).json

    assert game["status"] == "running"
    law = EDITIONS[edition]
    view = view_of(api, host, game["game"])
    assert view["starting_hand"] == [card.value for card in law.hand(seats)]
    history = law.choices.ballot_history[0].value
    assert view["options"]["ballot_history"] == history


@pytest.mark.parametrize(
    ("seats", "wish", "option"),
    [
        (7, {"edition": "classic"}, "seats"),
        (2, {"edition": "classic"}, "seats"),
        (6, {"placement": "compensated"}, "placement"),
        (3, {"edition": "classic", "placement": "compensated"}, "placement"),
        (4, {"first": 4}, "first"),
    ],
)
def test_what_an_edition_does_not_allow_is_a_conflict_that_names_it(
    api: Api, host: str, seats: int, wish: dict[str, Any], option: str
) -> None:
    answer = post(api, host, seats, **wish)

    assert (answer.status_code, answer.json["code"]) == (409, "bad-table")
    assert answer.json["option"] == option
    assert api.get("/v1/games", host).json["games"] == []


def test_practice_is_in_the_edition_and_against_the_bots_one_names(api: Api) -> None:
    wish = {"edition": "jester", "bots": ["random"]}

    begun = api.call("POST", "/v1/practice-games", json=wish).json

    view = view_of(api, begun["token"], begun["game"])
    assert view["edition"] == "jester"
    assert [seat["bot"] for seat in view["seats"]] == [None, "random"]


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"edition": "chess"}, 422),
        ({"bots": []}, 422),
        ({"bots": ["cheat"]}, 422),
        ({"bots": ["steady"] * 8}, 422),
        ({"bots": ["steady"]}, 409),
        ({"bots": ["steady"] * 6}, 409),
    ],
)
def test_practice_nobody_can_play_is_refused(
    api: Api, wish: dict[str, Any], status: int
) -> None:
    answer = api.call("POST", "/v1/practice-games", json=wish)

    assert answer.status_code == status
    with api.app.app_context():
        assert seated.run("SELECT 1 FROM game") == []
