"""Naming somebody else for a kept seat by program, objecting, and taking the seat."""

from datetime import timedelta

import pytest
from werkzeug.test import TestResponse

from service.store import clock, opt_outs
from service.tables import replacements
from tests.rig.service import programs, replaced, seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.replaced import KEPT
from tests.rig.service.visitor import Visitor

NORA = {"address": "nora@example.org", "name": "Nora"}

ROUTES: tuple[tuple[str, str, object], ...] = (
    ("PUT", "/decisions/1/answer", {"kind": "election", "card": "yes"}),
    ("GET", "/decisions/1/answer", None),
    ("PUT", f"/seats/{KEPT}/departure", None),
    ("DELETE", f"/seats/{KEPT}/departure", None),
    ("GET", "/messages", None),
    ("POST", "/messages", {"phrase": "hello"}),
    ("PUT", "/seats/2/mute", None),
    ("GET", f"/seats/{KEPT}/replacement", None),
    ("PUT", f"/seats/{KEPT}/replacement", NORA),
    ("DELETE", f"/seats/{KEPT}/replacement", None),
)
"""What only seats of a game may ask for."""


def left(api: Api, **wish: object) -> Table:
    """A game of two rounds whose seat 1 was left in the first."""
    table = Table(api, 4, placement="random", rounds=2, **wish)
    done = api.call("PUT", f"{path(table)[:-12]}/departure", table.tokens[KEPT])
    assert done.status_code == 200
    return table


def path(table: Table, seat: int = KEPT) -> str:
    return f"{table.path}/seats/{seat}/replacement"


def name(table: Table, by: int = 0, **wish: str) -> TestResponse:
    return table.api.call("PUT", path(table), table.tokens[by], json={**NORA, **wish})


def asked(table: Table) -> str:
    """Nobody objects for a day; the secret of the link that is mailed then."""
    with table.api.app.app_context():
        clock.shift(timedelta(hours=25))
        replacements.step(table.id, KEPT)
        return replaced.mailed(table.table)


def answer(api: Api, secret: str, **given: str) -> TestResponse:
    wish = {"choice": "in", "name": "Nora", **given}
    return api.call("POST", f"/v1/invitations/{secret}/acceptance", json=wish)


def test_who_plays_names_somebody_and_the_table_sees_it(api: Api) -> None:
    table = left(api)

    named, again = name(table), name(table)

    assert named.status_code == again.status_code == 200
    assert named.json == again.json
    seen = api.get(path(table), table.tokens[3])
    assert seen.json == named.json
    told = {key: named.json[key] for key in ("seat", "state", "named_by", "name")}
    assert told == {"seat": KEPT, "state": "named", "named_by": 0, "name": "Nora"}
    assert "nora@" not in seen.text


def test_before_anybody_was_named_there_is_nothing(api: Api) -> None:
    table = left(api)

    for method in ("GET", "DELETE"):
        nothing = api.call(method, path(table), table.tokens[0])
        assert (nothing.status_code, nothing.json["what"]) == (404, "replacement")


def test_an_objection_ends_it(api: Api) -> None:
    table = left(api)
    name(table)

    ended = api.call("DELETE", path(table), table.tokens[2])

    assert ended.status_code == 204
    seen = api.get(path(table), table.tokens[0]).json
    assert (seen["state"], seen["name"], seen["until"]) == ("objected", None, None)


def test_after_a_day_an_objection_is_late_but_ones_own_is_withdrawn(api: Api) -> None:
    table = left(api)
    name(table)
    asked(table)

    late = api.call("DELETE", path(table), table.tokens[2])
    own = api.call("DELETE", path(table), table.tokens[0])

    assert (late.status_code, late.json["code"]) == (409, "objection-late")
    assert own.status_code == 204


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        ({}, 409, "replacement-open"),
        ({"address": "nobody"}, 422, "invalid"),
    ],
)
def test_what_can_not_be_named_is_refused(
    api: Api, wish: dict[str, str], status: int, code: str
) -> None:
    table = left(api)
    name(table)

    refused = name(table, by=2, **wish)

    assert (refused.status_code, refused.json["code"]) == (status, code)


def test_a_seat_that_somebody_plays_is_not_given_away(api: Api) -> None:
    table = left(api)

    refused = api.call("PUT", path(table, 2), table.tokens[0], json=NORA)

    assert (refused.status_code, refused.json["code"]) == (409, "seat-not-kept")


def test_who_has_left_and_strangers_name_nobody_and_see_nothing(api: Api) -> None:
    table = left(api)
    name(table)

    for token in (table.tokens[KEPT], programs.stranger(api)):
        for method in ("GET", "PUT", "DELETE"):
            body = {"json": NORA} if method == "PUT" else {}
            refused = api.call(method, path(table), token, **body)
            assert (refused.status_code, refused.json["reason"]) == (403, "no-seat")
    assert api.get(path(table)).status_code == 401


def test_the_invitation_says_to_what_and_is_answered_like_any_other(api: Api) -> None:
    table = left(api)
    name(table)
    secret = asked(table)

    shown = api.get(f"/v1/invitations/{secret}").json
    outcome, again = answer(api, secret), answer(api, secret)

    assert (shown["seat"], shown["state"], shown["host_name"]) == (
        KEPT,
        "invited",
        "Rachel",
    )
    assert outcome.status_code == again.status_code == 200
    assert outcome.json == again.json
    assert (outcome.json["state"], outcome.json["status"]) == ("joined", "running")
    assert api.get(f"/v1/invitations/{secret}").status_code == 404
    seat = table.view().json["seats"][KEPT]
    assert (seat["name"], seat["kept"]) == ("Nora", True)
    nora = programs.operator_token(api, NORA["address"])
    assert api.get(f"{table.path}/view", nora).json["kept_seat"] == KEPT
    table.inside("play_round")
    assert api.get(f"{table.path}/view", nora).json["own"]["seat"] == KEPT


@pytest.mark.parametrize("choice", ["no", "never"])
def test_who_says_no_hears_nothing_more_of_the_game(api: Api, choice: str) -> None:
    table = left(api, visibility="players")
    name(table)
    secret = asked(table)

    outcome = answer(api, secret, choice=choice)
    table.inside("finish")
    again = answer(api, secret, choice=choice)

    assert outcome.json == again.json
    assert (outcome.json["state"], outcome.json["status"]) == ("declined", "running")
    assert answer(api, secret).json["code"] == "invitation-over"


def test_never_to_an_offer_that_is_over_is_heard_and_no_isnt(api: Api) -> None:
    table = left(api)
    name(table)
    secret = asked(table)
    with api.app.app_context():
        replaced.days_pass(table.table, 8)

    late = answer(api, secret, choice="no")
    never = answer(api, secret, choice="never")

    assert (late.status_code, late.json["code"]) == (404, "invitation-over")
    assert (never.status_code, never.json["state"]) == (200, "declined")
    with api.app.app_context():
        assert opt_outs.has("nora@example.org")


@pytest.mark.parametrize("visibility", ["link", "players"])
def test_the_former_person_is_a_spectator_without_rights_on_every_route(
    api: Api, visibility: str
) -> None:
    table = left(api, visibility=visibility)
    with api.app.app_context():
        only = table.token(KEPT, game_id=table.id)
    name(table)
    assert answer(api, asked(table)).status_code == 200

    wide, status = table.tokens[KEPT], 404 if visibility == "players" else 403
    for method, where, body in ROUTES:
        options = {} if body is None else {"json": body}
        refused = api.call(method, f"{table.path}{where}", wide, **options)
        dead = api.call(method, f"{table.path}{where}", only, **options)
        expected = (status, 404) if method == "GET" else (status,)
        assert refused.status_code in expected, (method, where, refused.text)
        assert dead.status_code == 401


@pytest.mark.parametrize("visibility", ["link", "players"])
def test_the_former_person_sees_no_more_than_a_spectator(
    api: Api, visibility: str
) -> None:
    table, is_hidden = left(api, visibility=visibility), visibility == "players"
    with api.app.app_context():
        browser = Visitor(api.app)
        browser.remember(table.table, KEPT)
        old = replaced.decision_link(table.table)
    name(table)
    assert answer(api, asked(table)).status_code == 200

    view, page = table.view(KEPT), browser.get(f"/g/{table.id}")
    if is_hidden:
        assert view.status_code == 404
    else:
        assert (view.json["seat"], view.json["kept_seat"]) == (None, None)
        assert view.json == table.view().json
    assert page.status == (404 if is_hidden else 200)
    assert "Come back" not in page.text
    assert browser.get(old).status == 404
    listed = api.get("/v1/games?mine=true", table.tokens[KEPT]).json["games"]
    assert str(table.id) not in {each["game"] for each in listed}


def test_the_hosts_list_of_invitations_tells_nothing_of_it(api: Api) -> None:
    table = left(api)
    before = api.get(f"{table.path}/invitations", table.tokens[0]).json

    name(table, by=2)

    assert api.get(f"{table.path}/invitations", table.tokens[0]).json == before


def test_a_token_of_another_seat_sees_no_more_of_an_address(api: Api) -> None:
    table = left(api)
    with api.app.app_context():
        sits = replaced.address_on(table.table, 3)

    known = name(table, by=2, address=sits)
    with api.app.app_context():
        replaced.end(table.table, by=2)
        person = seated.person_on(table.id, 3)
    unknown = name(table, by=2)

    assert person is not None
    assert {**known.json, "named_at": "", "until": ""} == {
        **unknown.json,
        "named_at": "",
        "until": "",
    }
