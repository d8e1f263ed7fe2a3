"""Who gets into the stream of an account's turns: by token, by ticket, and how many."""

import msgspec

from service import app as application
from service import config
from service.live import quota
from tests.rig import apps
from tests.rig.service.heard import kinds_and_ids
from tests.rig.service.programs import Api, Table, stranger
from tests.rig.service.seated import run
from tests.rig.service.turns import VIEWS_PATH, follow, seat_by, single


def test_it_is_for_who_may_read(api: Api) -> None:
    table = Table(api)
    with api.app.app_context():
        blind = table.token(0, scopes=("games:play",))

    answers = [api.get("/v1/me/stream", each) for each in (None, "kup_nobody", blind)]

    assert [each.status_code for each in answers] == [401, 401, 403]
    assert answers[0].json["reason"] == "no-token"


def test_its_head_is_answered_at_once(api: Api) -> None:
    answer = api.call("HEAD", "/v1/me/stream", stranger(api))

    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Accel-Buffering"] == "no"


def test_it_takes_one_of_the_places_of_a_person(api: Api) -> None:
    table = Table(api)
    streams = [follow(api, table.tokens[0]) for _ in range(quota.MOST_EACH)]

    refused = api.get("/v1/me/stream", table.tokens[0])
    game = api.get(f"{table.path}/stream", table.tokens[0])
    other = follow(api, table.tokens[1])
    streams[0].close()
    again = follow(api, table.tokens[0])

    assert [refused.status_code, game.status_code] == [429, 429]
    assert refused.json["code"] == "too-many-waiting"
    assert [other.answer.status_code, again.answer.status_code] == [200, 200]


def test_when_every_place_is_taken_it_is_told_when_to_come_back(
    settings: config.Config, api: Api
) -> None:
    me, other = stranger(api), stranger(api)
    small = application.create_app(msgspec.structs.replace(settings, streams=1))
    there = Api(small)
    first = follow(there, me)

    refused = there.get("/v1/me/stream", other)

    assert (first.answer.status_code, refused.status_code) == (200, 503)
    assert refused.json["code"] == "too-many-streams"
    apps.put_away(small)


def test_a_ticket_opens_it_once(api: Api) -> None:
    table = Table(api)
    me = table.tokens[table.asked]
    given = api.call("POST", "/v1/me/stream-tickets", me)
    query = f"?ticket={given.json['ticket']}"

    first = follow(api, None, query=f"{query}&view=true").next()
    again = api.get(f"/v1/me/stream{query}")

    assert given.json["stream_url"] == f"http://localhost/v1/me/stream{query}"
    assert given.headers["Location"] == given.json["stream_url"]
    assert first.json == api.get(VIEWS_PATH, me).json
    assert (again.status_code, again.json["reason"]) == (401, "bad-ticket")


def test_a_ticket_is_good_for_the_stream_it_was_given_for_alone(api: Api) -> None:
    table = Table(api)
    me = table.tokens[0]
    of_turns = api.call("POST", "/v1/me/stream-tickets", me).json["ticket"]
    of_game = api.call("POST", f"{table.path}/stream-tickets", me).json["ticket"]

    refused = [
        api.get(f"{table.path}/stream?ticket={of_turns}"),
        api.get(f"/v1/me/stream?ticket={of_game}"),
    ]

    assert [each.json["reason"] for each in refused] == ["bad-ticket"] * 2


def test_a_ticket_ends_with_its_token(api: Api, hasty: None) -> None:
    me = stranger(api)
    ticket = api.call("POST", "/v1/me/stream-tickets", me).json["ticket"]
    stream = follow(api, None, query=f"?ticket={ticket}")
    stream.next()

    with api.app.app_context():
        run("UPDATE token SET revoked_at = kingup_now()")

    assert stream.rest() == []


def test_a_ticket_of_one_game_lists_that_game(api: Api) -> None:
    me = stranger(api)
    tables = [Table(api) for _ in range(2)]
    for table in tables:
        seat_by(api, table, table.asked, me)
    token = single(api, me, tables[1])
    ticket = api.call("POST", "/v1/me/stream-tickets", token).json["ticket"]

    first = follow(api, None, query=f"?ticket={ticket}").next()

    assert [each["game"] for each in first.json["turns"]] == [str(tables[1].id)]


def test_what_is_wrong_with_a_request_by_ticket_is_told(api: Api) -> None:
    me = stranger(api)
    ticket = api.call("POST", "/v1/me/stream-tickets", me).json["ticket"]
    query = f"/v1/me/stream?ticket={ticket}"

    unknown = api.get(f"{query}&colour=red")
    twice = api.get(query, me)

    assert [unknown.status_code, twice.status_code] == [422, 422]
    assert twice.json["reason"] == "two-proofs"
    assert (
        kinds_and_ids([follow(api, None, query=f"?ticket={ticket}").next()])[0][0]
        == "turns"
    )


def test_nobody_gets_a_ticket_without_a_good_token(api: Api) -> None:
    table = Table(api)
    with api.app.app_context():
        blind = table.token(0, scopes=("games:play",))

    answers = [
        api.call("POST", "/v1/me/stream-tickets", each)
        for each in (None, "kup_nobody", blind)
    ]

    assert [each.status_code for each in answers] == [401, 401, 403]


def test_whoever_practises_follows_their_practice_game(api: Api) -> None:
    begun = api.call("POST", "/v1/practice-games", json={}).json

    first = follow(api, begun["token"]).next()

    assert first.json["running"] == 1
