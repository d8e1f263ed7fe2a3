"""How streams begin: with a view, or where they were cut, and go on event by event."""

from typing import Any
from uuid import UUID

import pytest

from service.api.feeds import game_stream
from service.store import event_log
from tests.rig.service.heard import Heard, kinds_and_ids
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


def record_of(api: Api, table: Table, after: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]]
    found = api.get(f"{table.path}/events?limit=500&after={after}").json["events"]
    return found


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_stream_begins_with_the_view_of_its_viewer(
    api: Api, table: Table, seat: int | None
) -> None:
    stream = Heard(api, table, seat)

    first = stream.next()

    view = table.view(seat).json
    assert (first.event, first.id) == ("view", str(view["revision"]))
    assert first.json == view
    assert (first.json["own"] is None) == (seat is None)


def test_each_event_comes_once_in_order_and_a_view_behind_them(
    api: Api, table: Table
) -> None:
    stream = Heard(api, table, 1)
    record = stream.next().json["revision"]

    table.play_a_turn()
    messages = stream.until_view()

    events = record_of(api, table, record)
    assert kinds_and_ids(messages) == [
        *(("entry", str(each["revision"])) for each in events),
        ("view", None),
    ]
    assert [each.json for each in messages[:-1]] == events
    assert messages[-1].json == table.view(1).json


def test_a_stream_that_comes_back_goes_on_behind_its_last_event(
    api: Api, table: Table
) -> None:
    last = str(table.view().json["revision"])
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
    last = str(table.view().json["revision"])

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
    assert (view.event, view.id) == ("view", str(view.json["revision"]))
    table.play_a_turn()
    assert stream.next().id == str(view.json["revision"] + 1)


def test_an_empty_id_is_none(api: Api, table: Table) -> None:
    assert Heard(api, table, last_id="").next().event == "view"


def test_an_id_too_old_is_told_and_the_stream_begins_anew(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_stream, "MOST_BEHIND", 3)
    record = table.view().json["revision"]

    just = Heard(api, table, last_id=str(record - 3))
    stream = Heard(api, table, last_id=str(record - 4))

    assert [each.event for each in just.until_view()] == ["entry"] * 3 + ["view"]
    assert stream.next().json == {"reason": "too-old"}
    assert stream.next().id == str(record)


def test_whoever_reads_too_slowly_is_told_so(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_stream, "MOST_BEHIND", 2)
    stream = Heard(api, table)
    stream.next()
    for _ in range(3):
        table.play_a_turn()

    messages = stream.until_view()

    assert messages[0].json == {"reason": "too-old"}
    assert messages[1].id == str(table.view().json["revision"])


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
    decisions = [
        stream.until_view()[-1].json["decision"] for stream in (*streams, english)
    ]

    asked = [each.json["decision"]["question"] for each in begun]
    assert asked[0] != asked[2]
    there = api.get(f"{table.path}/view", Accept_Language=language).json["decision"]
    assert [each["question"] for each in decisions[:2]] == [there["question"]] * 2
    assert decisions[2]["question"] == table.view().json["decision"]["question"]
    assert decisions[2]["question"] != there["question"]


def test_what_comes_while_a_batch_is_read_is_told_once_in_the_next(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch, hasty: None
) -> None:
    stream = Heard(api, table)
    stream.next()
    read, late = event_log.record_after, [table.play_a_turn]

    def slowly(game_id: UUID, after: int, most: int) -> Any:
        while late:
            late.pop()()
        return read(game_id, after, most)

    monkeypatch.setattr(event_log, "record_after", slowly)
    table.play_a_turn()

    batches = [stream.until_view() for _ in range(2)]

    numbers = [int(each.id or 0) for batch in batches for each in batch[:-1]]
    assert numbers == sorted(set(numbers))
    for batch in batches:
        assert batch[-1].json["revision"] == int(batch[-2].id or 0)
