"""Streams that stay open: idle, slow, many, and what they hold up."""

import socket
import time
from contextlib import ExitStack

import pytest
from flask import Flask

from service.game import time_up
from tests.rig import sse
from tests.rig.house import House
from tests.rig.overheard import events_of, records, whole_lines
from tests.rig.parts import PATIENCE, wait_until
from tests.rig.service import seated
from tests.rig.sse import Refused, Stream

HEARTBEAT = 15.0


def test_a_ballot_sends_nobody_a_byte(
    inside: Flask, lone_web: House, kept: ExitStack
) -> None:
    table = seated.in_election(3)
    lines = [
        kept.enter_context(sse.silent(lone_web.urls[0], str(table.id)))
        for _ in range(2)
    ]
    for line in lines:
        _hear(line, b"event: view")

    table.answer(0, seated.own(table.game, 0).legal[0].answer)
    table.answer(1, seated.own(table.game, 1).legal[0].answer)
    others = [_drain(line, 0.7) for line in lines]
    time_up.remind(table.id, table.decision)
    reminded = [_hear(line, b'"laid":[0,1]') for line in lines]

    assert others == [b"", b""]
    assert all(b"event: record" not in each for each in reminded)


def _hear(line: socket.socket, word: bytes) -> bytes:
    """Everything that comes up to a word, however long that takes, and right after it.

    Raises TimeoutError if it isn't said.
    """
    found, end = b"", time.monotonic() + PATIENCE
    while word not in found:
        line.settimeout(max(0.01, end - time.monotonic()))
        found += line.recv(65536)
    return found + _drain(line, 0.5)


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
    start = next(swift.messages()).json["revision"]

    table.finish()
    heard = list(swift.messages())
    late = list(sse.parsed(whole_lines(_drain(slow, 3))))

    whole = events_of(lone_web, game_id, start)
    assert records(heard) == whole
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

    pause, heard = 0.0, set()
    # The first stream of a process hears once more that it listens from now on.
    for _ in range(3):
        if pause < 5:
            started = time.monotonic()
            heard.add(next(coming).event)
            pause = time.monotonic() - started

    assert heard == {":"}
    assert 5 < pause <= HEARTBEAT + 1


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
