"""A reader of server-sent events, as the HTML standard says, that can be cut off."""

import http.client
import json
import socket
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

Json = dict[str, Any]


class Message(NamedTuple):
    """A message; a comment is one called `:`, with its text as data."""

    event: str
    id: str | None
    data: str

    @property
    def json(self) -> Json:
        found: Json = json.loads(self.data)
        return found


def parsed(lines: Iterable[bytes]) -> Iterator[Message]:
    """The messages that lines say; one that was cut off is none."""
    event, number, data = "message", None, list[str]()
    for line in lines:
        text = line.decode().rstrip("\n")
        field, _, value = text.partition(":")
        value = value.removeprefix(" ")
        match field:
            case "event":
                event = value
            case "id":
                number = value
            case "data":
                data.append(value)
            case "" if text:
                yield Message(":", None, value)
        if not text and data:
            yield Message(event, number, "\n".join(data))
            event, number, data = "message", None, []


class Refused(Exception):
    """The answer was no stream."""

    def __init__(self, status: int, headers: http.client.HTTPMessage, body: bytes):
        super().__init__(status, body)
        self.status = status
        self.headers = headers
        self.body = body


class Stream:
    """One stream, from its beginning on; `last_id` is the last id it has told."""

    def __init__(
        self,
        origin: str,
        game_id: str,
        token: str | None = None,
        last_id: str | None = None,
        timeout: float = 15,
        **headers: str,
    ) -> None:
        self.last_id = last_id
        self._line = http.client.HTTPConnection(
            urlsplit(origin).netloc, timeout=timeout
        )
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if last_id is not None:
            sent["Last-Event-ID"] = last_id
        self._line.request("GET", f"/v1/games/{game_id}/stream", headers=sent)
        self.answer = self._line.getresponse()
        if self.answer.status != http.HTTPStatus.OK:
            body = self.answer.read()
            self._line.close()
            raise Refused(self.answer.status, self.answer.headers, body)
        kind = self.answer.headers.get_content_type()
        assert kind == "text/event-stream", kind

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up, without a word."""
        self.answer.close()
        self._line.close()

    def listen(self) -> Iterator[Message]:
        """Everything that comes, comments among it, until the stream ends."""
        for message in parsed(iter(self.answer.readline, b"")):
            self.last_id = message.id or self.last_id
            yield message

    def messages(self) -> Iterator[Message]:
        """The same without comments."""
        return (message for message in self.listen() if message.event != ":")

    def take(self, count: int) -> list[Message]:
        """The next messages; raises StopIteration when the stream ends before."""
        coming = self.messages()
        return [next(coming) for _ in range(count)]

    def until_view(self, record: int) -> list[Message]:
        """All messages up to the view that shows the game after a record event."""
        found = []
        for message in self.messages():
            found.append(message)
            if message.event == "view" and message.json["revision"] >= record:
                break
        return found


def silent(
    origin: str, game_id: str, token: str | None = None, last_id: str | None = None
) -> socket.socket:
    """A stream whose bytes nobody has read yet: the bare socket."""
    place = urlsplit(origin)
    line = socket.create_connection((place.hostname or "", place.port or 80), 15)
    proof = f"Authorization: Bearer {token}\r\n" if token else ""
    proof += f"Last-Event-ID: {last_id}\r\n" if last_id else ""
    line.sendall(
        f"GET /v1/games/{game_id}/stream HTTP/1.1\r\nHost: {place.netloc}\r\n"
        f"{proof}\r\n".encode()
    )
    return line
