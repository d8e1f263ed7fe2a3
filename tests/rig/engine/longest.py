"""The longest rounds of the jester edition, found by searching all that can happen.

A round is a script: how many stand on floors 1 to 4 once everybody has placed, and then
a letter for each move. `0` to `4` lift somebody of that floor, `j` the Jester; `a` and
`b` bring out whoever is in the WC of floor 3 and of floor 4. What goes to the throne is
refused by one No (`n`), cancelled by one Stomachache (`s`) or crowned (`k`), in
capitals if it is the Jester.
"""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from engine.board import Card, Seat
from engine.commands import Answer, Ballot, Move, Placement
from tests.rig.engine.tables import Table

CHOSEN: dict[int, tuple[str, str]] = {
    2: (
        "4431",
        "2103a213a213a2134a21b34a2b34a2b34a2b3a2n4bjan4b3njbnnssNj4b3jbNj4b3jb3N4bjk",
    ),
    3: (
        "4431",
        "2103a213a213a2134a21bj4a2b3ja2bnnNj4b3ja2bnNj4b3ja2bnNj4b3jabnNj4b"
        "3jbsssNj4b3jbNj4b3jb3N4bjk",
    ),
    4: (
        "4431",
        "2103a213a213a2134a21bj4a2b3ja2bnnNj4b3ja2bnNj4b3ja2bnNj4b3jabnNj4b"
        "3jbssssNj4b3jbNj4b3jb3N4bjk",
    ),
    5: (
        "4420",
        "2102103a2103a213a213a2134a21b34a2b34a2bj4a2b3a2njbnnnNj4b3jabnNj4b"
        "3jbsssssNj4b3jbNj4b3jb3N4bjk",
    ),
    6: (
        "4431",
        "2103a213a213a2134a21bj4a2b3ja2bnnNj4b3ja2bnNj4b3ja2bnNj4b3jabnNj4b"
        "3jbssssssNj4b3jbNj4b3jb3N4bjk",
    ),
    7: (
        "4300",
        "102102102102103a2103a213a21j3jabN21j4a21b3ja2bnNj4b3ja2bnNj4b3ja2b"
        "nNj4b3ja2bnNj4b3jabnNj4b3jbsssssssNj4b3jbNj4b3jb3N4bjk",
    ),
    8: (
        "4400",
        "2102102102103a2103a213a21j3jabN21j4a21b3ja2bnNj4b3ja2bnNj4b3ja2bnN"
        "j4b3ja2bnNj4b3jabnNj4b3jbnNj4b3jbssssssssNj4b3jbNj4b3jbNj4bk",
    ),
}
"""By the number of players, where everybody places as many."""

COMPENSATED: dict[int, tuple[str, str]] = {
    7: (
        "4432",
        "213a21j3jabN21j4a21b3ja2bnNj4b3ja2bnNj4b3ja2bnNj4b3ja2bnNj4b3jabnN"
        "j4b3jbsssssssNj4b3jbNj4b3jb3N4bjk",
    ),
    8: (
        "4432",
        "213a21j3jabN21j4a21b3ja2bnNj4b3ja2bnNj4b3ja2bnNj4b3ja2bnNj4b3jabnN"
        "j4b3jbnNj4b3jbssssssssNj4b3jbNj4b3jbNj4bk",
    ),
}
"""And where some place one less, and are compensated."""

_OUT = {"a": "wc3", "b": "wc4"}
_AGAINST = {"n": Card.NO, "s": Card.STOMACHACHE}


class Script:
    """All seats play a script together."""

    def __init__(self, placed: str, moves: str) -> None:
        self.wanted = Counter(
            {str(floor + 1): int(n) for floor, n in enumerate(placed)}
        )
        self.moves = iter(moves)
        self.last = ""

    def __call__(self, table: Table, seat: Seat, rng: random.Random) -> Answer:
        del rng
        legal = table.legal(seat)
        if isinstance(legal[0], Ballot):
            return Ballot(self._card(table, seat))
        if isinstance(legal[0], Placement):
            return self._place(legal)
        self.last = next(self.moves)
        return Move(self._lifted(table))

    def _place(self, legal: tuple[Answer, ...]) -> Answer:
        spots = [a for a in legal if isinstance(a, Placement) and self.wanted[a.place]]
        self.wanted[spots[0].place] -= 1
        return spots[0]

    def _lifted(self, table: Table) -> str:
        if self.last in "jNSK":
            return "J"
        place = _OUT.get(self.last, self.last if self.last.isdigit() else "5")
        inside = self.last in _OUT
        at = table.game.board.at
        return next(c for c in at if at[c] == place and (inside or c != "J"))

    def _card(self, table: Table, seat: Seat) -> Card:
        """One card against the nominee, of the first seat that holds any."""
        card = _AGAINST.get(self.last.lower())
        hands = enumerate(table.game.hands)
        first = next((holder for holder, hand in hands if card in hand), None)
        return Card.YES if card is None or seat != first else card


class _Round(NamedTuple):
    """How many stand where, without the Jester, and how many cards there are left."""

    floors: tuple[int, ...]
    wc3: bool
    wc4: bool
    jester: str
    noes: int
    stomachaches: int

    def on(self, floor: int) -> int:
        return self.floors[floor] + (self.jester == str(floor))

    def shifted(self, down: int | None, up: int | None) -> "_Round":
        floors = list(self.floors)
        if down is not None:
            floors[down] -= 1
        if up is not None:
            floors[up] += 1
        return self._replace(floors=tuple(floors))


def most_moves(noes: int, stomachaches: int, left_over: int) -> int:
    """The most moves of a round with so many cards in play, however it is placed."""
    placed = 13 - left_over
    openings = ((left_over, *floors, 0) for floors in _fillings(placed, (4, 4, 3, 4)))
    return max(
        _longest(_Round(floors, False, False, "3", noes, stomachaches))
        for floors in openings
    )


def _fillings(placed: int, rooms: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not rooms:
        if not placed:
            yield ()
        return
    for here in range(min(placed, rooms[0]) + 1):
        for rest in _fillings(placed - here, rooms[1:]):
            yield (here, *rest)


@cache
def _longest(now: _Round) -> int:
    """Moves until somebody is crowned; hopeless ones count as far too few."""
    longest = 1 if now.floors[5] or now.jester == "5" else -1000
    return max([longest, *(1 + _longest(then) for then in _moves(now))])


def _moves(now: _Round) -> Iterator[_Round]:
    """All that one move, and the vote after it, can lead to, but for a coronation."""
    for floor in range(5):
        if now.floors[floor]:
            yield from _up(now, floor)
    yield from _jester(now)
    if now.wc3 and now.on(3) < 4:
        yield now.shifted(None, 3)._replace(wc3=False)
    if now.on(4) < 4:
        if now.wc4:
            yield now.shifted(None, 4)._replace(wc4=False)
        if now.jester == "wc4":
            yield now._replace(jester="4")
    if now.floors[5]:
        if now.noes:
            yield now.shifted(5, None)._replace(noes=now.noes - 1)
        if now.stomachaches:
            yield now._replace(stomachaches=now.stomachaches - 1)


def _up(now: _Round, floor: int) -> Iterator[_Round]:
    if now.on(floor + 1) < 4:
        yield now.shifted(floor, floor + 1)
    elif floor == 2 and not now.wc3:
        yield now.shifted(2, None)._replace(wc3=True)
    elif floor == 3 and not now.wc4 and now.jester != "wc4":
        yield now.shifted(3, None)._replace(wc4=True)


def _jester(now: _Round) -> Iterator[_Round]:
    if now.jester == "3":
        if now.on(4) < 4:
            yield now._replace(jester="4")
        elif not now.wc4:
            yield now._replace(jester="wc4")
    elif now.jester == "4" and now.on(5) < 4:
        yield now._replace(jester="5")
    elif now.jester == "5":
        if now.noes:
            yield now._replace(jester="3", noes=now.noes - 1)
        if now.stomachaches:
            yield now._replace(stomachaches=now.stomachaches - 1)
