"""When tokens were last used: noted in memory, kept by a thread of its own.

No request waits for it, none writes for it, and its transaction is its own. What is
noted when a process dies is lost: it is minutes of a token's last use.
"""

import threading
import time
from typing import Final, cast

import structlog
from flask import Flask, Response, current_app, request
from sqlalchemy.exc import SQLAlchemyError

from service import entropy
from service.errors import Busy, Unauthorized
from service.store import tokens
from service.store.transactions import transaction

_KEY: Final = "kingup_usage"
_HOLD_SECONDS: Final = 30.0
_MOST: Final = 10_000
"""More tokens than a process meets in that time; of the rest no use is noted."""

_PREFIX: Final = "Bearer "

_log = structlog.get_logger()


class Usage:
    """The tokens that were used since they were last kept, by their hashes."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._used: set[bytes] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def note(self, token_hash: bytes) -> None:
        """Note that a token was used. Never waits for the database."""
        with self._lock:
            if len(self._used) < _MOST:
                self._used.add(token_hash)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def keep(self) -> None:
        """Write down what was noted; what can't be written now is forgotten."""
        with self._lock:
            noted, self._used = self._used, set()
        if not noted:
            return
        try:
            with self._app.app_context(), transaction():
                tokens.used(noted)
        except (Busy, SQLAlchemyError) as error:
            _log.warning("usage_lost", error=type(error).__name__)

    def _run(self) -> None:
        while True:
            time.sleep(_HOLD_SECONDS)
            self.keep()


def init_app(app: Flask) -> None:
    """Have an app note which tokens it was asked with."""
    app.extensions[_KEY] = Usage(app)
    app.after_request(_note)


def current() -> Usage:
    """The notes of the current app."""
    return cast(Usage, current_app.extensions[_KEY])


def _note(answer: Response) -> Response:
    """Note the token of a request that was not turned away for it."""
    header = request.headers.get("Authorization", "")
    if header.startswith(_PREFIX) and answer.status_code != Unauthorized.status:
        current().note(entropy.digest(header.removeprefix(_PREFIX).strip()))
    return answer
