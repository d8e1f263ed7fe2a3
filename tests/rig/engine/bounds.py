"""The bounds of RULES §4, and the figures of the games that are held against them."""

from collections import Counter

from tests.rig.engine.referee import Referee, Seen

ELECTIONS = {
    "classic": {3: 13, 4: 13, 5: 11, 6: 13},
    "jester": {2: 11, 3: 16, 4: 17, 5: 16, 6: 19, 7: 22, 8: 25},
}
MOVES = {
    "classic": {3: 54, 4: 54, 5: 58, 6: 54},
    "jester": {2: 75, 3: 92, 4: 93, 5: 94, 6: 95, 7: 120, 8: 126},
}
COMPENSATED_MOVES = {7: 99, 8: 107}
FEWEST_MOVES = 2
ANSWERS = {"classic": 432, "jester": 1002}
POINTS = {"classic": (0, 33), "jester": (-6, 33)}
TURNED = (-27, 6)
"""The least and most points of a round that ends with a crowned Jester."""
COMPENSATION = 3

TABLES = [(edition, seats) for edition in MOVES for seats in MOVES[edition]]
"""Every number of players of both editions."""


class Figures:
    """How often each length and score came up at tables of one size, all in bounds."""

    def __init__(self, edition: str, seats: int) -> None:
        self.edition, self.seats = edition, seats
        self.games = self.rounds = self.zeros_made_33 = 0
        self.moves = Counter[int]()
        self.elections = Counter[int]()
        self.points = Counter[int]()
        self.turned = Counter[int]()
        self.answers = Counter[int]()

    def add(self, referee: Referee) -> None:
        """Count a game that is over. Asserts every bound."""
        assert referee.over
        assert 0 < referee.answers <= ANSWERS[self.edition]
        self.answers[referee.answers] += 1
        self.games += 1
        for number, seen in enumerate(referee.rounds, start=1):
            self._add_round(number, seen)

    def _add_round(self, number: int, seen: Seen) -> None:
        assert FEWEST_MOVES <= seen.moves <= MOVES[self.edition][self.seats]
        assert 1 <= seen.elections <= ELECTIONS[self.edition][self.seats]
        low, high = TURNED if seen.turned else POINTS[self.edition]
        assert low <= min(seen.points)
        assert max(seen.points) <= high
        assert set(seen.bonus) <= {0, COMPENSATION}
        assert self.edition == "jester" or not any(seen.bonus)
        self.rounds += 1
        self.moves[seen.moves] += 1
        self.elections[seen.elections] += 1
        (self.turned if seen.turned else self.points).update(seen.points)
        if self.edition == "classic" and number == 3:
            self.zeros_made_33 += seen.zeros

    def __str__(self) -> str:
        parts = [
            f"{self.edition} {self.seats} seats: {self.games} games",
            f"{self.rounds} rounds",
            f"moves a round {_span(self.moves)}",
            f"elections {_span(self.elections)}",
            f"points {_span(self.points)}, 33 {self.points[33]} times",
        ]
        if self.turned:
            parts.append(f"turned {_span(self.turned)}, -27 {self.turned[-27]} times")
        else:
            parts.append(f"0 made 33 {self.zeros_made_33} times")
        return "; ".join([*parts, f"answers a game {_span(self.answers)}"])


def _span(counted: Counter[int]) -> str:
    return f"{min(counted)}..{max(counted)}" if counted else "none"
