"""The concurrency limit: so many requests at a time, whatever the threads."""

import io
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from service.values import public_urls
from service.values.errors import Busy

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

BODY_SECONDS: Final = 10.0
"""How long a body may take to come, in all."""

TURN_SECONDS: Final = 10.0
"""How long a request waits for its turn."""

READERS: Final = 4
"""How many streams of a process read the database at a time."""


class ConcurrencyLimit:
    """Lets some requests in at a time; the others wait outside.

    A server with a thread for each stream would else work on hundreds of requests at
    once when hundreds come. Whoever waits for news is outside meanwhile.

    Strangers have a sixteenth of the turns, so that those who are `known` hardly notice
    them; where there is a process for strangers that is for the few it isn't there for.
    """

    def __init__(
        self,
        at_a_time: int,
        most_bytes: int,
        known: "Callable[[WSGIEnvironment], bool]",
    ) -> None:
        self._at_a_time = at_a_time
        self._most_bytes = most_bytes
        self._known = known
        self._inside = threading.BoundedSemaphore(at_a_time)
        self._strangers = threading.BoundedSemaphore(max(1, at_a_time // 16))
        self._mine = threading.local()
        self._reading = threading.BoundedSemaphore(READERS)

    def guard(
        self,
        wsgi: "WSGIApplication",
        broken_off: "WSGIApplication",
        turned_away: "WSGIApplication",
    ) -> "WSGIApplication":
        """A WSGI application held to the limit.

        Whoever has announced a body that didn't come gets what `broken_off` answers,
        whoever has no turn in time what `turned_away` does, and answers are sent
        outside. Whoever asks whether the service is healthy needs no turn: requests
        that hang would else make it look dead.
        """

        def guarded(
            environ: "WSGIEnvironment", start_response: "StartResponse"
        ) -> Iterable[bytes]:
            try:
                _receive(environ, self._most_bytes)
            except OSError:
                _stop_receiving(environ)
                return broken_off(environ, start_response)
            if environ["PATH_INFO"] in (public_urls.ALIVE, public_urls.READY):
                return wsgi(environ, start_response)
            self._mine.known = self._known(environ)
            if not self._enter():
                return turned_away(environ, start_response)
            try:
                return wsgi(environ, start_response)
            finally:
                self._leave()

        return guarded

    def widen(self) -> None:
        """Let strangers have a quarter of the turns: there is nobody else here."""
        self._strangers = threading.BoundedSemaphore(max(1, self._at_a_time // 4))

    @contextmanager
    def left(self) -> Iterator[None]:
        """Go outside for a while, from within a request. Raises Busy on the way in."""
        self._leave()
        try:
            yield
        finally:
            if not self._enter():
                raise Busy

    def _enter(self) -> bool:
        """Whether there was a turn in time."""
        end = time.monotonic() + TURN_SECONDS
        mine = self._mine
        if not mine.known and not self._strangers.acquire(timeout=TURN_SECONDS):
            return False
        mine.inside = self._inside.acquire(timeout=max(0.0, end - time.monotonic()))
        if not (mine.inside or mine.known):
            self._strangers.release()
        return bool(mine.inside)

    def _leave(self) -> None:
        """Make room, unless there was no turn to come back for."""
        if not self._mine.inside:
            return
        self._mine.inside = False
        self._inside.release()
        if not self._mine.known:
            self._strangers.release()

    def reading(self) -> AbstractContextManager[bool]:
        """Read something for a stream: a few at a time, beside the requests."""
        return self._reading


def _stop_receiving(environ: "WSGIEnvironment") -> None:
    """Take nothing more: nobody sees where the next request begins."""
    client = environ["gunicorn.socket"]
    with suppress(OSError):
        client.shutdown(socket.SHUT_RD)
    environ["wsgi.input"] = io.BytesIO()


def _receive(environ: "WSGIEnvironment", most_bytes: int) -> None:
    """Put a request's body in place of where the server keeps it.

    One that says it is longer than `most_bytes` is left where it is: it will be
    refused. Raises OSError if it never came: whoever serves us waits for it.
    """
    length = environ.get("CONTENT_LENGTH") or ""
    chunked = bool(environ.get("HTTP_TRANSFER_ENCODING"))
    if length.isdecimal() and int(length) > most_bytes or not (length or chunked):
        return
    environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(most_bytes + 1))
