"""Logs: one line of JSON for each thing that happened, on standard error.

Nobody logs secrets or addresses. Libraries might, in the text of an exception: what
looks like one is struck out of every line.
"""

import logging
import re
import sys
from typing import Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

# A token of ours, in a link or alone; the case is whatever a mail program made of it.
_TOKEN: Final = re.compile(r"(?<![a-z0-9])[a-z2-7]{26}(?![a-z0-9])", re.IGNORECASE)
# An address, or the user and password of a URL.
_ADDRESS: Final = re.compile(r"[^\s\"'<>()\[\]\\/,;]+@[^\s\"'<>()\[\]\\,;]*")

_NAME: Final = "kingup"

_SHARED: Final[tuple[Processor, ...]] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


def configure(level: str) -> None:
    """Write what is at least this grave; doing it again only changes the level."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.setLevel(level)
    if all(handler.name != _NAME for handler in root.handlers):
        root.addHandler(handler())


class _Lines(logging.Handler):
    """Writes to whatever standard error is now, a line at a time."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(f"{self.format(record)}\n")


def handler() -> logging.Handler:
    """What writes the lines of any logger, ours or a library's."""
    lines = _Lines()
    lines.name = _NAME
    lines.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=list(_SHARED),
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _line,
            ],
        )
    )
    return lines


_render = structlog.processors.JSONRenderer(ensure_ascii=False)


def _line(logger: WrappedLogger, method: str, event: EventDict) -> str:
    """A line of JSON without anything that looks like a secret or an address."""
    line = str(_render(logger, method, event))
    return _ADDRESS.sub("[address]", _TOKEN.sub("[token]", line))
