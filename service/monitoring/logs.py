"""Logs: one line of JSON for each thing that happened, on standard error.

Nobody logs secrets or addresses. Libraries might: an exception is told without its
words, and what looks like a token or an address is struck out of every line.
"""

import logging
import re
import sys
import threading
import traceback
from types import TracebackType
from typing import Final

import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

# A token of ours, in a link or alone; the case is whatever a mail program made of it.
_TOKEN: Final = re.compile(r"(?<![a-z0-9])[a-z2-7]{26}(?![a-z0-9])", re.IGNORECASE)
# An address, or the user and password of a URL.
_ADDRESS: Final = re.compile(r"[^\s\"'<>()\[\]\\/,;]+@[^\s\"'<>()\[\]\\,;]*")

_NAME: Final = "kingup"

_FRAMES: Final = 8


def _trace(exc_info: ExcInfo) -> dict[str, object]:
    """An exception's type and the lines of code it passed, without its words.

    Its message may hold what was being handled: a card, an address, a whole row.
    """
    frames = traceback.extract_tb(exc_info[2])[-_FRAMES:]
    path = [f"{frame.filename}:{frame.lineno}" for frame in frames]
    return {"type": exc_info[0].__name__, "path": path}


_SHARED: Final[tuple[Processor, ...]] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.ExceptionRenderer(_trace),
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
    # It tells of each of its own parts whenever it is imported.
    logging.getLogger("alembic.runtime.plugins").setLevel(logging.WARNING)
    if all(handler.name != _NAME for handler in root.handlers):
        root.addHandler(handler())


def take_over(level: str) -> None:
    """Let this process say nothing but lines of JSON: warnings and crashes, too."""
    configure(level)
    logging.captureWarnings(True)
    sys.excepthook = _crashed
    threading.excepthook = lambda hook: _crashed(
        hook.exc_type, hook.exc_value, hook.exc_traceback
    )
    sys.unraisablehook = lambda hook: _crashed(
        hook.exc_type, hook.exc_value, hook.exc_traceback
    )


def _crashed(
    kind: type[BaseException],
    error: BaseException | None,
    trace: TracebackType | None,
) -> None:
    """Tell of an error that nobody caught."""
    exc_info = (kind, error or kind(), trace)
    structlog.get_logger(__name__).critical("uncaught", exc_info=exc_info)


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
