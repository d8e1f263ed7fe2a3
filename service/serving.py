"""The Flask that we are: no cookie of its own, and nothing to wait for but threads."""

from collections.abc import Callable
from typing import Any, Final

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface, SessionMixin

BODY_LIMIT: Final = 16 * 1024
"""The most bytes a request's body may have."""


class _NoSessions(SessionInterface):
    """Devices and tokens prove who asks: there is no session to sign or to read."""

    def open_session(self, app: Flask, request: Request) -> SessionMixin:
        """One that refuses to keep anything."""
        return NullSession()

    def save_session(
        self, app: Flask, session: SessionMixin, response: Response
    ) -> None:
        """Nothing is kept."""


class Service(Flask):
    """Flask, without what each request would pay for and none of ours uses."""

    session_interface = _NoSessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: none of ours is a coroutine."""
        return func
