"""A request is worked on when all of it is there, and not a byte earlier."""

from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import InvalidChunkSize, LimitRequestHeaders
from gunicorn.http.parser import RequestParser

from service.processes.request_buffer import HEAD_BYTES, Awaited, Received

MOST = 100

_POST = b"POST /x HTTP/1.1\r\nHost: x\r\n"
_CHUNKED = _POST + b"Transfer-Encoding: chunked\r\n\r\n"

WHOLE = {
    "no body": (b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n", b""),
    "no fields": (b"GET /x HTTP/1.0\r\n\r\n", b""),
    "an empty line before": (b"\r\nGET /x HTTP/1.1\r\nHost: x\r\n\r\n", b""),
    "announced": (_POST + b"Content-Length: 5\r\n\r\nhello", b"hello"),
    "with an empty line": (_POST + b"Content-Length: 5\r\n\r\n\r\n\r\n!", b"\r\n\r\n!"),
    "chunked": (_CHUNKED + b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
    "like an end": (
        _CHUNKED + b"7\r\n0\r\n\r\n..\r\n1\r\n!\r\n0\r\n\r\n",
        b"0\r\n\r\n..!",
    ),
    "extended": (_CHUNKED + b"5;a=b\r\nhello\r\n0;c\r\n\r\n", b"hello"),
    "with a trailer": (_CHUNKED + b"5\r\nhello\r\n0\r\nX: y\r\n\r\n", b"hello"),
}


class Line:
    """What comes on one connection."""

    def __init__(self) -> None:
        self.received = Received()
        self._parser = RequestParser(Config(), (), ("192.0.2.1", 1))
        self._parser.unreader = self.received
        self.request: Any = None
        self._body: Awaited | None = None

    @property
    def body(self) -> Awaited:
        """What is waited for once the head is there."""
        assert self._body is not None
        return self._body

    def is_whole(self) -> bool:
        if self._body is None:
            if not self.received.has_head():
                return False
            self.request = next(self._parser)
            self._body = Awaited(self.request.body, MOST)
        return self._body.is_there(self.received.data)


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_a_request_is_whole_with_its_last_byte(kind: str, step: int) -> None:
    sent, body = WHOLE[kind]
    line = Line()

    for at in range(0, len(sent) - step, step):
        line.received.data += sent[at : at + step]
        assert not line.is_whole(), sent[: at + step]
    line.received.data += sent[max(0, (len(sent) - 1) // step * step) :]

    assert line.is_whole()
    assert line.request.body.read() == body
    assert not line.received.data


@pytest.mark.parametrize("kind", WHOLE)
def test_what_comes_behind_a_request_stays_for_the_next(kind: str) -> None:
    sent, body = WHOLE[kind]
    line = Line()

    line.received.data += sent + b"GET /y"

    assert line.is_whole()
    assert line.request.body.read() == body
    assert line.received.data == b"GET /y"


@pytest.mark.parametrize("size", [b"zz", b"-1", b"", b"9" * 9000])
def test_what_cannot_be_a_chunk_is_refused_at_once(size: bytes) -> None:
    line = Line()

    line.received.data += _CHUNKED + size + (b"\r\n" if len(size) < 9000 else b"")

    assert line.is_whole()
    with pytest.raises(InvalidChunkSize):
        line.request.body.read()


@pytest.mark.parametrize(
    "sent",
    [_POST + b"Content-Length: 101\r\n\r\n", _CHUNKED + b"ff\r\n" + b"x" * 2 * MOST],
)
def test_a_body_that_is_too_long_is_not_waited_for(sent: bytes) -> None:
    line = Line()

    line.received.data += sent

    assert line.is_whole()
    assert line.body.is_too_long(line.received.data)


def test_a_head_without_an_end_is_refused() -> None:
    line = Line()
    field = b"X: " + b"x" * 1000 + b"\r\n"

    line.received.data += _POST + field * (HEAD_BYTES // len(field) + 1)

    with pytest.raises(LimitRequestHeaders):
        line.is_whole()


def test_a_body_that_never_came_is_missed_by_whoever_reads_it() -> None:
    line = Line()
    line.received.data += _POST + b"Content-Length: 5\r\n\r\nhel"
    assert not line.is_whole()

    line.received.lack = TimeoutError()

    with pytest.raises(TimeoutError):
        line.request.body.read()
