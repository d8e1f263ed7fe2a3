"""The tables that twins are played at, and who looks at them."""

from typing import Final, NamedTuple

from engine.commands import PlacementOption
from engine.editions import EDITIONS
from tests.rig.engine.tables import chance

HOURS: Final = 8
"""How many of them a decision of these tables waits for."""


class Case(NamedTuple):
    """A table, and who looks at it.

    The worlds differ in the last of its `rounds`; the ones before tell their cards when
    they end, and are the same in both. A viewer who `goes` is replaced by somebody else
    before the last round, and looks on without a seat.
    """

    edition: str
    seats: int
    placement: PlacementOption
    spare: int
    misses: int
    viewer: int
    rounds: int
    goes: bool

    def dealt_alike(self) -> set[int]:
        """The places in the deck that have the same card in both worlds."""
        before = (self.rounds - 1) * self.seats
        alike = set(range(before))
        return alike if self.goes else alike | {before + self.viewer}


def case(number: int) -> Case:
    """The table of twins of this number."""
    dice = chance(number)
    edition = dice.choice(sorted(EDITIONS))
    seats = dice.choice(sorted(EDITIONS[edition].seats))
    return Case(
        edition=edition,
        seats=seats,
        placement=dice.choice([PlacementOption.RANDOM, PlacementOption.CHOOSE]),
        spare=dice.choice([0, 1, 2]),
        misses=dice.choice([1, 2, 3]),
        viewer=dice.randrange(seats),
        rounds=(rounds := dice.choice([1, 2])),
        # Somebody has to stay who names the newcomer.
        goes=rounds > 1 and seats > 2 and dice.random() < 0.3,
    )
