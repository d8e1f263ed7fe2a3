"""Streams and long polls of the app under test, heard in its own process."""

import threading
from collections.abc import Iterator
from typing import Any

from werkzeug.test import TestResponse

from service import live
from tests.rig import sse
from tests.rig.parts import wait_until
from tests.rig.service.programs import Api, Table
from tests.rig.sse import Message


class Heard:
    """A stream, read message by message; comments are passed over."""

    def __init__(
        self,
        api: Api,
        table: Table | str,
        seat: int | None = None,
        last_id: str | None = None,
        query: str = "",
        **options: Any,
    ) -> None:
        headers = options.pop("headers", {})
        path = table if isinstance(table, str) else table.path
        if seat is not None and not isinstance(table, str):
            headers["Authorization"] = f"Bearer {table.tokens[seat]}"
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        self.answer: TestResponse = api.app.test_client().get(
            f"{path}/stream{query}", headers=headers, buffered=False, **options
        )
        self._coming = self._messages()

    def _messages(self) -> Iterator[Message]:
        lines = (
            line
            for chunk in self.answer.response
            for line in bytes(chunk).splitlines(keepends=True)
        )
        return (each for each in sse.parsed(lines) if each.event != ":")

    def next(self) -> Message:
        return next(self._coming)

    def rest(self) -> list[Message]:
        """Everything until the stream ends."""
        return list(self._coming)

    def until_view(self) -> list[Message]:
        """Everything up to the next view."""
        found = [self.next()]
        while found[-1].event != "view":
            found.append(self.next())
        return found

    def beats(self, count: int) -> list[bytes]:
        """The next chunks as they come, comments and all."""
        chunks = iter(self.answer.response)
        return [bytes(next(chunks)) for _ in range(count)]

    def close(self) -> None:
        self.answer.close()


def kinds_and_ids(messages: list[Message]) -> list[tuple[str, str | None]]:
    """Which messages came, without what they say."""
    return [(each.event, each.id) for each in messages]


AT_ONCE = 12
"""Seconds within which a busy machine answers what waits for nothing: fewer than the
tests let anybody wait."""


class Asking:
    """A request that may take its time, on a thread of its own."""

    def __init__(
        self, api: Api, path: str, token: str | None = None, **headers: str
    ) -> None:
        self._api, self._path, self._token = api, path, token
        self._headers = headers
        self._answer: TestResponse | None = None
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        self._answer = Api(self._api.app).get(self._path, self._token, **self._headers)

    @property
    def waits(self) -> bool:
        return self._thread.is_alive()

    def answer(self, seconds: float = AT_ONCE) -> TestResponse:
        """The answer, which must come within so many seconds."""
        self._thread.join(seconds)
        assert self._answer is not None, "no answer yet"
        return self._answer


def until_waiting(api: Api, number: int = 1) -> None:
    """Go on when so many requests wait: none misses what happens from now on."""
    quota = live.of(api.app).connections
    wait_until(lambda: len(quota._taken) >= number, f"{number} who wait", AT_ONCE)
