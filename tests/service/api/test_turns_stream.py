"""The stream of an account's turns: the whole list, whenever it is another one."""

from collections.abc import Iterator

import msgspec
import pytest

from service import app as application
from service import config, live
from service.live import quota
from service.models import db
from service.store import links
from service.store.transactions import transaction
from service.values import entropy
from tests.rig import apps
from tests.rig.service.heard import Heard, told
from tests.rig.service.programs import Api, Table, in_election, stranger
from tests.rig.service.seated import run
from tests.rig.service.turns import PATH, VIEWS_PATH, end, seat_by

BEAT = b": still here\n\n"


@pytest.fixture
def twin(settings: config.Config) -> Iterator[Api]:
    """The same service in another process."""
    other = application.create_app(settings)
    yield Api(other)
    apps.put_away(other)


def follow(
    api: Api, token: str | None, last_id: str | None = None, query: str = ""
) -> Heard:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return Heard(api, "/v1/me", last_id=last_id, query=query, headers=headers)


def single(api: Api, token: str, table: Table) -> str:
    """A token of somebody's that is good for one game."""
    with api.app.app_context(), transaction():
        owner = links.bearer(entropy.digest(token))
        assert owner is not None
        return links.issue(owner.person_id, "one", ("games:read",), table.id)


@pytest.mark.parametrize(("query", "path"), [("", PATH), ("?view=true", VIEWS_PATH)])
def test_it_begins_with_the_list_as_it_is(api: Api, query: str, path: str) -> None:
    table = Table(api)
    me = table.tokens[table.asked]

    first = follow(api, me, query=query).next()

    listed = api.get(path, me)
    assert (first.event, first.json) == ("turns", listed.json)
    assert f'"{first.id}"' == listed.headers["ETag"]
    assert len(first.json["turns"]) == 1


def test_the_list_is_whole_however_long(api: Api) -> None:
    me = stranger(api)
    for _ in range(3):
        table = Table(api)
        seat_by(api, table, table.asked, me)

    first = follow(api, me).next()

    assert len(api.get(f"{PATH}?limit=2", me).json["turns"]) == 2
    assert first.json == api.get(PATH, me).json
    assert len(first.json["turns"]) == 3


@pytest.mark.parametrize("query", ["", "?view=true"])
@pytest.mark.usefixtures("steady")
def test_a_turn_that_comes_is_told_at_once(api: Api, query: str) -> None:
    table = Table(api)
    me = table.tokens[(table.asked + 1) % 3]
    stream = follow(api, me, query=query)
    before = stream.next().json

    number, _, _ = table.play_a_turn()
    after = stream.next().json

    assert before == {"turns": [], "running": 1}
    assert [each["decision"] for each in after["turns"]] == [number + 1]
    assert after == api.get(f"{PATH}{query}", me).json


@pytest.mark.usefixtures("steady")
def test_a_turn_of_another_game_leaves_the_others_in_the_list(api: Api) -> None:
    me = stranger(api)
    open_one, other = Table(api), Table(api)
    seat_by(api, open_one, open_one.asked, me)
    seat_by(api, other, (other.asked + 1) % 3, me)
    stream = follow(api, me, query="?view=true")
    stream.next()

    other.play_a_turn()
    found = stream.next().json

    assert found == api.get(VIEWS_PATH, me).json
    assert len(found["turns"]) == 2


@pytest.mark.usefixtures("steady")
def test_a_turn_that_was_answered_elsewhere_is_gone(api: Api) -> None:
    table = Table(api)
    stream = follow(api, table.tokens[table.asked])
    stream.next()

    table.play_a_turn()

    assert stream.next().json == {"turns": [], "running": 1}


def test_ones_own_ballot_is_noticed_at_the_next_heartbeat(
    api: Api, hasty: None
) -> None:
    table = in_election(api)
    stream = follow(api, table.tokens[0])
    before = stream.next().json["turns"]

    table.put(0, table.first_legal(0))

    assert (len(before), stream.next().json["turns"]) == (1, [])


@pytest.mark.parametrize("query", ["", "?view=true"])
def test_somebody_elses_ballot_is_told_to_nobody(
    api: Api, hasty: None, query: str
) -> None:
    table = in_election(api)
    stream = follow(api, table.tokens[1], query=query)
    stream.next()

    table.put(0, table.first_legal(0))

    assert stream.beats(3) == [BEAT] * 3


@pytest.mark.usefixtures("steady")
def test_somebody_elses_ballot_sends_nobody_a_byte(api: Api) -> None:
    table = in_election(api)
    stream = follow(api, table.tokens[1])
    stream.next()

    table.put(0, table.first_legal(0))
    table.put(1, table.first_legal(1))
    table.put(2, table.first_legal(2))
    table.inside("resolve")

    # Nothing came of the ballots, not even a sign of life.
    [after] = stream.beats(1)
    assert after.startswith(b"event: turns\n")


@pytest.mark.usefixtures("steady")
def test_the_end_of_a_game_is_told(api: Api) -> None:
    table = Table(api)
    stream = follow(api, table.tokens[(table.asked + 1) % 3])
    stream.next()

    end(api, table)

    assert stream.next().json == {"turns": [], "running": 0}


@pytest.mark.usefixtures("steady")
def test_a_token_for_one_game_hears_of_no_other(api: Api) -> None:
    me = stranger(api)
    mine, other = Table(api), Table(api)
    for table in (mine, other):
        seat_by(api, table, (table.asked + 1) % 3, me)
    stream = follow(api, single(api, me, mine))
    first = stream.next().json

    other.play_a_turn()
    mine.play_a_turn()
    [chunk] = stream.beats(1)

    assert first == {"turns": [], "running": 1}
    assert chunk.startswith(b"event: turns\n")
    assert str(mine.id).encode() in chunk
    assert str(other.id).encode() not in chunk


@pytest.mark.usefixtures("steady")
def test_whoever_has_declined_a_seat_hears_of_that_game_no_more(api: Api) -> None:
    me = stranger(api)
    mine, other = Table(api), Table(api)
    for table in (mine, other):
        seat_by(api, table, (table.asked + 1) % 3, me)
    with api.app.app_context():
        run(
            "UPDATE seat SET state = 'declined' WHERE game_id = :g AND number = :s",
            {"g": other.id, "s": (other.asked + 1) % 3},
        )
    stream = follow(api, me)
    first = stream.next().json

    other.play_a_turn()
    mine.play_a_turn()
    [chunk] = stream.beats(1)

    assert first == {"turns": [], "running": 1}
    assert chunk.startswith(b"event: turns\n")


@pytest.mark.parametrize("running", [True, False])
def test_a_revoked_token_ends_it_at_the_next_heartbeat(
    api: Api, hasty: None, running: bool
) -> None:
    table = Table(api)
    stream = follow(api, table.tokens[0])
    if not running:
        end(api, table)
        stream.next()
    stream.next()

    with api.app.app_context():
        run("UPDATE token SET revoked_at = kingup_now()")

    assert stream.rest() == []


@pytest.mark.usefixtures("steady")
def test_a_revoked_token_gets_nothing_of_the_news(api: Api) -> None:
    table = Table(api)
    stream = follow(api, table.tokens[(table.asked + 1) % 3])
    stream.next()

    with api.app.app_context():
        run("UPDATE token SET revoked_at = kingup_now()")
        table.table.nominate()

    assert stream.rest() == []


@pytest.mark.usefixtures("steady")
def test_whoever_comes_back_to_another_process_with_the_list_waits_for_the_next(
    api: Api, twin: Api
) -> None:
    table = Table(api)
    me = table.tokens[table.asked]
    last = follow(api, me).next().id

    stream = follow(twin, me, last_id=last)
    table.play_a_turn()

    first = stream.next()
    assert first.json == {"turns": [], "running": 1}
    assert first.id != last


def test_whoever_comes_back_with_an_old_list_gets_the_new_one_at_once(
    api: Api, twin: Api
) -> None:
    table = Table(api)
    me = table.tokens[table.asked]
    last = follow(api, me).next().id
    table.play_a_turn()

    found = [follow(twin, me, last_id=each).next() for each in (last, "zzz", "", "1")]

    assert [each.json for each in found] == [{"turns": [], "running": 1}] * 4


def test_what_a_list_has_views_of_is_another_list(api: Api) -> None:
    table = Table(api)
    me = table.tokens[table.asked]
    brief = follow(api, me).next()

    whole = follow(api, me, last_id=brief.id, query="?view=true").next()

    assert whole.json["turns"][0]["view"] is not None


@pytest.mark.parametrize("language", ["it", "de"])
def test_it_keeps_to_the_language_that_it_began_in(api: Api, language: str) -> None:
    table = Table(api)
    me = table.tokens[(table.asked + 1) % 3]
    headers = {"Authorization": f"Bearer {me}", "Accept-Language": language}
    stream = Heard(api, "/v1/me", query="?view=true", headers=headers)
    stream.next()

    table.play_a_turn()
    [turn] = stream.next().json["turns"]

    [there] = api.get(VIEWS_PATH, me, Accept_Language=language).json["turns"]
    [english] = api.get(VIEWS_PATH, me).json["turns"]
    asked = [each["view"]["decision"]["question"] for each in (turn, there, english)]
    assert asked[0] == asked[1] != asked[2]


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


def test_it_holds_no_connection_while_it_waits(api: Api) -> None:
    stream = follow(api, stranger(api))
    stream.next()

    with api.app.app_context():
        assert db.engine.pool.checkedout() == 0


def test_it_ends_when_the_process_is_to_end(twin: Api) -> None:
    stream = follow(twin, stranger(twin))
    stream.next()

    live.end(twin.app)

    assert stream.rest() == []


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
    assert told([follow(api, None, query=f"?ticket={ticket}").next()])[0][0] == "turns"


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
