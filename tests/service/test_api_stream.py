"""Streams: a view first, then the record event by event, and never anything else."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import psycopg
import pytest
from flask import Flask

from service import app as application
from service import calling, config, handlers, streaming
from service.api import feed
from service.models import db
from service.streaming import room
from tests.service import programs
from tests.service.heard import Heard
from tests.service.programs import Api, Table, in_election
from tests.service.seated import run


@pytest.fixture
def api(app: Flask) -> Api:
    return Api(app)


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


@pytest.fixture
def listening(environ: dict[str, str], table: Table) -> Iterator[psycopg.Connection]:
    """What any process hears of the database."""
    url = environ["DATABASE_URL"].replace("+psycopg", "", 1)
    with psycopg.connect(url, autocommit=True) as line:
        line.execute("LISTEN kingup")
        # What the table's start has called is on its way at most for a moment.
        list(line.notifies(timeout=0.3))
        yield line


def record_of(api: Api, table: Table, after: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]]
    found = api.get(f"{table.path}/events?limit=500&after={after}").json["events"]
    return found


def told(messages: list[Any]) -> list[tuple[str, str | None]]:
    return [(each.event, each.id) for each in messages]


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_stream_begins_with_the_view_of_its_viewer(
    api: Api, table: Table, seat: int | None
) -> None:
    stream = Heard(api, table, seat)

    first = stream.next()

    view = table.view(seat).json
    assert (first.event, first.id) == ("view", str(view["record"]))
    assert first.json == view
    assert (first.json["own"] is None) == (seat is None)


def test_each_event_comes_once_in_order_and_a_view_behind_them(
    api: Api, table: Table
) -> None:
    stream = Heard(api, table, 1)
    record = stream.next().json["record"]

    table.play_a_turn()
    messages = stream.until_view()

    events = record_of(api, table, record)
    assert told(messages) == [
        *(("record", str(each["record"])) for each in events),
        ("view", None),
    ]
    assert [each.json for each in messages[:-1]] == events
    assert messages[-1].json == table.view(1).json


def test_a_stream_that_comes_back_goes_on_behind_its_last_event(
    api: Api, table: Table
) -> None:
    last = str(table.view().json["record"])
    for _ in range(5):
        table.play_a_turn()

    stream = Heard(api, table, 2, last_id=last)

    messages = stream.until_view()
    assert [each.json for each in messages[:-1]] == record_of(api, table, int(last))
    assert len(messages) > 5
    assert messages[-1].id is None
    assert messages[-1].json == table.view(2).json


def test_a_stream_that_has_missed_nothing_comes_back_to_a_view(
    api: Api, table: Table
) -> None:
    last = str(table.view().json["record"])

    stream = Heard(api, table, last_id=last)

    assert stream.next().event == "view"


def test_every_number_of_the_record_is_good_for_every_viewer(
    api: Api, table: Table
) -> None:
    last = Heard(api, table, 1).next().id
    table.play_a_turn()

    stranger = Heard(api, table, last_id=last).until_view()

    assert [each.json for each in stranger[:-1]] == record_of(api, table, int(last))
    assert stranger[-1].json == table.view().json
    assert stranger[-1].json["own"] is None


@pytest.mark.parametrize(
    "last",
    ["zzz", "-1", "1.5", "1e1", "0x4", "99999", "9" * 40, "4:abc", "\u0664", "4 4"],
)
def test_an_unknown_id_is_told_and_the_stream_begins_anew(
    api: Api, table: Table, last: str
) -> None:
    stream = Heard(api, table, last_id=last)

    reset, view = stream.next(), stream.next()
    assert (reset.event, reset.id, reset.json) == ("reset", None, {"reason": "unknown"})
    assert (view.event, view.id) == ("view", str(view.json["record"]))
    table.play_a_turn()
    assert stream.next().id == str(view.json["record"] + 1)


def test_an_empty_id_is_none(api: Api, table: Table) -> None:
    assert Heard(api, table, last_id="").next().event == "view"


def test_an_id_too_old_is_told_and_the_stream_begins_anew(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "MOST_BEHIND", 3)
    record = table.view().json["record"]

    just = Heard(api, table, last_id=str(record - 3))
    stream = Heard(api, table, last_id=str(record - 4))

    assert [each.event for each in just.until_view()] == ["record"] * 3 + ["view"]
    assert stream.next().json == {"reason": "too-old"}
    assert stream.next().id == str(record)


def test_whoever_reads_too_slowly_is_told_so(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "MOST_BEHIND", 2)
    stream = Heard(api, table)
    stream.next()
    for _ in range(3):
        table.play_a_turn()

    messages = stream.until_view()

    assert messages[0].json == {"reason": "too-old"}
    assert messages[1].id == str(table.view().json["record"])


def test_a_record_event_is_called_and_a_ballot_is_not(
    api: Api, listening: psycopg.Connection
) -> None:
    table = in_election(api)
    list(listening.notifies(timeout=0.3))

    table.put(0, table.first_legal(0))
    table.put(1, table.first_legal(1))
    ballots = list(listening.notifies(timeout=0.3))
    table.put(2, table.first_legal(2))
    table.inside("resolve")
    resolved = list(listening.notifies(timeout=2, stop_after=1))

    assert ballots == []
    record = table.view().json["record"]
    assert [news.payload for news in resolved] == [f"{table.id}:{record}"]


def test_nothing_is_called_that_was_not_committed(
    api: Api, table: Table, listening: psycopg.Connection
) -> None:
    with (
        api.app.app_context(),
        contextlib.suppress(ZeroDivisionError),
        handlers.transaction(),
    ):
        calling.call(table.id, 99)
        raise ZeroDivisionError

    assert list(listening.notifies(timeout=0.3)) == []


def test_a_ballot_is_told_to_nobody(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(feed, "_SPREAD_SECONDS", 0.0)
    table = in_election(api)
    streams = [Heard(api, table, seat) for seat in (None, 1)]
    record = [stream.next() for stream in streams][0].json["record"]

    table.put(0, table.first_legal(0))
    beats = [_beats(stream, 3) for stream in streams]
    table.put(1, table.first_legal(1))
    table.put(2, table.first_legal(2))
    table.inside("resolve")

    assert beats == [[b": still here\n\n"] * 3] * 2
    for stream in streams:
        assert stream.next().json["event"]["type"] == "election_resolved"
        assert stream.until_view()[-1].json["record"] > record


def _beats(stream: Heard, count: int) -> list[bytes]:
    chunks = iter(stream.answer.response)
    return [bytes(next(chunks)) for _ in range(count)]


def test_a_reminder_shows_who_has_laid_a_card(api: Api) -> None:
    table = in_election(api)
    stream = Heard(api, table)
    assert stream.next().json["laid"] is None
    table.put(1, table.first_legal(1))

    with api.app.app_context():
        handlers.remind(table.id, table.table.decision)
    shown = stream.next()

    assert (shown.event, shown.id) == ("view", None)
    assert shown.json["laid"] == [1]
    table.put(0, table.first_legal(0))
    table.put(2, table.first_legal(2))
    table.inside("resolve")
    assert stream.next().event == "record"


def test_new_terms_before_the_start_are_told_by_a_view(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(feed, "_SPREAD_SECONDS", 0.0)
    host = programs.operator_token(api)
    wish = {"seats": [{"kind": "open"}, {"kind": "bot"}], "rounds": 3}
    opened = api.call("POST", "/v1/games", host, json=wish).json
    path = f"/v1/games/{opened['id']}"
    streams = [
        Heard(api, path, headers=headers)
        for headers in ({}, {"Authorization": f"Bearer {host}"})
    ]
    before = [stream.next().json for stream in streams]

    changed = api.call("PATCH", path, host, json={"rounds": 1})
    after = [stream.next() for stream in streams]

    assert changed.status_code == 200
    assert [each["options"]["rounds"] for each in before] == [3, 3]
    for token, told_now in zip((None, host), after, strict=True):
        assert (told_now.event, told_now.id) == ("view", None)
        assert told_now.json == api.get(f"{path}/view", token).json
        assert told_now.json["options"]["rounds"] == 1


def test_ones_own_ballot_is_told_to_oneself_alone(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(feed, "_SPREAD_SECONDS", 0.0)
    table = in_election(api)
    mine, others = Heard(api, table, 0), Heard(api, table, 1)
    before = [mine.next().json, others.next().json][0]

    table.put(0, table.first_legal(0))
    after = mine.next()

    assert (before["own"]["laid"], bool(before["legal"])) == (None, True)
    assert (after.event, after.id) == ("view", None)
    assert after.json == table.view(0).json
    assert (after.json["own"]["laid"] is None, after.json["legal"]) == (False, [])
    assert _beats(others, 3) == [b": still here\n\n"] * 3


def test_what_nobody_called_is_found_at_the_next_heartbeat(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.2)
    monkeypatch.setattr(feed, "_SPREAD_SECONDS", 0.0)
    monkeypatch.setattr(calling.Caller, "call", lambda *_: None)
    stream = Heard(api, table)
    stream.next()

    table.play_a_turn()

    assert stream.next().event == "record"


def test_a_revoked_token_ends_its_stream_at_the_next_heartbeat(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "HEARTBEAT_SECONDS", 0.2)
    monkeypatch.setattr(feed, "_SPREAD_SECONDS", 0.0)
    mine, other = Heard(api, table, 1), Heard(api, table, 2)
    mine.next(), other.next()

    with api.app.app_context():
        run(
            "UPDATE token SET revoked_at = kingup_now() WHERE person_id ="
            " (SELECT person_id FROM seat WHERE game_id = :g AND number = 1)",
            {"g": table.id},
        )

    assert mine.rest() == []
    assert _beats(other, 1) == [b": still here\n\n"]


def test_a_stream_ends_with_the_view_of_the_game_that_is_over(
    api: Api, table: Table
) -> None:
    stream = Heard(api, table)
    stream.next()

    table.inside("finish")
    messages = stream.rest()

    assert messages[-1].json["status"] == "over"
    assert messages[-1].json == table.view().json
    numbers = [each.id for each in messages if each.event == "record"]
    assert numbers[-1] == str(messages[-1].json["record"])
    assert numbers == [str(int(numbers[0]) + at) for at in range(len(numbers))]


def test_who_has_it_all_of_a_game_that_is_over_need_not_come_back(
    api: Api, table: Table
) -> None:
    table.inside("finish")
    messages = Heard(api, table).rest()

    again = Heard(api, table, last_id=messages[-1].id).answer
    earlier = Heard(api, table, last_id=str(int(messages[-1].id) - 1))

    assert told(messages) == [("view", messages[-1].id)]
    assert (again.status_code, again.data) == (204, b"")
    assert "Content-Type" not in again.headers
    assert [each.event for each in earlier.rest()] == ["record", "view"]


def test_the_head_of_a_stream_is_answered_at_once(api: Api, table: Table) -> None:
    answer = api.call("HEAD", f"{table.path}/stream")

    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Accel-Buffering"] == "no"


def test_a_stream_is_for_those_who_may_see_the_game(api: Api, table: Table) -> None:
    with api.app.app_context():
        run("UPDATE game SET visibility = 'players'")
        blind = table.token(1, scopes=("games:play",))
    path = f"{table.path}/stream"

    assert api.get(path).status_code == 404
    assert api.get(path, "kup_nobody").status_code == 401
    assert api.get(path, blind).status_code == 403
    assert Heard(api, table, 1).next().event == "view"


def test_who_waits_holds_no_connection(api: Api, table: Table) -> None:
    streams = [Heard(api, table, seat) for seat in (None, 0, 1, 2)]
    for stream in streams:
        stream.next()

    with api.app.app_context():
        assert db.engine.pool.checkedout() == 0


@pytest.mark.parametrize("language", ["it", "de"])
def test_a_stream_keeps_to_the_language_that_it_began_in(
    api: Api, table: Table, language: str
) -> None:
    streams = [
        Heard(api, table, seat, headers={"Accept-Language": language})
        for seat in (None, 1)
    ]
    english = Heard(api, table)
    begun = [stream.next() for stream in (*streams, english)]

    table.play_a_turn()
    told = [stream.until_view()[-1].json["decision"] for stream in (*streams, english)]

    asked = [each.json["decision"]["question"] for each in begun]
    assert asked[0] != asked[2]
    there = api.get(f"{table.path}/view", Accept_Language=language).json["decision"]
    assert [each["question"] for each in told[:2]] == [there["question"]] * 2
    assert told[2]["question"] == table.view().json["decision"]["question"]
    assert told[2]["question"] != there["question"]


def test_one_client_may_wait_so_often_and_no_more(api: Api, table: Table) -> None:
    streams = [Heard(api, table, 1) for _ in range(room.MOST_EACH)]

    refused = api.get(f"{table.path}/stream", table.tokens[1])
    other = Heard(api, table, 2)
    nobody = [Heard(api, table) for _ in range(room.MOST_EACH)]
    too_many = api.get(f"{table.path}/stream")
    streams[0].close()
    again = Heard(api, table, 1)

    assert refused.status_code == too_many.status_code == 429
    assert refused.json["code"] == "too-many-waiting"
    assert [s.answer.status_code for s in (other, again, *nobody)] == [200] * 22


def test_when_every_place_is_taken_the_next_one_is_told_when_to_come_back(
    settings: config.Config, api: Api, table: Table
) -> None:
    small = application.create_app(msgspec.structs.replace(settings, streams=2))
    there = Api(small)
    streams = [Heard(there, table, seat) for seat in (0, 1)]

    refused = there.get(f"{table.path}/stream", table.tokens[2])
    streams[0].close()
    again = Heard(there, table, 2)

    assert refused.status_code == 503
    assert refused.json["code"] == "too-many-streams"
    assert int(refused.headers["Retry-After"]) > 0
    assert again.answer.status_code == 200
    with small.app_context():
        db.engine.dispose()


def test_streams_end_when_the_process_is_to_end(
    settings: config.Config, api: Api, table: Table
) -> None:
    ending = application.create_app(settings)
    there = Api(ending)
    streams = [Heard(there, table, seat) for seat in (0, 1)]
    for stream in streams:
        stream.next()

    streaming.end(ending)
    started = time.monotonic()

    assert [stream.rest() for stream in streams] == [[], []]
    assert told(Heard(there, table, 2).rest())[0][0] == "view"
    assert time.monotonic() - started < 2
    with ending.app_context():
        db.engine.dispose()


def test_a_listener_that_was_cut_off_listens_again_and_has_missed_nothing(
    api: Api, table: Table
) -> None:
    stream = Heard(api, table)
    stream.next()
    table.play_a_turn()
    stream.until_view()

    with api.app.app_context():
        run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE query = 'LISTEN kingup'"
        )
    table.play_a_turn()

    started = time.monotonic()
    assert stream.next().event == "record"
    assert time.monotonic() - started < 5
