"""Streams that are cut: by the line, the web process, the worker, the database."""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask

from service import app as application
from service import config
from service.processes import embedded
from tests.rig import apps, house, sse
from tests.rig.house import House
from tests.rig.overheard import events_of, records, whole_lines
from tests.rig.service import seated
from tests.rig.sse import Message, Stream

CUTS = 100


@pytest.fixture
def two_webs(tmp_path: Path, environ: dict[str, str], database: str) -> Iterator[House]:
    """Two web processes and a worker."""
    built = House(tmp_path, environ, webs=2, workers=1)
    with house.running(built):
        yield built


def test_a_stream_cut_a_hundred_times_misses_and_doubles_nothing(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.started(6, rounds=3)
    chance = random.Random(4)
    got: list[Message] = []
    origin, game_id = lone_web.urls[0], str(table.id)
    first = kept.enter_context(Stream(origin, game_id))
    start = next(first.messages())
    last = first.last_id
    first.close()

    for cut in range(CUTS + 1):
        if table.game.running and chance.random() < 0.7:
            table.step(chance)
        if cut == CUTS:
            table.finish()
        last = _read_a_little(origin, game_id, last, got, chance, whole=cut == CUTS)

    assert start.json["revision"] < 10
    numbers = [int(each.id or 0) for each in got if each.event == "entry"]
    assert len(numbers) > CUTS // 2
    assert numbers == list(range(start.json["revision"] + 1, numbers[-1] + 1))
    assert records(got) == events_of(lone_web, game_id, start.json["revision"])
    assert got[-1].json["status"] == "over"


def _read_a_little(
    origin: str,
    game_id: str,
    last: str | None,
    got: list[Message],
    chance: random.Random,
    *,
    whole: bool,
) -> str | None:
    """Come back, and hang up at any byte; the last id that was read to its end."""
    line = sse.silent(origin, game_id, last_id=last)
    line.settimeout(15)
    body = b""
    most = chance.randrange(400, 12_000)
    while whole or len(body) < most:
        try:
            chunk = line.recv(65536 if whole else min(512, most - len(body)))
        except TimeoutError:
            break
        if not chunk:
            break
        body += chunk
        has_view = b"event: view" in body and body.endswith(b"\n\n\r\n")
        if body.startswith(b"HTTP/1.1 204") or (has_view and not whole):
            break
    line.close()
    for message in sse.parsed(whole_lines(body)):
        if message.event != ":":
            got.append(message)
            last = message.id or last
    return last


def test_a_stream_goes_on_after_the_service_was_started_again(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.started(3, rounds=1)
    chance = random.Random(5)
    origin, game_id = lone_web.urls[0], str(table.id)
    stream = kept.enter_context(Stream(origin, game_id))
    start = next(stream.messages()).json["revision"]
    table.step(chance)
    before = stream.until_view(start + 1)

    lone_web.webs[0].kill()
    ended = list(stream.messages()) if not stream.answer.isclosed() else []
    for _ in range(5):
        table.step(chance)
    lone_web.webs[0].start()
    lone_web.wait_for_webs()
    again = kept.enter_context(Stream(origin, game_id, last_id=stream.last_id))
    behind = again.until_view(0)

    assert records(ended) == []
    assert len(records(behind)) >= 3
    whole = events_of(lone_web, game_id, start)
    assert records(before) + records(behind) == whole
    table.finish()
    rest = list(again.messages())
    assert records(behind + rest) == events_of(lone_web, game_id, start + 1)


def test_every_process_hears_of_what_any_process_commits(
    inside: Flask, two_webs: House, kept: ExitStack
) -> None:
    """Bots answer in the worker, the test plays in a process of its own."""
    table = seated.started(4, bots=3, rounds=1, first=0)
    game_id, record = str(table.id), 4
    streams = [
        kept.enter_context(Stream(url, game_id, timeout=30)) for url in two_webs.urls
    ]
    starts = [next(stream.messages()).json["revision"] for stream in streams]

    table.step(random.Random(6))
    last = starts[0] + 4
    heard = [stream.until_view(last) for stream in streams]

    assert starts == [record, record]
    whole = events_of(two_webs, game_id, record)
    assert len(whole) >= 4
    for messages in heard:
        assert records(messages) == whole[: len(records(messages))]
        assert len(records(messages)) >= 4


def test_a_stream_outlives_the_crash_of_the_database(
    own_servers: embedded.Servers, tmp_path: Path, kept: ExitStack
) -> None:
    environ = house.environ_of(own_servers)
    built = House(tmp_path / "house", environ, webs=1, workers=0)
    kept.enter_context(house.running(built))
    app = application.create_app(config.load(environ))
    kept.callback(apps.put_away, app)
    kept.enter_context(app.app_context())
    table, chance = seated.started(3), random.Random(8)
    stream = kept.enter_context(Stream(built.urls[0], str(table.id), timeout=30))
    record = next(stream.messages()).json["revision"]

    own_servers.postgres.kill()
    own_servers.postgres.start()
    apps.close_connections()
    started = time.monotonic()
    table.step(chance)
    heard = stream.until_view(record + 1)

    assert records(heard) == events_of(built, str(table.id), record)
    assert time.monotonic() - started < 10
