"""Which mails wait for the end of their reader's quiet hours, and which can't."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from service.store.outbox import Notice
from service.values.enums import QUESTIONS
from service.values.free_time import FreeHours
from worker.outgoing.relevance import Relevance

_LEAST: Final = timedelta(hours=1)
"""So long there is for an answer at least, after the hours in which its question waits.

What ends in somebody's quiet hours is put off until as long after them.
"""


def wait(notices: Sequence[Notice], now: Relevance) -> datetime | None:
    """Until when a mail of these notices waits; None where it leaves at once."""
    reader = now.mail.reader
    end = FreeHours(reader.free, reader.profile.zone).quiet_until(now.mail.now)
    if end is None or any(_leaves(notice, end, now) for notice in notices):
        return None
    return end


def _leaves(notice: Notice, end: datetime, now: Relevance) -> bool:
    """Whether somebody waits for a notice, or could hardly answer it any more."""
    deadline = now.seen.deadline
    ends_soon = deadline is not None and deadline < end + _LEAST
    return notice.is_waited_for or (notice.kind in QUESTIONS and ends_soon)
