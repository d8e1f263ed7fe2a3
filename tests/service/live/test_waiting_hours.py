"""Clients that wait for hours: how often they ask, and that none is ever refused."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from service import config
from service.values.principals import System
from tests.rig.service import machine, seated
from tests.rig.service.machine import Machine
from tests.rig.service.programs import Api, Table, stranger
from tests.rig.service.turns import seat_by

HOUR = 3600
MOST_AN_HOUR = 70
_PATH = "/v1/me/turns?wait=60&view=true"


@pytest.fixture
def hour(
    app: Flask, settings: config.Config, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Machine]:
    """A machine whose limits are the usual ones."""
    lifted = app.extensions["kingup_limits"]
    yield machine.installed(app, settings, monkeypatch)
    app.extensions["kingup_limits"] = lifted


class Client:
    """Asks for its turns again and again as docs/api.md says; `lists` has each list."""

    def __init__(self, api: Api, token: str, path: str = _PATH) -> None:
        self._api, self._token, self._path = api, token, path
        self._known: dict[str, str] = {}
        self.asked = 0
        self.lists: list[dict[str, Any]] = []

    def ask(self) -> list[dict[str, Any]]:
        """The turns, if they are others than before."""
        answer = self._api.get(self._path, self._token, **self._known)
        self.asked += 1
        if answer.status_code == 304:
            return []
        assert answer.status_code == 200, answer.text
        self._known = {"If_None_Match": answer.headers["ETag"]}
        self.lists.append(answer.get_json())
        found: list[dict[str, Any]] = answer.get_json().get("turns", [])
        return found

    def answer(self, turn: dict[str, Any]) -> None:
        path = turn["answer_url"].removeprefix("http://localhost")
        given = turn["view"]["legal"][0]["answer"]
        put = self._api.call("PUT", path, self._token, json=given)
        assert put.status_code == 200, put.text


def play(table: Table) -> None:
    """Whoever is asked first answers, or the election that is complete is resolved."""
    game = table.game
    if game.asked():
        table.play_a_turn()
    elif game.running:
        table.inside("resolve")


def test_a_turn_that_is_left_open_takes_one_request_a_minute(
    api: Api, hour: Machine
) -> None:
    table = Table(api)
    client = Client(api, table.tokens[table.asked])

    while hour.seconds < HOUR:
        client.ask()

    assert len(client.lists) == 1
    assert client.asked <= MOST_AN_HOUR


def test_whoever_thinks_in_one_game_plays_on_in_another(
    api: Api, hour: Machine
) -> None:
    me = stranger(api)
    thinking, other = Table(api), Table(api)
    seat_by(api, thinking, thinking.asked, me)
    mine = (other.asked + 1) % 3
    seat_by(api, other, mine, me)
    played = []

    def others() -> None:
        if other.game.asked()[:1] != (mine,):
            play(other)
            played.append(hour.seconds)

    for minutes in range(2, 60, 2):
        hour.at(minutes * 60 + 7, others)
    client, delays = Client(api, me), []
    while hour.seconds < HOUR:
        for turn in client.ask():
            if turn["game"] == str(other.id):
                client.answer(turn)
                delays.append(hour.seconds - played[-1])

    assert len(delays) > 5
    assert max(delays) <= 15
    assert client.asked <= MOST_AN_HOUR + len(client.lists)


def test_whoever_only_notifies_tells_each_turn_once_and_the_end(
    api: Api, hour: Machine
) -> None:
    table, decisions = Table(api, rounds=1), []
    asked = [table.decision] if table.asked == 0 else []

    def act() -> None:
        play(table)
        if 0 in table.game.asked():
            asked.append(table.decision)

    for minutes in range(1, 50, 3):
        hour.at(minutes * 60, act)
    hour.at(55 * 60, lambda: cancel(api, table))
    client = Client(api, table.tokens[0], "/v1/me/turns?wait=60")
    while hour.seconds < HOUR:
        decisions += [turn["decision"] for turn in client.ask()]

    assert decisions == asked != []
    assert client.lists[-1] == {"turns": [], "running": 0}
    assert client.asked <= MOST_AN_HOUR + len(client.lists)


def cancel(api: Api, table: Table) -> None:
    with api.app.app_context():
        seated.cancel(table.id, System())


def test_a_record_in_which_nothing_happens_is_asked_once_a_minute(
    api: Api, hour: Machine
) -> None:
    table = Table(api)
    last = table.view().json["revision"]
    path, asked = f"{table.path}/events?after={last}&wait=60", 0

    while hour.seconds < HOUR:
        assert api.get(path, table.tokens[0]).json["events"] == []
        asked += 1

    assert asked <= MOST_AN_HOUR


def test_whoever_takes_no_mark_along_waits_where_nothing_is_open(
    api: Api, hour: Machine
) -> None:
    table = Table(api)
    me = table.tokens[(table.asked + 1) % 3]
    asked = 0

    while hour.seconds < HOUR:
        assert api.get(_PATH, me).json["turns"] == []
        asked += 1

    assert asked <= MOST_AN_HOUR
