"""The stream of an account's turns: the whole list, whenever it is another one."""

from collections.abc import Iterator

import pytest

from service import app as application
from service import config, live
from tests.rig import apps
from tests.rig.service.heard import Heard
from tests.rig.service.programs import Api, Table, in_election, stranger
from tests.rig.service.seated import run
from tests.rig.service.turns import PATH, VIEWS_PATH, end, follow, seat_by, single

BEAT = b": still here\n\n"


@pytest.fixture
def twin(settings: config.Config) -> Iterator[Api]:
    """The same service in another process."""
    other = application.create_app(settings)
    yield Api(other)
    apps.put_away(other)


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


def test_it_holds_no_connection_while_it_waits(api: Api) -> None:
    stream = follow(api, stranger(api))
    stream.next()

    assert apps.connections_in_use(api.app) == 0


def test_it_ends_when_the_process_is_to_end(twin: Api) -> None:
    stream = follow(twin, stranger(twin))
    stream.next()

    live.end(twin.app)

    assert stream.rest() == []
