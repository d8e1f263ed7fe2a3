"""Seats left before the start, or freed by the host, over the API."""

import pytest

from tests.rig.service import seated
from tests.rig.service.new_tables import BOT, OPEN, SIMON, lay, person, states, take
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run


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
    wish = {"description": "limited", "scopes": list(scopes)}
    return str(api.call("POST", "/v1/me/tokens", token, json=wish).json["token"])


def test_nobody_leaves_once_it_has_begun(api: Api) -> None:
    table = Table(api)

    answer = api.call("DELETE", f"{table.path}/seats/1", table.tokens[1])

    assert (answer.status_code, answer.json["code"]) == (409, "already-started")
