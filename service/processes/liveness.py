"""Whether the process is alive: answered by its main thread, for no thread's time."""

import re
from typing import TYPE_CHECKING, Final

from gunicorn import SERVER, util
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Response

from service.processes.connection import Connection
from service.values import public_urls

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

# A body would have to be waited for, and "100 Continue" to be said before.
_PLAIN: Final = re.compile(
    rb"(GET|HEAD) %s HTTP/1\.1\r\n"
    rb"((?:(?!(?i:content-length|transfer-encoding|expect):)"
    rb"[A-Za-z0-9-]+:[\t -~]*\r\n)*)\r\n" % re.escape(public_urls.ALIVE.encode())
)
_CONNECTION: Final = re.compile(rb"^connection:", re.IGNORECASE | re.MULTILINE)


# A crowd that asks for it would else take the interpreter from whoever is known, and
# whoever watches would restart a process all of whose threads are busy.
class Liveness:
    """Answers who asks plainly; what the answer is, the app is asked once."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._answers = {method: _answer(app, method) for method in ("GET", "HEAD")}

    def answer(self, conn: Connection) -> bool | None:
        """Whether a connection goes on after all that was asked; None for nothing.

        One that names how it wants to go on is closed.
        """
        goes_on = None
        while goes_on is not False and (asked := _PLAIN.match(conn.received.data)):
            goes_on = _CONNECTION.search(asked[2]) is None
            head, body = self._answers[asked[1].decode()]
            kept = "keep-alive" if goes_on else "close"
            dated = head % (util.http_date(), kept)
            # Nobody waits for room for what is so short.
            goes_on = conn.says(dated.encode() + body) and goes_on
            del conn.received.data[: asked.end()]
        return goes_on


def _answer(app: "WSGIApplication", method: str) -> tuple[str, bytes]:
    """What an app answers, as gunicorn sends it; date and connection are left open."""
    asked = EnvironBuilder(public_urls.ALIVE, method=method).get_environ()
    answer = Response.from_app(app, asked)
    fields = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
    head = f"HTTP/1.1 {answer.status}\r\nServer: {SERVER}\r\n{fields}".replace(
        "%", "%%"
    )
    return f"{head}Date: %s\r\nConnection: %s\r\n\r\n", answer.get_data()
