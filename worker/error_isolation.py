"""Unexpected errors: each stops its own row only."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

_log = structlog.get_logger()


@contextmanager
def contained(event: str, **ids: str) -> Iterator[None]:
    """Log what goes wrong inside, with the ids of what it was about, and go on."""
    try:
        yield
    except Exception as error:
        # Its words may hold a card, a token or an address: service/monitoring/logs.py
        # leaves them out, and tells its type and place.
        _log.error(event, exc_info=error, **ids)
