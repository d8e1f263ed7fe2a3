"""People at a table: they read mails while they are awake, answer, and may leave."""

import random
from datetime import datetime, timedelta
from typing import Final, Protocol
from uuid import UUID

import msgspec

from tests.rig.simulator import habits
from tests.rig.simulator.mail_server import Delivery

_VANISH: Final = 0.2
_VANISHED_COME_BACK: Final = 0.4
_LEAVE: Final = 0.06
_LEAVERS_COME_BACK: Final = 0.6
_WITHIN_DAYS: Final = 25.0


class Way(Protocol):
    """How somebody acts: each does nothing where there is nothing to do."""

    def answer(self, letter: Delivery | None) -> bool:
        """Answer what is asked; whether something was."""

    def leave(self) -> None:
        """Leave the seat to a bot."""

    def come_back(self, letter: Delivery | None) -> bool:
        """Play the seat again; False if that isn't possible yet."""


class Fate(msgspec.Struct, frozen=True):
    """Who stays away from a moment on, for how long, and whether they say so."""

    away_at: datetime | None = None
    back_at: datetime | None = None
    says_so: bool = False


def fate(since: datetime, chance: random.Random) -> Fate:
    """What becomes of somebody whose game begins at a moment: one in five vanishes."""
    whim = chance.random()
    if whim > _VANISH + _LEAVE:
        return Fate()
    says_so = whim > _VANISH
    away_at = since + timedelta(days=chance.uniform(0, _WITHIN_DAYS))
    likely = _LEAVERS_COME_BACK if says_so else _VANISHED_COME_BACK
    if chance.random() > likely:
        return Fate(away_at, None, says_so)
    return Fate(away_at, away_at + timedelta(days=chance.uniform(1, 15)), says_so)


class Person:
    """Somebody on a seat of one game."""

    def __init__(
        self, game_id: UUID, seat: int, address: str, zone: str, chance: random.Random
    ) -> None:
        self.game_id = game_id
        self.seat = seat
        self.address = address
        self.zone = zone
        self.chance = chance
        self.way: Way | None = None
        self.away = False
        self.has_begun = False
        self.letter: Delivery | None = None
        self.latest: Delivery | None = None
        self.is_about_to_look = False

    def looks_at(self, letter: Delivery) -> datetime | None:
        """When they look at a mail; None if they do so anyway, or never."""
        self.latest = letter
        if self.letter is None or letter.asks or not self.letter.asks:
            self.letter = letter
        if self.away or self.is_about_to_look:
            return None
        self.is_about_to_look = True
        return habits.answered_at(letter.at, self.zone, self.chance)

    def look(self) -> None:
        """Answer what is asked by now."""
        self.is_about_to_look = False
        if not self.away and self.way is not None:
            self.way.answer(self.letter)
            self.letter = None
