"""The jester edition: 2 to 8 players, 14 characters (RULES §2)."""

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
from engine.errors import BadTable

JESTER: Character = "J"
BOX: PlaceKey = "box"

_HOME: PlaceKey = "3"
_NOBLES: PlaceKey = "5"
_DUNGEONS: tuple[PlaceKey, ...] = ("dungeon3", "dungeon2", "dungeon1")
_NO_CARDS = {2: 4, 3: 4, 4: 3, 5: 2, 6: 2, 7: 2, 8: 2}
_QUOTAS = {2: 6, 3: 4, 4: 3, 5: 2, 6: 2, 7: 1, 8: 1}
_COMPENSATED_SEATS = {7: 1, 8: 3}
_COMPENSATION = 3


class Jester(Edition):
    """A Stomachache cancels an election; a crowned Jester turns the scores round."""

    id: ClassVar = "jester"
    characters: ClassVar = (*LETTERS, JESTER)
    seats: ClassVar = range(2, 9)
    cards: ClassVar = (Card.YES, Card.NO, Card.STOMACHACHE)
    start_score: ClassVar = 20
    choices: ClassVar = Choices(
        rounds=(3, 1, 2),
        placement=(
            PlacementOption.CHOOSE,
            PlacementOption.RANDOM,
            PlacementOption.COMPENSATED,
        ),
        ballot_history=(History.OPEN, History.TABLE),
    )
    ways: ClassVar = {
        **Edition.ways,
        "2": ("3", "wc3"),
        "3": ("4", "wc4"),
        "wc3": ("3",),
        "wc4": ("4",),
    }
    # Means of 40 games a size that steady bots played.
    usual_rounds: ClassVar = {
        2: UsualRound(10, 2),
        3: UsualRound(26, 4),
        4: UsualRound(29, 5),
        5: UsualRound(16, 2),
        6: UsualRound(9, 1),
        7: UsualRound(14, 1),
        8: UsualRound(13, 1),
    }
    places: ClassVar = (
        Place(THRONE, "throne", PlaceKind.THRONE, value=10),
        Place("5", "nobles", PlaceKind.FLOOR, value=5, capacity=4),
        Place("4", "dignitaries", PlaceKind.FLOOR, value=4, capacity=4),
        Place("wc4", "wc", PlaceKind.ASIDE, value=0, capacity=1, beside="4"),
        Place("3", "officers", PlaceKind.FLOOR, value=3, capacity=4),
        Place("wc3", "wc", PlaceKind.ASIDE, value=0, capacity=1, beside="3"),
        Place("2", "traders", PlaceKind.FLOOR, value=2, capacity=4),
        Place("1", "craftsmen", PlaceKind.FLOOR, value=1, capacity=4),
        Place("0", "servants", PlaceKind.FLOOR, value=0),
        Place("dungeon3", "dungeon", PlaceKind.DUNGEON, value=-3, capacity=1),
        Place("dungeon2", "dungeon", PlaceKind.DUNGEON, value=-2, capacity=1),
        Place("dungeon1", "dungeon", PlaceKind.DUNGEON, value=-1, capacity=1),
        Place(BOX, "box", PlaceKind.OUT, value=0),
    )

    def hand(self, seats: int) -> tuple[Card, ...]:
        """One Yes, 4, 4, 3 or 2 No, one Stomachache (RULES §2.2)."""
        return (Card.YES, *(Card.NO,) * _NO_CARDS[seats], Card.STOMACHACHE)

    def quota(self, seats: int, turn: int, placement: PlacementOption) -> int:
        """6, 4, 3, 2, 2, 1 or 1 each; compensated two, the last one (RULES §2.3)."""
        if placement is PlacementOption.COMPENSATED:
            return 1 if _is_compensated(seats, turn) else 2
        return _QUOTAS[seats]

    def bonus(self, seats: int, turn: int, placement: PlacementOption) -> int:
        """3 points for whoever places only one where others place two."""
        if placement is not PlacementOption.COMPENSATED:
            return 0
        return _COMPENSATION if _is_compensated(seats, turn) else 0

    def check_table(
        self, seats: int, rounds: int, placement: PlacementOption, history: History
    ) -> None:
        """Compensated placement is for 7 and 8 players alone. Raises BadTable."""
        super().check_table(seats, rounds, placement, history)
        compensated = placement is PlacementOption.COMPENSATED
        if compensated and seats not in _COMPENSATED_SEATS:
            raise BadTable("placement", placement.value)

    def opening_board(self) -> Board:
        """The Jester stands on floor 3 before anybody places."""
        return Board({JESTER: _HOME})

    def verdict(self, ballots: Sequence[Card]) -> Verdict:
        """A Stomachache beats No, a No beats Yes (RULES §2.5)."""
        if Card.STOMACHACHE in ballots:
            return Verdict.CANCELLED
        return Verdict.REFUSED if Card.NO in ballots else Verdict.CROWNED

    def aftermath(self, board: Board, nominee: Character, verdict: Verdict) -> PlaceKey:
        """Back to the nobles, into a dungeon, the box, or home (RULES §2.5, §2.6).

        The refused Jester goes home to floor 3 even when it is full.
        """
        if verdict is Verdict.CROWNED:
            return THRONE
        if verdict is Verdict.CANCELLED:
            return _NOBLES
        if nominee == JESTER:
            return _HOME
        taken = set(board.at.values())
        return next((d for d in _DUNGEONS if d not in taken), BOX)

    def round_points(
        self,
        board: Board,
        favourites: Sequence[Character],
        round_number: int,
        rounds: int,
    ) -> int:
        """The places' values; a crowned Jester changes the sign (RULES §2.7)."""
        points = self.castle_points(board, favourites)
        return -points if board.at[JESTER] == THRONE else points

    def turns_round(self, king: Character) -> bool:
        """The Jester's coronation turns everybody's points round (RULES §2.7)."""
        return king == JESTER

    def ranking(
        self,
        totals: Sequence[int],
        board: Board,
        favourites: Sequence[Sequence[Character]],
    ) -> tuple[Seat, ...]:
        """Most points; ties are shared (RULES §2.8)."""
        return tuple(Seat(s) for s, total in enumerate(totals) if total == max(totals))


def _is_compensated(seats: int, turn: int) -> bool:
    return turn >= seats - _COMPENSATED_SEATS.get(seats, 0)
