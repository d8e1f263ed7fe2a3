"""A program with a token: it sees, answers, and tries again when a line breaks."""

import http.client
import json
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]


class Program:
    """One seat's program, on one kept connection to one web process at a time.

    When that breaks, it goes on with the next one. `repeats` counts how often an answer
    had to be given again, `longest` how many seconds a request took.
    """

    def __init__(self, origins: list[str], token: str) -> None:
        self.origins = origins
        self.token = token
        self.repeats = 0
        self.longest = 0.0
        self._at = 0
        self._line: http.client.HTTPConnection | None = None

    def reconnect(self) -> None:
        """Have a fresh connection to the same web process before it matters."""
        self.hang_up()
        self.connect()

    def hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line = None

    def connect(self) -> None:
        if self._line is None:
            place = urlsplit(self.origins[self._at % len(self.origins)]).netloc
            self._line = http.client.HTTPConnection(place, timeout=15)
            self._line.connect()

    def call(
        self, method: str, path: str, body: Json | None = None
    ) -> tuple[int, bytes]:
        """Status and body of one request; raises OSError when the line breaks."""
        self.connect()
        line = self._line
        assert line is not None
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        began = time.monotonic()
        try:
            line.request(method, path, body and json.dumps(body).encode(), headers)
            response = line.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            self.hang_up()
            self._at += 1
            raise OSError("the line broke") from error
        finally:
            self.longest = max(self.longest, time.monotonic() - began)

    def view(self, game_id: str) -> Json:
        """The seat's view, asked for until an answer comes."""
        while True:
            with suppress(OSError):
                status, body = self.call("GET", f"/v1/games/{game_id}/view")
                if status == http.HTTPStatus.OK:
                    found: Json = json.loads(body)
                    return found
            time.sleep(0.02)

    def answer(self, game_id: str, decision: int, given: Json) -> tuple[int, bytes]:
        """Status and receipt of an answer; raises OSError when the line breaks."""
        path = f"/v1/games/{game_id}/decisions/{decision}/answer"
        return self.call("PUT", path, given)

    def insist(self, game_id: str, decision: int, given: Json) -> tuple[int, bytes]:
        """The same, again and again until an answer comes, as one should."""
        while True:
            with suppress(OSError):
                status, body = self.answer(game_id, decision, given)
                if status != http.HTTPStatus.SERVICE_UNAVAILABLE:
                    return status, body
            self.repeats += 1
            time.sleep(0.02)
