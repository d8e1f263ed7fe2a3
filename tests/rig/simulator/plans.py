"""Which games are played: both editions, all sizes and paces, drawn by their number."""

import random
from enum import StrEnum
from typing import Any, Final

import msgspec

from engine.commands import USUAL_MISSES, PlacementOption
from engine.editions import edition
from service.web.table import new_game_form

_EDITIONS: Final = ("classic", "classic", "classic", "jester", "jester")
_ROUNDS: Final = (3, 3, 3, 1, 1, 2)
_PACES: Final = ("day", "day", "day", *new_game_form.PACES)
_OF_FOUR: Final = 0.3
"""The usual table, of which the most has to be known."""

_WITH_A_BOT: Final = 0.15


class Means(StrEnum):
    """How the people of a game play: past the web, or by pages and the API."""

    HANDLERS = "handlers"
    HTTP = "http"


class Plan(msgspec.Struct, frozen=True):
    """A game to be played; the host's and all other seats but `bots` are people.

    With a `griefer` its host holds the game up whenever that may be. `ahead` tells that
    everybody answers ahead whenever they look at the game.
    """

    number: int
    means: Means
    edition: str
    seats: int
    bots: int
    rounds: int
    placement: PlacementOption
    pace: str
    griefer: bool = False
    ahead: bool = False
    misses: int = USUAL_MISSES

    @property
    def people(self) -> int:
        """How many people play."""
        return self.seats - self.bots

    def wish(self, zone: str) -> dict[str, Any]:
        """What the host wishes for, at a pace that the form offers."""
        pace = new_game_form.PACES[self.pace]
        daily = {"daily_at": new_game_form.EVENING, "zone": zone} if pace.daily else {}
        return {
            "edition": self.edition,
            "rounds": self.rounds,
            "placement": self.placement,
            "decision_time": pace.seconds,
            "spare": pace.spare,
            "misses": self.misses,
            **daily,
        }


def plan(number: int, means: Means) -> Plan:
    """The game of a number; always the same one."""
    chance = random.Random(f"{means} {number}")
    law = edition(chance.choice(_EDITIONS))
    seats = 4 if chance.random() < _OF_FOUR else chance.choice(law.seats)
    return Plan(
        number=number,
        means=means,
        edition=law.id,
        seats=seats,
        bots=int(seats > 2 and chance.random() < _WITH_A_BOT),
        rounds=chance.choice(_ROUNDS),
        placement=chance.choice(law.placements_at(seats)),
        pace=chance.choice(_PACES),
    )
