"""The gate: so many requests are worked on at a time, whatever the threads."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

READERS: Final = 4
"""How many streams of a process read the database at a time."""


class Gate:
    """Lets some requests in at a time; the others wait outside.

    A server with a thread for each stream would else work on hundreds of requests at
    once when hundreds come. Whoever waits for news is outside meanwhile.
    """

    def __init__(self, at_a_time: int) -> None:
        self._inside = threading.BoundedSemaphore(at_a_time)
        self._reading = threading.BoundedSemaphore(READERS)

    def guard(self, wsgi: "WSGIApplication") -> "WSGIApplication":
        """A WSGI application behind the gate; its answer's body is sent outside."""

        def guarded(
            environ: "WSGIEnvironment", start_response: "StartResponse"
        ) -> Iterable[bytes]:
            with self._inside:
                return wsgi(environ, start_response)

        return guarded

    @contextmanager
    def left(self) -> Iterator[None]:
        """Go outside for a while, from within a request."""
        self._inside.release()
        try:
            yield
        finally:
            self._inside.acquire()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read something for a stream: a few at a time, beside the requests."""
        with self._reading:
            yield
