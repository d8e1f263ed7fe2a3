"""When tokens and remembered browsers were last used: noted in memory, kept later.

No request waits for it, none writes for it, and its transaction is its own. What is
noted when a process dies is lost: it is minutes of a token's last use, and of a
browser's a day at most.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final, cast

import structlog
from flask import Flask, Response, current_app, request
from sqlalchemy.exc import SQLAlchemyError

from service.auth import bearer
from service.store import devices, tokens
from service.store.background_batcher import BackgroundBatcher
from service.store.transactions import transaction
from service.values import entropy
from service.values.errors import Busy, Unauthorized

_KEY: Final = "kingup_last_use"
_HOLD_SECONDS: Final = 30.0
_MOST: Final = 10_000
"""More tokens than a process meets in that time; of the rest no use is noted."""


_log = structlog.get_logger()


class LastUse:
    """What was used since it was last kept, by the hashes of its tokens."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._tokens = self._batcher(tokens.used)
        self._devices = self._batcher(devices.used)

    def note(self, token_hash: bytes) -> None:
        """Note that a token was used. Never waits for the database."""
        self._tokens.put(token_hash, None)

    def note_device(self, token_hash: bytes) -> None:
        """Note that a remembered browser was used. Never waits for the database."""
        self._devices.put(token_hash, None)

    def keep(self) -> None:
        """Write down what was noted; what can't be written now is forgotten."""
        self._tokens.flush()
        self._devices.flush()

    def _batcher(
        self, used: Callable[[Collection[bytes]], None]
    ) -> BackgroundBatcher[bytes, None]:
        return BackgroundBatcher(
            partial(self._write, used), most=_MOST, delay=_HOLD_SECONDS
        )

    def _write(
        self, used: Callable[[Collection[bytes]], None], noted: Collection[bytes]
    ) -> None:
        try:
            with self._app.app_context(), transaction():
                used(noted)
        except (Busy, SQLAlchemyError) as error:
            _log.warning("last_use_lost", error=type(error).__name__)


def init_app(app: Flask) -> None:
    """Have an app note which tokens it was asked with."""
    app.extensions[_KEY] = LastUse(app)
    app.after_request(_note)


def current() -> LastUse:
    """The notes of the current app."""
    return cast(LastUse, current_app.extensions[_KEY])


def _note(answer: Response) -> Response:
    """Note the token of a request that was not turned away for it."""
    header = request.environ.get("HTTP_AUTHORIZATION", "")
    token = bearer.brought(header) if header else None
    # Made-up ones would fill the batch, and push out those that are somebody's.
    if token is not None and answer.status_code != Unauthorized.status:
        current().note(entropy.digest(token))
    return answer
