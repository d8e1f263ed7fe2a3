"""Reading live: who waits in this process, and how news of a game gets to them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from flask import Flask, Response, current_app, request

from service.config import Config
from service.live.concurrency import ConcurrencyLimit
from service.live.listener import Listener
from service.live.quota import ConnectionQuota
from service.live.subscriptions import Subscriptions
from service.live.tickets import Tickets
from service.values import signed_tokens
from service.values.errors import Busy, Problem, RequestTimeout

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_KEY = "kingup_live"


class Live:
    """What waiting requests of one process have in common."""

    def __init__(self, settings: Config, most_bytes: int) -> None:
        self.subscriptions = Subscriptions(Listener(settings.database_url).listen)
        self.connections = ConnectionQuota(settings.streams)
        signer = signed_tokens.signer(settings.secret_key)
        self.tickets = Tickets(settings.redis_url, settings.secret_key)
        self.concurrency = ConcurrencyLimit(
            settings.web_threads, most_bytes, signer.has_mailbox
        )


def init_app(app: Flask, settings: Config) -> None:
    """Let the requests of an app wait, beside those that are worked on."""
    live = Live(settings, app.config["MAX_CONTENT_LENGTH"])
    guarded = live.concurrency.guard(
        app.wsgi_app, _answering(app, RequestTimeout), _answering(app, Busy)
    )
    app.wsgi_app = guarded  # type: ignore[method-assign,assignment]  # Flask's way
    app.extensions[_KEY] = live


def _answering(app: Flask, problem: type[Problem]) -> "WSGIApplication":
    """Answers with a problem, as an app answers errors, before any view is asked."""

    def answering(
        environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        with app.request_context(environ):
            if request.blueprint is None:
                answer = Response(status=problem.status)
            else:
                error = app.handle_user_exception(problem())
                answer = app.finalize_request(error, from_error_handler=True)
            return answer(environ, start_response)

    return answering


def current() -> Live:
    """Those who wait in the process of the current app."""
    return of(current_app)


def of(app: Flask) -> Live:
    """Those who wait in the process of an app, outside of its context."""
    return cast(Live, app.extensions[_KEY])


def end(served: object) -> None:
    """Let everybody go who waits in what a server serves, if it is an app of ours."""
    if isinstance(served, Flask) and _KEY in served.extensions:
        of(served).subscriptions.close()
