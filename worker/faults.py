"""Unexpected errors: each stops its own row only, and is told without its words.

An error's message may hold what was being handled, a card or an address. Its type and
the lines of code it passed hold neither.
"""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from service.models import db

_log = structlog.get_logger()


@contextmanager
def contained(event: str, **ids: str) -> Iterator[None]:
    """Log what goes wrong inside, with the ids of what it was about, and go on."""
    try:
        yield
    except Exception as error:
        db.session.rollback()
        frames = traceback.extract_tb(error.__traceback__)
        path = [f"{frame.filename}:{frame.lineno}" for frame in frames[-4:]]
        _log.error(event, error=type(error).__name__, path=path, **ids)
