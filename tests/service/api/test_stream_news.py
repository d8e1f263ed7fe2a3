"""What streams tell, how soon, and what they tell nobody."""

import time

import pytest

from service.game import time_up
from service.live import sse
from service.store import publisher
from tests.rig.service import programs
from tests.rig.service.heard import AT_ONCE, Heard
from tests.rig.service.programs import Api, Table, in_election
from tests.rig.service.seated import run


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


def test_a_ballot_is_told_to_nobody(api: Api, hasty: None) -> None:
    table = in_election(api)
    streams = [Heard(api, table, seat) for seat in (None, 1)]
    record = [stream.next() for stream in streams][0].json["revision"]

    table.put(0, table.first_legal(0))
    beats = [stream.beats(3) for stream in streams]
    table.put(1, table.first_legal(1))
    table.put(2, table.first_legal(2))
    table.inside("resolve")

    assert beats == [[b": still here\n\n"] * 3] * 2
    for stream in streams:
        assert stream.next().json["event"]["type"] == "election_resolved"
        assert stream.until_view()[-1].json["revision"] > record


def test_ones_own_ballot_is_told_to_oneself_alone(api: Api, hasty: None) -> None:
    table = in_election(api)
    mine, others = Heard(api, table, 0), Heard(api, table, 1)
    before = [mine.next().json, others.next().json][0]

    table.put(0, table.first_legal(0))
    after = mine.next()

    assert (before["own"]["ballot"], bool(before["legal"])) == (None, True)
    assert (after.event, after.id) == ("view", None)
    assert after.json == table.view(0).json
    assert (after.json["own"]["ballot"] is None, after.json["legal"]) == (False, [])
    assert others.beats(3) == [b": still here\n\n"] * 3


def test_a_reminder_shows_who_has_laid_a_card(api: Api) -> None:
    table = in_election(api)
    stream = Heard(api, table)
    assert stream.next().json["laid"] is None
    table.put(1, table.first_legal(1))

    with api.app.app_context():
        time_up.remind(table.id, table.table.decision)
    shown = stream.next()

    assert (shown.event, shown.id) == ("view", None)
    assert shown.json["laid"] == [1]
    table.put(0, table.first_legal(0))
    table.put(2, table.first_legal(2))
    table.inside("resolve")
    assert stream.next().event == "entry"


def test_new_terms_before_the_start_are_told_by_a_view_at_once(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 3 * AT_ONCE)
    host = programs.operator_token(api)
    wish = {"seats": [{"kind": "open"}, {"kind": "bot"}], "rounds": 3}
    opened = api.call("POST", "/v1/games", host, json=wish).json
    path = f"/v1/games/{opened['game']}"
    streams = [
        Heard(api, path, headers=headers)
        for headers in ({}, {"Authorization": f"Bearer {host}"})
    ]
    before = [stream.next().json for stream in streams]
    started = time.monotonic()

    changed = api.call("PATCH", path, host, json={"rounds": 1})
    after = [stream.next() for stream in streams]

    assert changed.status_code == 200
    assert time.monotonic() - started < AT_ONCE
    assert [each["options"]["rounds"] for each in before] == [3, 3]
    for token, told_now in zip((None, host), after, strict=True):
        assert (told_now.event, told_now.id) == ("view", None)
        assert told_now.json == api.get(f"{path}/view", token).json
        assert told_now.json["options"]["rounds"] == 1


def test_what_nobody_called_is_found_at_the_next_heartbeat(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch, hasty: None
) -> None:
    monkeypatch.setattr(publisher.Publisher, "publish", lambda *_: None)
    stream = Heard(api, table)
    stream.next()

    table.play_a_turn()

    assert stream.next().event == "entry"


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
    assert stream.next().event == "entry"
    assert time.monotonic() - started < AT_ONCE
