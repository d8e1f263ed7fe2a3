"""The bots in examples/ at a service that is slow, full, broken off or gone."""

import importlib.util
import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


class Service(ThreadingHTTPServer):
    """Answers each request with the next of `script`, to the byte, and hangs up."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[bytes] = []
        self.asked: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Service

    def do_GET(self) -> None:
        self.reply()

    def do_PUT(self) -> None:
        self.reply()

    def reply(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        line = f"{self.command} {self.path}"
        self.server.asked.append((line, dict(self.headers), body))
        self.wfile.write(self.server.script.pop(0))
        self.close_connection = True

    def log_message(self, *words: object) -> None:
        pass


def answer(status: str, body: object, *headers: str) -> bytes:
    data = json.dumps(body).encode()
    head = (f"HTTP/1.1 {status}", f"Content-Length: {len(data)}", *headers)
    return "\r\n".join(head).encode() + b"\r\n\r\n" + data


def stream(*messages: str) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    return head + "".join(messages).encode()


def view(*, over: bool = False, legal: bool = False) -> str:
    whole = {
        "status": "over" if over else "running",
        "decision": {"number": 5},
        "legal": [{"answer": {"kind": "move", "character": "A"}}] if legal else [],
        "totals": [3],
        "seat": 1,
        "seats": [{"name": "Rachel"}, {"name": "Simon"}],
        "winners": [0],
    }
    return f"event: view\ndata: {json.dumps(whole)}\n\n"


def record(number: int) -> str:
    data = json.dumps({"revision": number, "head": "", "event": {"type": "moved"}})
    return f"event: entry\nid: {number}\ndata: {data}\n\n"


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def pauses() -> list[float]:
    """The seconds that a bot would have waited."""
    return []


@pytest.fixture
def bot(
    service: Service, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> Iterator[ModuleType]:
    monkeypatch.setenv("KINGUP_URL", f"{service.url}/")
    monkeypatch.setenv("KINGUP_TOKEN", "kup_mine")
    module = loaded("bot")
    monkeypatch.setattr(module.time, "sleep", pauses.append)
    yield module
    del sys.modules["bot"]


@pytest.fixture
def stream_bot(
    bot: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ModuleType]:
    yield loaded("stream_bot")
    del sys.modules["stream_bot"]


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_a_bot_waits_as_long_as_it_is_told_and_sends_the_same_again(
    service: Service, bot: ModuleType, pauses: list[float], status: str
) -> None:
    full = answer(status, {"code": "x", "detail": "y"}, "Retry-After: 7")
    service.script = [full, full, answer("200 OK", {"decision": 5})]

    bot.give(f"{service.url}/answer", {"kind": "move"})

    assert pauses == [7.0, 7.0]
    assert len(service.asked) == 3
    assert {(line, body) for line, _, body in service.asked} == {
        ("PUT /answer", b'{"kind": "move"}')
    }
    assert {heads["Authorization"] for _, heads, _ in service.asked} == {
        "Bearer kup_mine"
    }


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"HTTP/1.1 200 O",
        answer("200 OK", {"decision": 5})[:-4],
        b"HTTP/1.1 200 OK\r\n\r\n{",
        answer("502 Bad Gateway", "no JSON object"),
        b"HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\n<html",
    ],
)
def test_a_bot_asks_again_and_more_slowly_after_an_answer_that_broke_off(
    service: Service, bot: ModuleType, pauses: list[float], broken: bytes
) -> None:
    service.script = [broken, broken, broken, answer("200 OK", {"turns": []})]

    assert bot.call("GET", f"{service.url}/turns").body == {"turns": []}

    assert len(pauses) == 3
    assert 0 < pauses[0] <= 0.5 <= pauses[1] <= 1 <= pauses[2] <= 2


def test_however_long_a_service_is_gone_a_bot_asks_once_in_a_minute(
    bot: ModuleType,
) -> None:
    assert 30 <= bot.backoff(100_000) <= 60


def test_a_bot_lets_a_refused_answer_go(
    service: Service,
    bot: ModuleType,
    pauses: list[float],
    caplog: pytest.LogCaptureFixture,
) -> None:
    closed = {"code": "decision-closed", "detail": "It is over."}
    service.script = [answer("409 Conflict", closed)]

    bot.give(f"{service.url}/answer", {"kind": "move"})

    assert "refused: decision-closed: It is over." in caplog.text
    assert (len(service.asked), pauses) == (1, [1])


def test_a_bot_ends_with_the_reason_when_its_token_is_bad(
    service: Service, bot: ModuleType
) -> None:
    bad = {"code": "unauthorized", "detail": "No such token."}
    service.script = [answer("401 Unauthorized", bad)]

    with pytest.raises(SystemExit, match="401 unauthorized: No such token"):
        bot.play()


def test_a_bot_waits_for_another_list_than_the_one_it_has(
    service: Service, bot: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = {"answer_url": f"{service.url}/answer", "view": {}}
    choice = {"kind": "move", "character": "A"}
    monkeypatch.setattr(bot, "choose", lambda _view: choice)
    bad = {"code": "unauthorized", "detail": "No such token."}
    service.script = [
        answer("200 OK", {"turns": [turn]}, 'ETag: "one"'),
        answer("409 Conflict", {"code": "decision-closed", "detail": "It is over."}),
        b'HTTP/1.1 304 Not Modified\r\nETag: "one"\r\n\r\n',
        answer("200 OK", {"turns": []}, 'ETag: "two"'),
        answer("401 Unauthorized", bad),
    ]

    with pytest.raises(SystemExit):
        bot.play()

    asked = [(line, heads.get("If-None-Match")) for line, heads, _ in service.asked]
    path = "GET /v1/me/turns?wait=60&view=true"
    known = [None, '"one"', '"one"', '"two"']
    assert [mark for line, mark in asked if line == path] == known
    assert asked[1] == ("PUT /answer", None)


def test_a_stream_that_breaks_goes_on_behind_the_last_event(
    service: Service,
    stream_bot: ModuleType,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    service.script = [
        stream("retry: 2000\n\n", view(), record(4), record(5), record(6)[:-1]),
        answer("503 Service Unavailable", {}, "Retry-After: 2"),
        stream(": still here\n\n", record(6), view(), "event: other\ndata: {}\n\n"),
        stream(view(over=True)),
    ]

    stream_bot.follow("g")

    asked = [heads.get("Last-Event-Id") for _, heads, _ in service.asked]
    assert asked == [None, "5", "5", "6"]
    assert {line for line, _, _ in service.asked} == {"GET /v1/games/g/stream"}
    logged = [line.message for line in caplog.records if "moved" in line.message]
    assert logged == ["4 moved", "5 moved", "6 moved"]


def test_after_a_reset_what_was_heard_before_counts_no_more(
    service: Service, stream_bot: ModuleType
) -> None:
    reset = 'event: reset\ndata: {"reason": "unknown"}\n\n'
    service.script = [
        stream(view(), record(4)),
        stream(reset),
        stream(view(), record(2)),
        b"HTTP/1.1 204 No Content\r\n\r\n",
    ]

    stream_bot.follow("g")

    asked = [heads.get("Last-Event-Id") for _, heads, _ in service.asked]
    assert asked == [None, "4", None, "2"]


def test_a_stream_bot_answers_where_the_view_asks_it(
    service: Service,
    stream_bot: ModuleType,
    bot: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot, "choose", lambda view: view["legal"][0]["answer"])
    service.script = [
        stream(view(legal=True), view(over=True)),
        answer("200 OK", {"decision": 5}),
    ]

    stream_bot.follow("g")

    line, _, body = service.asked[1]
    assert line == "PUT /v1/games/g/decisions/5/answer"
    assert json.loads(body) == {"kind": "move", "character": "A"}


@pytest.mark.parametrize(
    ("seat", "winners", "printed"),
    [
        (1, [1], "won by Simon, that's us"),
        (0, [0, 1], "won by Rachel and Simon, that's us"),
        (0, [1], "won by Simon, not us"),
        (None, [1], "won by Simon"),
        (0, [], "nobody won"),
    ],
)
def test_a_stream_bot_says_who_won_and_whether_it_was_us(
    stream_bot: ModuleType, seat: int | None, winners: list[int], printed: str
) -> None:
    seats = [{"name": "Rachel"}, {"name": "Simon"}]

    said = stream_bot.outcome({"seat": seat, "seats": seats, "winners": winners})

    assert said == printed
