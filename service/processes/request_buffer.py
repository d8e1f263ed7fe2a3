"""What has come on a connection, and whether a whole request is there yet."""

from typing import Any, Final

from gunicorn.http.body import ChunkedReader, LengthReader
from gunicorn.http.errors import LimitRequestHeaders
from gunicorn.http.unreader import Unreader

HEAD_BYTES: Final = 32 * 1024
"""The most that a head may have: its line and any one field have less."""

_SIZE_LINE_BYTES: Final = 8 * 1024
_END: Final = b"\r\n\r\n"


class Received(Unreader):  # type: ignore[misc]  # gunicorn has no types
    """The bytes a parser may have. It never waits for more: `lack` is raised instead.

    Without a `lack` there is nothing more than there is.
    """

    def __init__(self) -> None:
        super().__init__()
        self.data = bytearray()
        self.lack: Exception | None = None

    def read(self, size: int | None = None, read_ahead: int | None = None) -> bytes:
        """The next `size` bytes, or all; fewer where there are no more."""
        del read_ahead
        wanted = len(self.data) if size is None or size < 0 else size
        if self.lack is not None and (wanted > len(self.data) or not self.data):
            raise self.lack
        piece = bytes(self.data[:wanted])
        del self.data[:wanted]
        return piece

    def unread(self, data: bytes) -> None:
        """Put back what was read too far."""
        self.data[:0] = data

    def has_head(self) -> bool:
        """Whether a parser can tell all about the next request's head."""
        if _END in self.data:
            return True
        if len(self.data) > HEAD_BYTES:
            self.lack = LimitRequestHeaders("the head is too long")
        return self.lack is not None


class Awaited:
    """The body that a request has announced, of which `most` bytes are of interest."""

    def __init__(self, body: Any, most: int) -> None:
        reader = body.reader
        self.length = reader.length if isinstance(reader, LengthReader) else 0
        self._chunked = isinstance(reader, ChunkedReader)
        self._most = most
        self._at = 0

    def is_too_long(self, data: bytearray) -> bool:
        """Whether it will be refused unread, so that nobody sees where it ends."""
        return self.length > self._most or (
            self._chunked and len(data) > 2 * self._most
        )

    def is_there(self, data: bytearray) -> bool:
        """Whether all of it has come, or as much as it takes to refuse it."""
        if self.is_too_long(data):
            return True
        if self._chunked:
            return self._chunks_are_there(data)
        return len(data) >= self.length

    def _chunks_are_there(self, data: bytearray) -> bool:
        """Walk on from chunk to chunk; what can't be one is the parser's to refuse."""
        while True:
            end = data.find(b"\r\n", self._at)
            if end < 0:
                return len(data) - self._at > _SIZE_LINE_BYTES
            size = _size(data[self._at : end])
            if size is None:
                return True
            if size == 0:
                return data.startswith(b"\r\n", end + 2) or data.find(_END, end) >= 0
            following = end + 2 + size + 2
            if following > len(data):
                return False
            self._at = following


def _size(line: bytearray) -> int | None:
    """The size in the first line of a chunk (RFC 9112, 7.1)."""
    try:
        size = int(line.partition(b";")[0], 16)
    except ValueError:
        return None
    return size if size >= 0 else None
