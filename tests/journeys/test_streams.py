"""Streams over real lines: cut, slow, idle, and with processes that come and go."""

import http.client
import itertools
import random
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask

from service import app as application
from service import config, handlers
from service.models import db
from service.running import embedded
from tests.rig import house, sse
from tests.rig.house import House
from tests.rig.parts import wait_until
from tests.rig.sse import Message, Refused, Stream
from tests.service import seated

HEARTBEAT = 15.0
CUTS = 100


@pytest.fixture
def inside(app: Flask) -> Iterator[Flask]:
    """The test itself commits too, in a process of its own."""
    with app.app_context():
        yield app


@pytest.fixture
def kept() -> Iterator[ExitStack]:
    """Closes what a test has opened."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def two_webs(tmp_path: Path, environ: dict[str, str], database: str) -> Iterator[House]:
    """Two web processes and a worker."""
    built = House(tmp_path, environ, webs=2, workers=1)
    with house.running(built):
        yield built


@pytest.fixture
def lone_web(tmp_path: Path, environ: dict[str, str], database: str) -> Iterator[House]:
    """One web process, and nobody who works beside the test."""
    built = House(tmp_path, environ, webs=1, workers=0)
    with house.running(built):
        yield built


def events_of(where: House, game_id: str, after: int = 0) -> list[dict[str, Any]]:
    line = http.client.HTTPConnection(urlsplit(where.urls[0]).netloc, timeout=15)
    line.request("GET", f"/v1/games/{game_id}/events?limit=500&after={after}")
    body = sse.Message("", None, line.getresponse().read().decode()).json
    line.close()
    found: list[dict[str, Any]] = body["events"]
    return found


def records(messages: list[Message]) -> list[dict[str, Any]]:
    return [each.json for each in messages if each.event == "record"]


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

    assert start.json["record"] < 10
    numbers = [int(each.id or 0) for each in got if each.event == "record"]
    assert len(numbers) > CUTS // 2
    assert numbers == list(range(start.json["record"] + 1, numbers[-1] + 1))
    assert records(got) == events_of(lone_web, game_id, start.json["record"])
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
        told = b"event: view" in body and body.endswith(b"\n\n\r\n")
        if body.startswith(b"HTTP/1.1 204") or (told and not whole):
            break
    line.close()
    for message in sse.parsed(_lines(body)):
        if message.event != ":":
            got.append(message)
            last = message.id or last
    return last


def _lines(body: bytes) -> Iterator[bytes]:
    """The whole lines of a chunked body, up to where it was cut off."""
    _, _, rest = body.partition(b"\r\n\r\n")
    text = b""
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        if not size or not rest:
            break
        length = int(size, 16)
        text, rest = text + rest[:length], rest[length + 2 :]
    lines = text.splitlines(keepends=True)
    return (line for line in lines if line.endswith(b"\n"))


def test_a_stream_goes_on_after_the_service_was_started_again(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.started(3, rounds=1)
    chance = random.Random(5)
    origin, game_id = lone_web.urls[0], str(table.id)
    stream = kept.enter_context(Stream(origin, game_id))
    start = next(stream.messages()).json["record"]
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
    starts = [next(stream.messages()).json["record"] for stream in streams]

    table.step(random.Random(6))
    last = starts[0] + 4
    told = [stream.until_view(last) for stream in streams]

    assert starts == [record, record]
    whole = events_of(two_webs, game_id, record)
    assert len(whole) >= 4
    for messages in told:
        assert records(messages) == whole[: len(records(messages))]
        assert len(records(messages)) >= 4


def test_a_ballot_sends_nobody_a_byte(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.in_election(3)
    lines = [
        kept.enter_context(sse.silent(lone_web.urls[0], str(table.id)))
        for _ in range(2)
    ]
    for line in lines:
        _drain(line, 0.5)

    table.answer(0, seated.own(table.game, 0).legal[0].answer)
    table.answer(1, seated.own(table.game, 1).legal[0].answer)
    others = [_drain(line, 0.7) for line in lines]
    handlers.remind(table.id, table.decision)
    reminded = [_drain(line, 0.7) for line in lines]

    assert others == [b"", b""]
    assert all(b'"laid":[0,1]' in each for each in reminded)
    assert all(b"event: record" not in each for each in reminded)


def _drain(line: socket.socket, seconds: float) -> bytes:
    """Everything that comes within so many seconds."""
    end, found = time.monotonic() + seconds, b""
    while (left := end - time.monotonic()) > 0:
        line.settimeout(left)
        try:
            found += line.recv(65536)
        except TimeoutError:
            break
    return found


def test_a_slow_reader_holds_up_nobody_and_gets_everything(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.started(4, rounds=2)
    origin, game_id = lone_web.urls[0], str(table.id)
    slow = kept.enter_context(sse.silent(origin, game_id))
    swift = kept.enter_context(Stream(origin, game_id))
    start = next(swift.messages()).json["record"]

    table.finish()
    told = list(swift.messages())
    late = list(sse.parsed(_lines(_drain(slow, 3))))

    whole = events_of(lone_web, game_id, start)
    assert records(told) == whole
    assert records(late) == whole
    assert late[-1].json["status"] == "over"


def test_an_idle_stream_says_so_at_least_every_fifteen_seconds(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.started(3)
    stream = kept.enter_context(
        Stream(lone_web.urls[0], str(table.id), timeout=HEARTBEAT + 3)
    )
    coming = stream.listen()
    next(coming)

    started = time.monotonic()
    beats = [(next(coming).event, time.monotonic()) for _ in range(3)]

    # The first stream of a process hears once more that it listens from now on.
    moments = [started, *(moment for _, moment in beats)]
    pauses = [after - before for before, after in itertools.pairwise(moments)]
    assert {event for event, _ in beats} == {":"}
    assert 5 < max(pauses) <= HEARTBEAT + 1


def test_open_streams_do_not_hold_up_the_end_of_the_service(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.started(3)
    streams = [
        kept.enter_context(Stream(lone_web.urls[0], str(table.id))) for _ in range(10)
    ]
    for stream in streams:
        next(stream.messages())

    started = time.monotonic()
    lone_web.webs[0].ask_to_stop()
    ended = [list(stream.messages()) for stream in streams]
    wait_until(lambda: not lone_web.webs[0].alive, "the end of the web process")

    assert ended == [[]] * 10
    # Half of what gunicorn would wait for them.
    assert time.monotonic() - started < 10


def test_a_game_that_is_over_asks_nobody_back(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.started(3, rounds=1)
    table.finish()
    stream = kept.enter_context(Stream(lone_web.urls[0], str(table.id)))
    (view,) = stream.messages()

    with pytest.raises(Refused) as refused:
        kept.enter_context(Stream(lone_web.urls[0], str(table.id), last_id=view.id))

    assert refused.value.status == 204


def test_who_hangs_up_leaves_their_place_at_once(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.started(3)

    for _ in range(60):
        stream = kept.enter_context(Stream(lone_web.urls[0], str(table.id)))
        next(stream.messages())
        stream.close()

    open_now = [
        kept.enter_context(Stream(lone_web.urls[0], str(table.id))) for _ in range(20)
    ]
    with pytest.raises(Refused) as refused:
        kept.enter_context(Stream(lone_web.urls[0], str(table.id)))
    assert refused.value.status == 429
    assert len(open_now) == 20


def test_a_stream_outlives_the_crash_of_the_database(
    tmp_path: Path, kept: ExitStack
) -> None:
    servers = embedded.Servers(tmp_path / "servers")
    servers.start()
    kept.callback(servers.stop)
    environ = house.migrated(servers)
    built = House(tmp_path / "house", environ, webs=1, workers=0)
    kept.enter_context(house.running(built))
    kept.enter_context(application.create_app(config.load(environ)).app_context())
    kept.callback(lambda: db.engine.dispose())
    table, chance = seated.started(3), random.Random(8)
    stream = kept.enter_context(Stream(built.urls[0], str(table.id), timeout=30))
    record = next(stream.messages()).json["record"]

    servers.postgres.kill()
    servers.postgres.start()
    db.engine.dispose()
    started = time.monotonic()
    table.step(chance)
    told = stream.until_view(record + 1)

    assert records(told) == events_of(built, str(table.id), record)
    assert time.monotonic() - started < 10
