"""A round played on by asking the law itself: for editions that no tables fit."""

from collections.abc import Mapping, Sequence

from engine.board import Board, Card, Character, PlaceKey, Verdict
from engine.bots.playout import Round


class LawfulRound(Round):
    """As a Round, some four times slower: the law answers every question anew.

    Only what the seats think of it stays rough.
    """

    def _board(self) -> Board:
        law = self.law
        places = (law.keys[place] for place in self.at)
        return Board(dict(zip(law.letters, places, strict=True)))

    def _goes(self) -> Mapping[Character, PlaceKey]:
        return self.habits.law.destinations(self._board())

    def _leads_to(self, c: int) -> int:
        return self.law.keys.index(self._goes()[self.law.letters[c]])

    def choose(self) -> int:
        """The move that the seat in turn likes best, its whims considered."""
        seat, card, whims = self.turn, self.cards[self.turn], self._whims()
        going_on = self._going_on(seat)
        liked: dict[int, float] = {}
        for letter, key in self._goes().items():
            c, to = self.law.letters.index(letter), self.law.keys.index(key)
            if to == self.law.throne:
                worth = self._nomination(seat, c, card[c], going_on)
            else:
                worth = self.habits.lifts[card[c]][self.at[c]][to]
            liked[c] = worth + whims[c]
        return max(liked, key=lambda c: liked[c])

    def _landing(self, c: int, verdict: Verdict) -> int:
        law = self.law
        to = self.habits.law.aftermath(self._board(), law.letters[c], verdict)
        return law.keys.index(to)

    def _verdict(self, ballots: Sequence[int]) -> Verdict:
        cards = [Card.YES if v < 0 else self.law.vetoes[v] for v in ballots]
        return self.habits.law.verdict(cards)

    def points(self) -> list[int]:
        """What the coronation brings every seat."""
        habits, board = self.habits, self._board()
        return [
            habits.law.round_points(
                board,
                [c for c, on in zip(self.law.letters, card, strict=True) if on],
                habits.number,
                habits.rounds,
            )
            for card in self.cards
        ]
