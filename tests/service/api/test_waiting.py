"""Long polls: they end with the next event, and take nothing from others meanwhile."""

import threading
import time
import uuid

import msgspec
import pytest

from service import app as application
from service import config, live
from service.live import long_poll, quota
from service.values.signed_tokens import Origin, Signer
from tests.rig import apps
from tests.rig.service.heard import AT_ONCE, Asking, until_waiting
from tests.rig.service.programs import Api, Table, in_election
from tests.rig.service.seated import run


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


def path(table: Table, wait: int, after: int | None = None) -> str:
    last = table.view().json["revision"] if after is None else after
    return f"{table.path}/events?after={last}&wait={wait}"


def test_what_is_there_is_not_waited_for(api: Api, table: Table) -> None:
    started = time.monotonic()

    answer = api.get(path(table, 20, after=1))

    assert answer.data == api.get(path(table, 0, after=1)).data
    assert time.monotonic() - started < AT_ONCE


def test_waiting_ends_with_the_next_event(api: Api, table: Table) -> None:
    last = table.view().json["revision"]
    asking = Asking(api, path(table, 20))
    until_waiting(api)

    table.play_a_turn()
    answer = asking.answer()

    assert answer.json["events"][0]["revision"] == last + 1
    assert answer.data == api.get(path(table, 0, after=last)).data


def test_waiting_ends_with_the_time(api: Api, table: Table) -> None:
    started = time.monotonic()

    answer = api.get(path(table, 1))

    assert 1 <= time.monotonic() - started < AT_ONCE
    assert answer.json["events"] == []
    assert answer.json["head"] == table.view().json["head"]


def test_a_ballot_ends_no_waiting_and_changes_no_byte(api: Api) -> None:
    table = in_election(api)
    still = api.get(path(table, 1))
    started = time.monotonic()
    asking = Asking(api, path(table, 2), table.tokens[1])

    until_waiting(api)
    table.put(0, table.first_legal(0))
    answer = asking.answer()

    assert time.monotonic() - started >= 2
    assert answer.data == still.data
    assert answer.headers["ETag"] == still.headers["ETag"]


def test_nothing_is_waited_for_once_the_game_is_over(api: Api, table: Table) -> None:
    table.inside("finish")
    started = time.monotonic()

    answer = api.get(path(table, 20))

    assert answer.json["events"] == []
    assert time.monotonic() - started < AT_ONCE


@pytest.mark.parametrize("wait", ["61", "-1", "1.5", "soon"])
def test_nobody_waits_longer_than_a_minute(api: Api, table: Table, wait: str) -> None:
    answer = api.get(f"{table.path}/events?wait={wait}")

    assert (answer.status_code, answer.json["parameter"]) == (422, "wait")


def test_whoever_waits_leaves_the_work_to_others(
    settings: config.Config, api: Api, table: Table
) -> None:
    single = application.create_app(msgspec.structs.replace(settings, web_threads=1))
    there = Api(single)
    asking = [Asking(there, path(table, 20), token) for token in table.tokens]
    until_waiting(there, len(asking))

    answer = there.get(f"{table.path}/view")
    held = apps.connections_in_use(single)

    assert answer.status_code == 200
    assert all(each.waits for each in asking)
    assert held == 0
    table.play_a_turn()
    assert [each.answer().status_code for each in asking] == [200] * 3
    apps.put_away(single)


def test_no_more_requests_are_worked_on_at_a_time_than_was_said(
    settings: config.Config, api: Api
) -> None:
    narrow = application.create_app(msgspec.structs.replace(settings, web_threads=2))
    inside, most, lock = 0, 0, threading.Lock()

    @narrow.get("/slow")
    def slow() -> str:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.1)
        with lock:
            inside -= 1
        return ""

    secret = Signer(settings.secret_key).make(Origin.MAILBOX)
    asking = {"headers": {"Authorization": f"Bearer kup_{secret}"}}
    askers = [
        threading.Thread(
            target=narrow.test_client().get, args=("/slow",), kwargs=asking
        )
        for _ in range(8)
    ]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    apps.put_away(narrow)

    assert most == 2


def test_whoever_is_called_without_end_rests_longer_than_they_look(
    settings: config.Config, api: Api
) -> None:
    busy = application.create_app(settings)
    subscriptions = live.of(busy).subscriptions
    game, looks = uuid.uuid4(), []

    def read(_: object) -> None:
        looks.append(time.monotonic())
        subscriptions.notify({game: ()})
        time.sleep(0.1)

    @busy.get("/called")
    def called() -> str:
        long_poll.until(
            enough=lambda _: False,
            read=read,
            watching=subscriptions.watch_game(game),
            client=lambda: quota.Client("person", known=True),
            seconds=3,
        )
        return ""

    busy.test_client().get("/called")
    apps.put_away(busy)

    # The last one is when the time is up.
    assert 3 <= len(looks) <= 3 / 0.5 + 2


def test_streams_and_long_polls_share_the_places_of_a_client(
    api: Api, table: Table
) -> None:
    asking = [
        Asking(api, path(table, 20), table.tokens[0]) for _ in range(quota.MOST_EACH)
    ]
    until_waiting(api, quota.MOST_EACH)

    stream = api.get(f"{table.path}/stream", table.tokens[0])
    poll = api.get(path(table, 5), table.tokens[0])
    at_once = api.get(path(table, 5, after=0), table.tokens[0])
    table.play_a_turn()

    assert (stream.status_code, poll.status_code) == (429, 429)
    assert at_once.status_code == 200
    assert [each.answer().status_code for each in asking] == [200] * quota.MOST_EACH


def test_a_token_that_is_revoked_while_it_waits_gets_nothing(
    api: Api, table: Table
) -> None:
    seat = (table.asked + 1) % 3
    asking = Asking(api, path(table, 20), table.tokens[seat])
    until_waiting(api)

    with api.app.app_context():
        run(
            "UPDATE token SET revoked_at = kingup_now() WHERE person_id ="
            " (SELECT person_id FROM seat WHERE game_id = :g AND number = :s)",
            {"g": table.id, "s": seat},
        )
    table.play_a_turn()

    assert asking.answer().status_code == 401
