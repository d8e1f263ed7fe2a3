"""The kinds of notices and of work that falls due, as their rows name them.

A newer process may have written a kind that this one doesn't know: it reads as UNKNOWN,
and is left to whoever does.
"""

from enum import StrEnum
from typing import Self


class NoticeKind(StrEnum):
    """What a person shall hear of."""

    CONFIRM = "confirm"
    INVITATION = "invitation"
    DECLINED = "declined"
    CALLED_OFF = "called_off"
    STARTED = "started"
    YOUR_TURN = "your_turn"
    ELECTION = "election"
    REMINDER = "reminder"
    RESULT = "result"
    ROUND_OVER = "round_over"
    GAME_OVER = "game_over"
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> Self:
        return cls("unknown")


class DueKind(StrEnum):
    """What a decision makes fall due."""

    DEADLINE = "deadline"
    REMINDER = "reminder"
    BOT = "bot"
    RESOLVE = "resolve"
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> Self:
        return cls("unknown")
