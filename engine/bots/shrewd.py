"""A bot that tries its answers out in worlds that fit what it has seen."""

import math
import random
from collections.abc import Callable, Sequence

from engine.board import Card
from engine.bots import steady
from engine.bots.habits import Habits, habits
from engine.bots.lawful import LawfulRound
from engine.bots.playout import NOISE, Position, Round
from engine.bots.worlds import World, Worlds
from engine.commands import Answer, Ballot, Move, Placement
from engine.views import DecisionView, Own, View

PLAYOUTS = 80
"""The default budget: some ten milliseconds."""

_SLOWER = 4
"""How many times longer a playout takes through the law itself."""

_QUIET = 3
"""How many moves that nominate nobody are tried: there is little between them."""

_SHARP = 1.0
_LUCK = 4.0
"""Leads of so many points count for little: at the end, and before a last round."""


def bot(playouts: int = PLAYOUTS) -> Callable[[View, random.Random], Answer]:
    """A bot with a budget of so many playouts a decision.

    Like every bot it raises LookupError when its seat isn't asked.
    """

    def answer(view: View, chance: random.Random) -> Answer:
        own = view.own
        if own is None or view.decision is None or not own.legal:
            raise LookupError("not asked")
        candidates = _candidates(view, own, chance)
        # A ballot is thought over even when only Yes is left: time tells no hand.
        if len(candidates) == 1 and not isinstance(candidates[0], Ballot):
            return candidates[0]
        return _Trial(view, view.decision, own, chance).best(candidates, playouts)

    return answer


def _candidates(view: View, own: Own, chance: random.Random) -> list[Answer]:
    """What is worth trying: every card, every king, and a few of the other moves.

    Characters are placed as steady places them.
    """
    if isinstance(own.legal[0].answer, Ballot):
        return [legal.answer for legal in own.legal]
    ranked = steady.ranked(view, own, chance)
    if isinstance(ranked[0].answer, Placement):
        return [ranked[0].answer]
    quiet = [legal.answer for legal in ranked if not legal.nominates]
    return [legal.answer for legal in ranked if legal.nominates] + quiet[:_QUIET]


class _Trial:
    """A decision under trial."""

    def __init__(
        self, view: View, decision: DecisionView, own: Own, chance: random.Random
    ) -> None:
        self.decision, self.seat, self.chance = decision, own.seat, chance
        seats, options = len(view.seats), view.options
        self.habits = _habits(view)
        law = self.habits.tables
        self.worlds = Worlds(law, view, own, chance)
        at = {c: p.place.key for p in view.places for c in p.characters}
        self.at = [law.keys.index(at[letter]) for letter in law.letters]
        turns = [(seat - view.first) % seats for seat in range(seats)]
        self.totals = [
            total + self.habits.law.bonus(seats, turn, options.placement)
            for total, turn in zip(view.totals, turns, strict=True)
        ]
        self.scale = _SHARP + _LUCK * math.sqrt(options.rounds - view.round)

    def best(self, candidates: Sequence[Answer], playouts: int) -> Answer:
        """The answer that did best: each time the better half is tried on.

        All are tried in the same worlds, with the same whims.
        """
        left = playouts if self.habits.tables.exact else playouts // _SLOWER
        alive = {number: 0.0 for number in range(len(candidates))}
        while True:
            last = len(alive) <= 2
            times = max(1, left // len(alive) // (1 if last else 2))
            for world in self.worlds.sample(times):
                whim = self.chance.randrange(NOISE)
                for number in alive:
                    alive[number] += self._tried(candidates[number], world, whim)
            left -= times * len(alive)
            ranked = sorted(alive, key=lambda number: -alive[number])
            if last:
                return candidates[ranked[0]]
            alive = {n: alive[n] for n in ranked[: max(2, len(alive) // 2)]}

    def _tried(self, answer: Answer, world: World, whim: int) -> float:
        """The chance of winning the game, in this world, if all follow their habits."""
        law = self.habits.tables
        kind = Round if law.exact else LawfulRound
        turn = self.seat if self.decision.mover is None else self.decision.mover
        start = Position(at=self.at, cards=world.cards, hands=world.hands, turn=turn)
        going = kind(self.habits, start, whim)
        match answer:
            case Move(character=letter):
                going.move(law.letters.index(letter))
            case Ballot(card=card) if self.decision.nominee is not None:
                veto = -1 if card is Card.YES else law.vetoes.index(card)
                nominee = law.letters.index(self.decision.nominee)
                going.elect(nominee, self.seat, veto)
        going.play()
        return self._odds(going.points())

    def _odds(self, points: Sequence[int]) -> float:
        ends = [total + won for total, won in zip(self.totals, points, strict=True)]
        own = ends[self.seat]
        return 1 / sum(math.exp((end - own) / self.scale) for end in ends)


def _habits(view: View) -> Habits:
    return habits(
        view.edition, view.rules, len(view.seats), view.round, view.options.rounds
    )
