"""What becomes of people while their game runs: they vanish, leave, or are away."""

import random
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from service.people.absences import MOST_DAYS, AbsenceWish
from service.values.enums import AbsenceChoice
from service.values.free_time import FreeTime, QuietHours

_WITHIN_DAYS: Final = 25.0
_LONGEST_AWAY: Final = 15.0


class Parting(StrEnum):
    """How somebody goes: without a word, to a bot, or for days that they announce."""

    VANISH = "vanish"
    LEAVE = "leave"
    WAIT_FOR_ME = "wait"
    A_BOT_FOR_ME = "bot"


_OFTEN: Final = {
    Parting.VANISH: 0.2,
    Parting.LEAVE: 0.06,
    Parting.WAIT_FOR_ME: 0.06,
    Parting.A_BOT_FOR_ME: 0.04,
}
"""How many of all people go so; the others stay to the end."""

_COME_BACK: Final = {
    Parting.VANISH: 0.4,
    Parting.LEAVE: 0.6,
    Parting.WAIT_FOR_ME: 1.0,
    Parting.A_BOT_FOR_ME: 1.0,
}


class Fate(msgspec.Struct, frozen=True):
    """How somebody goes, when, and when they are back if they ever are."""

    parting: Parting
    away_at: datetime
    back_at: datetime | None
    absence: AbsenceWish | None = None


def fate(since: datetime, zone: str, chance: random.Random) -> Fate | None:
    """What becomes of somebody whose game begins at a moment; None for who stays."""
    whim = chance.random()
    for parting, often in _OFTEN.items():
        if whim < often:
            return _parting(parting, since, zone, chance)
        whim -= often
    return None


def _parting(
    parting: Parting, since: datetime, zone: str, chance: random.Random
) -> Fate:
    away_at = since + timedelta(days=chance.uniform(0, _WITHIN_DAYS))
    match parting:
        case Parting.WAIT_FOR_ME | Parting.A_BOT_FOR_ME:
            return _absence(parting, away_at, zone, chance)
        case Parting.VANISH | Parting.LEAVE:
            if chance.random() > _COME_BACK[parting]:
                return Fate(parting, away_at, None)
            back_at = away_at + timedelta(days=chance.uniform(1, _LONGEST_AWAY))
            return Fate(parting, away_at, back_at)


def _absence(
    parting: Parting, around: datetime, zone: str, chance: random.Random
) -> Fate:
    """Some whole days on somebody's own calendar."""
    here = ZoneInfo(zone)
    first = around.astimezone(here).date() + timedelta(days=1)
    last = first + timedelta(days=chance.randrange(2, MOST_DAYS))
    morning_after = last + timedelta(days=1)
    return Fate(
        parting,
        away_at=datetime.combine(first, time(), here).astimezone(UTC),
        back_at=datetime.combine(morning_after, time(8), here).astimezone(UTC),
        absence=AbsenceWish(first, last, AbsenceChoice(parting.value)),
    )


def free_time(chance: random.Random) -> FreeTime:
    """When nothing of somebody's shall end: some sleep, some keep their weekends."""
    quiet = QuietHours("22:00", "08:00") if chance.random() < 0.3 else None
    return FreeTime(quiet, weekends=chance.random() < 0.15)
