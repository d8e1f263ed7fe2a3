"""What came over a stream, and what should have come."""

import http.client
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from tests.rig.house import House
from tests.rig.sse import Message


def events_of(where: House, game_id: str, after: int = 0) -> list[dict[str, Any]]:
    """The record as it is told to whoever asks for it."""
    line = http.client.HTTPConnection(urlsplit(where.urls[0]).netloc, timeout=15)
    line.request("GET", f"/v1/games/{game_id}/events?limit=500&after={after}")
    body = Message("", None, line.getresponse().read().decode()).json
    line.close()
    found: list[dict[str, Any]] = body["events"]
    return found


def records(messages: list[Message]) -> list[dict[str, Any]]:
    """The events of the record among what a stream told."""
    return [each.json for each in messages if each.event == "entry"]


def whole_lines(body: bytes) -> Iterator[bytes]:
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
