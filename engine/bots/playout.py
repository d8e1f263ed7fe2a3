"""The rest of a round played on in mind, every seat by its habits and by whims.

This is steady's play without its care for exactness: it is run by the thousand.
"""

import random
from collections.abc import Sequence
from typing import Final

import msgspec

from engine.board import Verdict
from engine.bots import judgement
from engine.bots.habits import Habits
from engine.bots.tabulated import landing, points

NOISE: Final = 4096
"""How many whims there are; a playout begins anywhere among them and goes round."""

LONGEST: Final = 200
"""The moves after which a playout ends, whatever the law says.

No round of either edition can be as long: eight steps for each character, four more
for each No, one for each Stomachache make 184 with eight players.
"""

_CHANCE = random.Random(1)  # noqa: S311 - whims needn't be secret, only always the same
_STRIDE = 17
_WHIMS = tuple(judgement.WHIM * _CHANCE.random() for _ in range(NOISE)) * 2


class Position(msgspec.Struct, frozen=True):
    """Where an ascent stands, in a world that fits: cards and hands of every seat.

    `at` is the place of each character; `cards` 1 for each favourite of a seat; `hands`
    how many of each veto a seat holds.
    """

    at: Sequence[int]
    cards: Sequence[tuple[int, ...]]
    hands: Sequence[Sequence[int]]
    turn: int


class Round:
    """An ascent going on from a position, by tables that are exact."""

    def __init__(self, habits: Habits, start: Position, whim: int) -> None:
        self.habits, self.law = habits, habits.tables
        self.whim = whim
        self.at = list(start.at)
        self.cards = start.cards
        self.hands = [list(hand) for hand in start.hands]
        self.vetoes = [sum(hand) for hand in self.hands]
        self.spare = sum(self.vetoes)
        self.turn = start.turn
        self.seats = len(start.cards)
        self.king = -1
        self._add_up()
        self._look()

    def _add_up(self) -> None:
        """Count who stands where, and what that is worth to every seat."""
        law, known = self.law, self.habits.known
        places = range(len(law.keys))
        self.count = [self.at.count(place) for place in places]
        worth = [law.values[place] for place in self.at]
        out = [not law.in_play[place] for place in self.at]
        gone = [value * lost for value, lost in zip(worth, out, strict=True)]
        self.total = _over(known, worth)
        self.all_left = sum(known) - _over(known, out)
        self.all_lost = _over(known, gone)
        self.sums = [_over(card, worth) for card in self.cards]
        self.left = [sum(card) - _over(card, out) for card in self.cards]
        self.lost = [_over(card, gone) for card in self.cards]

    def _look(self) -> None:
        """See where each place leads to now, and what lifting from there is worth."""
        law, habits, count = self.law, self.habits, self.count
        capacities = law.capacities
        self.leads = leads = [-1] * len(law.keys)
        self.worth = strangers, own = list(habits.shut), list(habits.shut)
        for place in habits.sources:
            for to in law.ways[place]:
                if count[to] < capacities[to]:
                    leads[place] = to
                    strangers[place] = habits.lifts[0][place][to]
                    own[place] = habits.lifts[1][place][to]
                    break

    def play(self) -> None:
        """Go on until somebody is crowned, or is taken for it after so many moves."""
        left = LONGEST
        while self.king < 0:
            c = self.choose()
            if left:
                self.move(c)
            else:
                self._put(c, self.law.throne)
                self.king = c
            left -= 1

    def move(self, c: int) -> None:
        """Move a character for the seat in turn; an election follows if it opens."""
        to = self._leads_to(c)
        self._put(c, to)
        if to == self.law.throne:
            self.elect(c)
        else:
            self.turn = (self.turn + 1) % self.seats

    def _leads_to(self, c: int) -> int:
        return self.leads[self.at[c]]

    def _put(self, c: int, to: int) -> None:
        law, count, place = self.law, self.count, self.at[c]
        self.at[c] = to
        change = law.values[to] - law.values[place]
        self.total += change * self.habits.known[c]
        sums = self.sums
        for seat, card in enumerate(self.cards):
            if card[c]:
                sums[seat] += change
        count[place] -= 1
        count[to] += 1
        capacities = law.capacities
        if count[to] == capacities[to] or count[place] + 1 == capacities[place]:
            self._look()

    def choose(self) -> int:
        """The move that the seat in turn likes best, its whims considered."""
        seat, top, whims = self.turn, self.habits.top, self._whims()
        card, at = self.cards[seat], self.at
        strangers, own = self.worth
        going_on = 0.0
        nominating = self.count[top] and self.leads[top] >= 0
        if nominating:
            plain, going_on = self.habits.plain, self._going_on(seat)
            strangers[top] = self._nomination(seat, plain, 0, going_on)
            own[top] = self._nomination(seat, plain, 1, going_on)
        liked = [
            (own if on else strangers)[place] + whim
            for place, on, whim in zip(at, card, whims, strict=True)
        ]
        if nominating:
            for c in self.habits.odd:
                if at[c] == top:
                    liked[c] = self._nomination(seat, c, card[c], going_on) + whims[c]
        return liked.index(max(liked))

    def _whims(self) -> Sequence[float]:
        """A whim for every character; the next seat's are others."""
        start = self.whim
        self.whim = (start + _STRIDE) % NOISE
        return _WHIMS[start : start + len(self.at)]

    def _going_on(self, seat: int) -> float:
        return self._hope(seat, self.habits.against[self.spare - self.vetoes[seat]])

    def _nomination(self, seat: int, c: int, own: int, going_on: float) -> float:
        """What putting up a king from the top promises over going on."""
        law, habits, vetoes = self.law, self.habits, self.vetoes[seat]
        against = habits.against[self.spare - vetoes]
        rise = law.values[law.throne] - law.values[habits.top]
        mine = points(law, self.sums[seat] + rise * own, c)
        everybody = self.total + rise * habits.known[c]
        crowned = mine - judgement.RIVALS * law.signs[c] * everybody
        refused = self._hope(seat, against, c, own, self._landing(c, Verdict.REFUSED))
        promise = crowned + against * (refused - crowned) - going_on
        if own or not vetoes:
            return promise
        return max(promise, -judgement.price(vetoes))

    def _landing(self, c: int, verdict: Verdict) -> int:
        return landing(self.law, c, verdict, self.count)

    def _hope(
        self, seat: int, against: float, c: int = -1, own: int = 0, to: int = 0
    ) -> float:
        """The lead hoped for when the round goes on, `c` having gone to `to`."""
        law, ladder = self.law, self.habits.ladder
        left, lost = self.left[seat], self.lost[seat]
        all_left, all_lost = self.all_left, self.all_lost
        if c >= 0 and not law.in_play[to]:
            value = law.values[to]
            all_left -= self.habits.known[c]
            all_lost += value
            left -= own
            lost += value * own
        rest = judgement.RIVALS * (judgement.RISE * ladder[all_left] + all_lost)
        if not left:
            return (lost or law.zero) - rest
        return judgement.hope(self.vetoes[seat], against) * ladder[left] + lost - rest

    def elect(self, c: int, seat: int = -1, laid: int = -1) -> None:
        """Hold the election of `c`, whom the seat in turn has put up.

        `laid` is the veto that `seat` lays, -1 for its Yes; the others do as they like.
        """
        ballots = [
            laid if voter == seat else self._vote(voter, c)
            for voter in range(self.seats)
        ]
        self.whim = (self.whim + _STRIDE) % NOISE
        for voter, veto in enumerate(ballots):
            if veto >= 0 and self.law.spent[veto]:
                self.hands[voter][veto] -= 1
                self.vetoes[voter] -= 1
                self.spare -= 1
        verdict = self._verdict(ballots)
        if verdict is Verdict.CROWNED:
            self.king = c
            return
        to = self._landing(c, verdict)
        self._put(c, to)
        self.turn = (self.turn + 1) % self.seats
        if not self.law.in_play[to]:
            self._lose(c, self.law.values[to])

    def _verdict(self, ballots: Sequence[int]) -> Verdict:
        kinds = range(len(self.law.vetoes))
        return self.law.verdicts[tuple(ballots.count(veto) for veto in kinds)]

    def _lose(self, c: int, value: int) -> None:
        self.all_left -= self.habits.known[c]
        self.all_lost += value * self.habits.known[c]
        for seat, card in enumerate(self.cards):
            if card[c]:
                self.left[seat] -= 1
                self.lost[seat] += value

    def _vote(self, seat: int, c: int) -> int:
        """The veto that a seat lays against the nominee on the throne, -1 for Yes."""
        vetoes = self.vetoes[seat]
        if not vetoes:
            return -1
        law = self.law
        against = self.habits.against[self.spare - vetoes]
        whim = _WHIMS[self.whim + seat] - judgement.WHIM / 2
        everybody = judgement.RIVALS * law.signs[c] * self.total
        crowned = points(law, self.sums[seat], c) - everybody - whim
        best, choice = 0.0, -1
        for veto, held in enumerate(self.hands[seat]):
            if not held:
                continue
            verdict = law.alone[veto]
            if verdict is Verdict.CROWNED:
                continue
            to, own = self._landing(c, verdict), self.cards[seat][c]
            price = judgement.price(vetoes)
            price += judgement.CANCELLING * (verdict is Verdict.CANCELLED)
            saved = self._hope(seat, against, c, own, to) - crowned
            gain = saved * (1 - against) - price
            if gain > best:
                best, choice = gain, veto
        return choice

    def points(self) -> list[int]:
        """What the coronation brings every seat."""
        return [points(self.law, total, self.king) for total in self.sums]


def _over(card: Sequence[int], values: Sequence[int]) -> int:
    return sum(value for on, value in zip(card, values, strict=True) if on)
