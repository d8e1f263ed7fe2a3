"""The classic edition: 3 to 6 players, 13 characters (RULES §1)."""

from collections.abc import Sequence
from typing import ClassVar

from engine.board import (
    LETTERS,
    THRONE,
    Board,
    Card,
    Character,
    Place,
    PlaceKey,
    PlaceKind,
    Seat,
    Verdict,
)
from engine.commands import History, PlacementOption
from engine.editions.base import Choices, Edition, UsualRound

OUT: PlaceKey = "out"

_NO_CARDS = {3: 4, 4: 3, 5: 2, 6: 2}
_QUOTAS = {3: 4, 4: 3, 5: 2, 6: 2}
_ZERO_SCORE = 33
_ZERO_SCORE_ROUND = 3


class Classic(Edition):
    """A No among the ballots puts the nominee out of the round."""

    id: ClassVar = "classic"
    characters: ClassVar = LETTERS
    seats: ClassVar = range(3, 7)
    cards: ClassVar = (Card.YES, Card.NO)
    choices: ClassVar = Choices(
        rounds=(3, 1, 2),
        placement=(PlacementOption.CHOOSE, PlacementOption.RANDOM),
        ballot_history=(History.TABLE, History.OPEN),
    )
    # Means of 40 games a size that steady bots played.
    usual_rounds: ClassVar = {
        3: UsualRound(17, 3),
        4: UsualRound(20, 2),
        5: UsualRound(16, 1),
        6: UsualRound(14, 1),
    }
    places: ClassVar = (
        Place(THRONE, "throne", PlaceKind.THRONE, value=10),
        Place("5", "nobles", PlaceKind.FLOOR, value=5, capacity=4),
        Place("4", "dignitaries", PlaceKind.FLOOR, value=4, capacity=4),
        Place("3", "officers", PlaceKind.FLOOR, value=3, capacity=4),
        Place("2", "traders", PlaceKind.FLOOR, value=2, capacity=4),
        Place("1", "craftsmen", PlaceKind.FLOOR, value=1, capacity=4),
        Place("0", "servants", PlaceKind.FLOOR, value=0),
        Place(OUT, "out", PlaceKind.OUT, value=0),
    )

    def hand(self, seats: int) -> tuple[Card, ...]:
        """One Yes and 4, 3, 2 or 2 No (RULES §1.4)."""
        return (Card.YES, *(Card.NO,) * _NO_CARDS[seats])

    def quota(self, seats: int, turn: int, placement: PlacementOption) -> int:
        """4, 3, 2 or 2 each (RULES §1.6)."""
        return _QUOTAS[seats]

    def verdict(self, ballots: Sequence[Card]) -> Verdict:
        """All Yes: crowned; one No or more: refused (RULES §1.8)."""
        return Verdict.REFUSED if Card.NO in ballots else Verdict.CROWNED

    def aftermath(self, board: Board, nominee: Character, verdict: Verdict) -> PlaceKey:
        """The king stays on the throne, anybody else is out of the round."""
        return THRONE if verdict is Verdict.CROWNED else OUT

    def round_points(
        self,
        board: Board,
        favourites: Sequence[Character],
        round_number: int,
        rounds: int,
    ) -> int:
        """The places' values; exactly 0 in round 3 becomes 33 (RULES §1.9, §1.10)."""
        points = self.castle_points(board, favourites)
        # By its number: a game of one or two rounds has no third, and nobody gets the
        # 33 there.
        if points == 0 and round_number == _ZERO_SCORE_ROUND:
            return _ZERO_SCORE
        return points

    def ranking(
        self,
        totals: Sequence[int],
        board: Board,
        favourites: Sequence[Sequence[Character]],
    ) -> tuple[Seat, ...]:
        """Most points, then most favourites still in the castle (RULES §1.11)."""
        scores = [
            (total, self.still_in_castle(board, cards))
            for total, cards in zip(totals, favourites, strict=True)
        ]
        return tuple(Seat(s) for s, score in enumerate(scores) if score == max(scores))
