"""The script of a table: the same decisions in both worlds, answered by other hands."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import pytest

from engine import legal
from engine.board import THRONE, Card, Seat
from engine.commands import Answer, Ballot, Move
from engine.state import Game
from service.game import acts_taken_back, answering_ahead, handlers
from service.values.lines import Line
from service.values.wishes import WishedElection, Wishes
from tests.rig.twin_tables.acts import STEP, Acts
from tests.rig.twin_tables.looking import Looks, Seen
from tests.rig.twin_tables.world import World

STEPS: Final = 4
"""Moments of a phase at which cards are laid, long before the next reminder."""

MOST_STEPS: Final = 600
"""Times that pass, after which a table is left."""


class Ballots(NamedTuple):
    """Who lays what in an election, before its reminder and after it.

    `last` is who lays last of the early ones, in both worlds at the same moment.
    """

    cards: dict[Seat, Card]
    early: tuple[Seat, ...]
    late: tuple[Seat, ...]
    last: Seat | None


def is_nomination(game: Game, choice: Answer) -> bool:
    """Whether an answer puts somebody up for king."""
    return isinstance(choice, Move) and game.destinations[choice.character] == THRONE


class Script:
    """Plays one world from its first question to its end."""

    def __init__(self, world: World) -> None:
        self.world = world

    def play(self) -> Sequence[Seen]:
        """All that the viewer, and a spectator, saw of it."""
        with pytest.MonkeyPatch.context() as patch:
            self.world.start(patch)
            self.looks = Looks(self.world)
            self.acts = Acts(self.world, self.looks)
            self.looks.look()
            self.acts.begin()
            while self.world.game.running and self.world.step < MOST_STEPS:
                self._play_decision()
        return self.looks.seen

    def _play_decision(self) -> None:
        world = self.world
        world.next_step()
        if world.script.random() < 0.2:
            self.acts.do_something()
        self.acts.wish_in_vain()
        game = world.game
        if game.decision is None:
            return
        if game.decision.seat is None:
            self._elect(self._ballots(game))
        elif game.has_bot(game.decision.seat):
            world.wait_for_clock()
        elif world.script.random() < 0.15:
            self._let_pass()
        else:
            self._answer(game, game.decision.seat)
        self.looks.look(seldom=True)

    def _answer(self, game: Game, seat: Seat) -> None:
        world = self.world
        choice, decision = self._choice(game), world.table.decision
        if is_nomination(game, choice):
            ballots = self._ballots(game)
            self._stand(game, ballots)
            world.table.answer(seat, choice)
            self._elect(ballots)
            return
        world.table.answer(seat, choice)
        if world.script.random() < 0.1 and game.reopened != decision:
            self.looks.look()
            proof = world.table.principals[seat]
            acts_taken_back.take_back(world.table.id, proof, decision)
            world.tally["taken back"] += 1

    def _choice(self, game: Game) -> Answer:
        free = legal.offers(game)
        moves = [answer for answer in free if isinstance(answer, Move)]
        if moves and self.world.script.random() < 0.8:
            return max(moves, key=lambda move: game.board.at[move.character])
        return self.world.script.choice(free)

    def _let_pass(self) -> None:
        """Time passes until the decision is over, or spare time has been used."""
        asked = self.world.table.decision
        while self.world.waits_for(asked) and self.world.step < MOST_STEPS:
            self.world.wait_for_clock()
        self.world.tally["let pass"] += 1

    def _ballots(self, game: Game) -> Ballots:
        """Who will lay what, before the reminder, after it, or not at all."""
        script = self.world.script
        people = self.world.people()
        cards = {seat: self._card(game, seat) for seat in people}
        early = [seat for seat in people if script.random() < 0.7]
        late = [seat for seat in people if seat not in early]
        if script.random() < 0.5:
            late = [seat for seat in late if script.random() < 0.5]
        last = script.choice(early) if early else None
        return Ballots(cards, tuple(early), tuple(late), last)

    def _card(self, game: Game, seat: Seat) -> Card:
        script, hand = self.world.script, game.hands[seat]
        return Card.YES if script.random() < 0.7 else script.choice(hand)

    def _stand(self, game: Game, ballots: Ballots) -> None:
        """In each world others of those who lay early have said so before."""
        table, hidden = self.world.table, self.world.hidden
        for seat in ballots.early:
            usual = (Card.YES, Card.NO)
            apart = seat == ballots.last or self.world.is_viewers(seat)
            if apart or game.has_bot(seat) or ballots.cards[seat] not in usual:
                continue
            if hidden.random() < 0.5:
                wish = WishedElection((), ballots.cards[seat])
                answering_ahead.lay(table.id, table.holder(seat), Wishes(election=wish))
                self.world.tally["standing"] += 1

    def _elect(self, ballots: Ballots) -> None:
        """One election, by this plan."""
        world = self.world
        if not world.game.running:
            return
        decision = world.table.decision
        world.tally["elections"] += 1
        world.wait(STEP)
        self._lay(decision, ballots.early, ballots)
        while world.waits_for(decision) and not world.is_reminded(decision):
            world.wait_for_clock()
        self.looks.look()
        self._lay(decision, ballots.late, ballots)
        while world.waits_for(decision):
            world.wait_for_clock()
        self.looks.look()
        self._drop(ballots)

    def _drop(self, ballots: Ballots) -> None:
        """Nobody's standing answers are left for the next election."""
        table = self.world.table
        people = self.world.people() if self.world.game.running else ()
        for seat in set(ballots.early) & set(people):
            answering_ahead.drop(table.id, table.holder(seat))

    def _lay(self, decision: int, seats: Sequence[Seat], ballots: Ballots) -> None:
        """Lay cards step by step, in another order in each world."""
        if not seats:
            return
        world = self.world
        last = ballots.last
        if last is None or last not in seats:
            last = world.script.choice(seats)
        steps = {seat: world.hidden.randrange(STEPS) for seat in seats}
        steps[last] = STEPS
        for seat in steps:
            if seat != last and world.is_viewers(seat):
                steps[seat] = world.script.randrange(STEPS)
        order = sorted(seats, key=lambda seat: (steps[seat], world.hidden.random()))
        for step in range(STEPS + 1):
            for seat in order:
                if steps[seat] == step and world.game.asks(seat):
                    said = seat == last or seat in ballots.late
                    self._lay_one(decision, seat, ballots.cards[seat], said)
            self.looks.look(seldom=True)
            world.wait(STEP / STEPS)

    def _lay_one(self, decision: int, seat: Seat, card: Card, said: bool) -> None:
        """Lay a card, with a line where it is laid by hand in both worlds."""
        table = self.world.table
        line = Line(f"So says {seat}.", None) if said else None
        handlers.answer(table.id, table.principals[seat], decision, Ballot(card), line)
        self.world.tally["ballots"] += 1
