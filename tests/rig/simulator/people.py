"""People at a table: they read mails while they are awake, answer, and may leave."""

import random
from datetime import date, datetime
from typing import Final, Protocol
from uuid import UUID

from service.values.free_time import FreeTime
from tests.rig.simulator import habits
from tests.rig.simulator.mail_server import Delivery

_HOLDS_UP: Final = 0.02
"""How often somebody who looks at a game wants more time, or their answer back."""


class Way(Protocol):
    """How somebody acts: each does nothing where there is nothing to do."""

    def answer(self, letter: Delivery | None) -> bool:
        """Answer what is asked; whether something was."""

    def hold_up(self, days: int) -> None:
        """Pause the game for some days, have its question wait, propose to end it."""

    def take_back(self) -> None:
        """Take the latest answer back, where that may be."""

    def answer_ahead(self) -> None:
        """Lay standing answers for all that may be asked in this round."""

    def leave(self) -> None:
        """Leave the seat to a bot."""

    def come_back(self, letter: Delivery | None) -> bool:
        """Play the seat again; False if that isn't possible yet."""


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
        self.met_at: datetime | None = None
        self.free = FreeTime()
        self.waits: tuple[date, date] | None = None
        self.holds_up = _HOLDS_UP
        self.answers_ahead = False
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
        """Answer what is asked by now; now and then, or always, hold the game up."""
        self.is_about_to_look = False
        if not self.away and self.way is not None:
            # Before its beginning there is nothing to hold up.
            if self.met_at is not None and self.chance.random() < self.holds_up:
                self.way.hold_up(self.chance.randrange(1, 8))
            if self.answers_ahead:
                self.way.answer_ahead()
            answered = self.way.answer(self.letter)
            if answered and self.chance.random() < self.holds_up:
                self.way.take_back()
            self.letter = None
