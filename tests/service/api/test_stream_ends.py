"""How streams end, and how many may be open."""

import socket
import time

import msgspec
import pytest

from service import app as application
from service import config, live
from service.game import table_acts
from service.live import quota
from tests.rig import apps
from tests.rig.service import replaced
from tests.rig.service.heard import AT_ONCE, Heard, kinds_and_ids
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


def test_a_revoked_token_ends_its_stream_at_the_next_heartbeat(
    api: Api, table: Table, hasty: None
) -> None:
    mine, other = Heard(api, table, 1), Heard(api, table, 2)
    mine.next(), other.next()

    with api.app.app_context():
        run(
            "UPDATE token SET revoked_at = kingup_now() WHERE person_id ="
            " (SELECT person_id FROM seat WHERE game_id = :g AND number = 1)",
            {"g": table.id},
        )

    assert mine.rest() == []
    assert other.beats(1) == [b": still here\n\n"]


def test_a_stream_ends_with_the_view_of_the_game_that_is_over(
    api: Api, table: Table
) -> None:
    stream = Heard(api, table)
    stream.next()

    table.inside("finish")
    messages = stream.rest()

    assert messages[-1].json["status"] == "over"
    assert messages[-1].json == table.view().json
    numbers = [each.id for each in messages if each.event == "entry"]
    assert numbers[-1] == str(messages[-1].json["revision"])
    assert numbers == [str(int(numbers[0]) + at) for at in range(len(numbers))]


def test_who_has_it_all_of_a_game_that_is_over_need_not_come_back(
    api: Api, table: Table
) -> None:
    table.inside("finish")
    messages = Heard(api, table).rest()

    again = Heard(api, table, last_id=messages[-1].id).answer
    earlier = Heard(api, table, last_id=str(int(messages[-1].id) - 1))

    assert kinds_and_ids(messages) == [("view", messages[-1].id)]
    assert (again.status_code, again.data) == (204, b"")
    assert "Content-Type" not in again.headers
    assert [each.event for each in earlier.rest()] == ["entry", "view"]


def test_a_former_persons_stream_ends_and_tells_nothing_of_the_seat(api: Api) -> None:
    table = Table(api, 4, placement="random", rounds=2, visibility="players")
    with api.app.app_context():
        only = table.token(replaced.KEPT, game_id=table.id)
        table_acts.depart(table.id, table.table.holder(replaced.KEPT), replaced.KEPT)
        link = replaced.asked(table.table)
    streams = [
        Heard(api, table, replaced.KEPT),
        Heard(api, table, headers={"Authorization": f"Bearer {only}"}),
    ]
    for stream in streams:
        stream.next()

    with api.app.app_context():
        replaced.answer(link)

    assert [stream.rest() for stream in streams] == [[], []]


def test_who_waits_holds_no_connection(api: Api, table: Table) -> None:
    streams = [Heard(api, table, seat) for seat in (None, 0, 1, 2)]
    for stream in streams:
        stream.next()

    assert apps.connections_in_use(api.app) == 0


def test_one_client_may_wait_so_often_and_no_more(api: Api, table: Table) -> None:
    streams = [Heard(api, table, 1) for _ in range(quota.MOST_EACH)]

    refused = api.get(f"{table.path}/stream", table.tokens[1])
    other = Heard(api, table, 2)
    nobody = [Heard(api, table) for _ in range(quota.MOST_EACH)]
    too_many = api.get(f"{table.path}/stream")
    streams[0].close()
    again = Heard(api, table, 1)

    assert refused.status_code == too_many.status_code == 429
    assert refused.json["code"] == "too-many-waiting"
    assert [s.answer.status_code for s in (other, again, *nobody)] == [200] * 22
    # Left to the interpreter they would keep the places of whoever comes next.
    for stream in (*streams, other, again, *nobody):
        stream.close()


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
    apps.put_away(small)


def test_streams_end_when_the_process_is_to_end(
    settings: config.Config, api: Api, table: Table
) -> None:
    ending = application.create_app(settings)
    there = Api(ending)
    streams = [Heard(there, table, seat) for seat in (0, 1)]
    for stream in streams:
        stream.next()

    live.end(ending)
    started = time.monotonic()

    assert [stream.rest() for stream in streams] == [[], []]
    assert kinds_and_ids(Heard(there, table, 2).rest())[0][0] == "view"
    assert time.monotonic() - started < AT_ONCE
    apps.put_away(ending)


def test_a_stream_that_cannot_begin_says_why(api: Api) -> None:
    table = Table(api)
    with api.app.app_context():
        run("UPDATE game SET snapshot_format = 9999")
    ours, client = socket.socketpair()

    with ours, client:
        answer = api.app.test_client().get(
            f"{table.path}/stream", environ_overrides={"gunicorn.socket": ours}
        )
        ours.sendall(answer.data)

    assert (answer.status_code, answer.json["code"]) == (503, "game-unreadable")
