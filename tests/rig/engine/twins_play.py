"""Plays twin games and compares every channel at every position."""

import itertools
import random
from collections import Counter
from collections.abc import Sequence

import msgspec

from engine import taking_back
from engine.board import Card, Seat, Verdict
from engine.commands import (
    Answer,
    CancelGame,
    Command,
    History,
    Move,
    SeatBot,
    SeatPerson,
    Source,
    TakeBack,
)
from engine.legal import offers
from engine.state import Game
from tests.rig.engine import twins_channels
from tests.rig.engine.tables import chance
from tests.rig.engine.twins import CASES, Stage, World, lay, worlds
from tests.rig.engine.twins_channels import PERSONAL, PUBLIC, Channel, Eyes

SEATINGS = 0.04
"""How often somebody leaves or comes back before a step."""


REGRETS = 0.05
"""How often a placement or move is taken back, where it can be."""


class Told(AssertionError):
    """A channel told a viewer which of the two worlds it lives in."""

    def __init__(self, channel: str, viewer: Seat | None, left: bytes, right: bytes):
        super().__init__(channel, viewer, left, right)
        self.channel = channel


class Laying(msgspec.Struct, frozen=True):
    """Who lays before a reminder, who after it, and who misses the deadline."""

    halves: tuple[tuple[Seat, ...], ...]
    late: tuple[Seat, ...]

    def mixed(self, rng: random.Random) -> list[list[Seat]]:
        """One order of laying that tells reminders the same."""
        return [rng.sample(half, len(half)) for half in self.halves]


class Twins:
    """One twin game, from its start to the last moment before the worlds part."""

    def __init__(self, number: int) -> None:
        """Everything about twin `number` hangs on that number."""
        self.rng = chance(number)
        self.comings = chance(number + 2_000_000)
        self.regrets = chance(number + 3_000_000)
        case = CASES[number % len(CASES)]
        self.viewer = case.viewer
        self.seats = [Seat(seat) for seat in range(case.seats)]
        self.round = self.rng.choice([1, 1, 2, 3])
        self.haste = self.rng.choice([0.1, 0.5, 0.9])
        self.consent = self.rng.choice([0.3, 0.6, 0.9])
        self.left, self.right = worlds(case, self.round, self.rng)
        self.since = 0
        self.aside = False
        self.tally = Counter[str](twins=1)
        self._count_deals()
        self.compare(self.left, self.right)

    def _count_deals(self) -> None:
        left, right = self.left.game, self.right.game
        dealt = len(self.seats) * (self.round - 1)
        now = slice(dealt, dealt + len(self.seats))
        self.tally["other favourites"] += left.deck[now] != right.deck[now]
        rest = slice(now.stop, None)
        self.tally["other deck"] += left.deck[rest] != right.deck[rest]

    def play(self) -> "Counter[str]":
        """What was compared; raises Told for a leak."""
        while self._step():
            pass
        self.tally["other ballots"] += self.tally["elections forked"] > 0
        self.tally["other spent cards"] += self.tally["positions of other hands"] > 0
        return self.tally

    def _step(self) -> bool:
        if self.comings.random() < SEATINGS:
            self._change_hands()
        game = self.left.game
        if game.decision is None or game.decision.seat is None:
            return self._elect()
        if self.rng.random() < 0.05:
            self.left.clock()
            self.right.clock()
        else:
            answer = self._choose(game)
            self.left.answer(answer)
            self.right.answer(answer, source=Source.STANDING)
        self.compare(self.left, self.right)
        if self.regrets.random() < REGRETS:
            self._take_back()
        return True

    def _take_back(self) -> None:
        """Whoever acted last takes it back, in both worlds, if they may."""
        act = self.left.game.latest
        if act is None or taking_back.reversible(self.left.game, act.seat) is None:
            return
        for world in (self.left, self.right):
            world.do(TakeBack(act.decision, act.seat))
        self.tally["acts taken back"] += 1
        self.compare(self.left, self.right)

    def _change_hands(self) -> None:
        """Somebody else leaves or comes back, in both worlds."""
        others = [seat for seat in self.seats if seat != self.viewer]
        seat, game = self.comings.choice(others), self.left.game
        command: Command = SeatBot(seat, "steady")
        if game.has_bot(seat):
            if not 0 < game.kept[seat] < game.round:
                return
            command = SeatPerson(seat)
        for world in (self.left, self.right):
            world.do(command)
        self.tally["seats that changed hands"] += 1
        self.compare(self.left, self.right)

    def _choose(self, game: Game) -> Answer:
        free = offers(game)
        moves = [answer for answer in free if isinstance(answer, Move)]
        if moves and self.rng.random() < max(self.haste, self._hurry(game)):
            return max(moves, key=lambda move: game.board.at[move.character])
        return self.rng.choice(free)

    def _hurry(self, game: Game) -> float:
        """How much the rounds before the one that differs are played for their end."""
        return 0.9 if game.round < self.round else 0.0

    def _elect(self) -> bool:
        """One election; False when the round's end would tell the worlds apart."""
        laying = self._laying()
        cards = self._cards(self.left.game, laying.late)
        forked = self._forked(laying, cards)
        other = self._other_cards(laying, cards)
        if other is None:
            self.tally["ended early"] += 1
            return False
        halves = laying.mixed(self.rng)
        stages = lay(self.left, cards, halves, self.viewer, Source.PERSON)
        self._compare_stages(stages, forked)
        crowned = self.left.game.law.verdict(cards) is Verdict.CROWNED
        if crowned and self.left.game.round == self.round:
            one, two = stages[-1], forked[-1].moments[-1]
            self.compare(one.moments[-1], two, one.laid, fork=True, whole=True)
            return False
        lay(self.right, other, laying.mixed(self.rng), self.viewer, Source.BOT)
        for world in (self.left, self.right):
            world.clock() if laying.late else world.resolve()
        self.aside = cards != other
        self.compare(self.left, self.right)
        return True

    def _laying(self) -> Laying:
        late = tuple(s for s in self.seats if self.rng.random() < 0.1)
        if self.rng.random() < 0.8:
            late = ()
        laying = [seat for seat in self.seats if seat not in late]
        if self.rng.random() < 0.7:
            return Laying((tuple(laying),), late)
        self.rng.shuffle(laying)
        cut = self.rng.randint(0, len(laying))
        return Laying((tuple(laying[:cut]), tuple(laying[cut:])), late)

    def _cards(self, game: Game, late: Sequence[Seat]) -> tuple[Card, ...]:
        """A card of each hand; Yes for whoever misses the deadline."""
        consent = max(self.consent, self._hurry(game))
        return tuple(
            Card.YES
            if seat in late or self.rng.random() < consent
            else self.rng.choice(game.hands[seat])
            for seat in self.seats
        )

    def _forked(self, laying: Laying, cards: Sequence[Card]) -> list[Stage]:
        """The right world with other cards face down, whatever they would decide."""
        other = tuple(
            cards[seat] if self._bound(seat, laying) else self._other(seat, cards[seat])
            for seat in self.seats
        )
        self.tally["elections"] += 1
        self.tally["elections forked"] += other != tuple(cards)
        world, halves = self.right.fork(), laying.mixed(self.rng)
        return lay(world, other, halves, self.viewer, Source.BOT)

    def _bound(self, seat: Seat, laying: Laying) -> bool:
        """Whether a seat lays the same in both worlds."""
        return seat == self.viewer or seat in laying.late

    def _other(self, seat: Seat, card: Card) -> Card:
        """Another card of a hand of the right world, which may not hold this one."""
        hand = self.right.game.hands[seat]
        return self.rng.choice([c for c in hand if c != card] or [Card.YES])

    def _other_cards(
        self, laying: Laying, cards: tuple[Card, ...]
    ) -> tuple[Card, ...] | None:
        """What the right world lays: other cards with the same verdict, if it may.

        None when no cards it holds lead to the same verdict. Once its hands are others,
        it keeps to the same cards where it can, so that their showing tells nothing.
        """
        game = self.right.game
        is_open = game.table.ballot_history is History.OPEN or game.round != self.round
        pairs = zip(cards, game.hands, strict=True)
        same = all(card in hand for card, hand in pairs)
        keep = 0.8 if game.hands != self.left.game.hands else 0.2
        if same and (is_open or self.rng.random() < keep):
            return cards
        verdict = game.law.verdict(cards)
        others = [
            found
            for found in self._layable(laying, cards)
            if found != cards and game.law.verdict(found) is verdict
        ]
        alike = [found for found in others if sorted(found) == sorted(cards)]
        if alike or others:
            return self.rng.choice(alike or others)
        return cards if same else None

    def _layable(
        self, laying: Laying, cards: tuple[Card, ...]
    ) -> list[tuple[Card, ...]]:
        """A few hundred ways for the right world to lay, the viewer laying the same."""
        kinds = [
            [cards[seat]]
            if self._bound(seat, laying)
            else self.rng.sample(sorted(set(hand)), len(set(hand)))
            for seat, hand in zip(self.seats, self.right.game.hands, strict=True)
        ]
        return list(itertools.islice(itertools.product(*kinds), 300))

    def _compare_stages(self, left: list[Stage], right: list[Stage]) -> None:
        """However many cards are laid in either world, a stage looks the same."""
        for ours, theirs in zip(left, right, strict=True):
            assert ours.laid == theirs.laid
            count = max(len(ours.moments), len(theirs.moments))
            for step in range(count):
                one = ours.moments[min(step, len(ours.moments) - 1)]
                two = theirs.moments[max(len(theirs.moments) - 1 - step, 0)]
                self.tally["positions of other ballots"] += one.game.ballots != (
                    two.game.ballots
                )
                self.compare(one, two, ours.laid, fork=True)
        if self.rng.random() < 0.1:
            self._cancel(left[-1].moments[-1], right[-1].moments[-1])

    def _cancel(self, left: World, right: World) -> None:
        """An open election that is cancelled tells its cards to nobody, for ever."""
        ours, theirs = left.fork(), right.fork()
        for world in (ours, theirs):
            world.do(CancelGame(self.left.seed))
        self.tally["cancelled"] += 1
        self.compare(ours, theirs, fork=True, whole=True)

    def compare(
        self,
        left: World,
        right: World,
        laid: tuple[Seat, ...] | None = None,
        fork: bool = False,
        whole: bool = False,
    ) -> None:
        """Look at one position; unless it is forked, what comes next is since then."""
        self.look(left, right, laid, whole)
        if not fork:
            self.since = len(left.facts)

    def look(
        self, left: World, right: World, laid: tuple[Seat, ...] | None, whole: bool
    ) -> None:
        """All channels at one position. Raises Told at the first difference."""
        self.tally["positions"] += 1
        self.tally["positions of other hands"] += (
            left.game.hands != right.game.hands and not self.aside
        )
        tries = twins_channels.tries(left.game, self.viewer, self.rng)
        whole |= self.rng.random() < 0.03
        dice = self.rng.getrandbits(32)
        for viewer in (None,) if self.viewer is None else (None, self.viewer):
            ours, theirs = (
                Eyes(world, viewer, self.since, laid, self.aside, whole, tries, dice)
                for world in (left, right)
            )
            channels = PERSONAL if viewer is not None else {**PUBLIC, **PERSONAL}
            for name, channel in channels.items():
                self._compare(name, channel, ours, theirs)
        if whole and self.viewer is not None:
            twins_channels.check_spectator(left.game, self.viewer, laid)

    def _compare(self, name: str, channel: Channel, left: Eyes, right: Eyes) -> None:
        ours, theirs = channel(left), channel(right)
        if ours != theirs:
            raise Told(name, left.viewer, ours, theirs)
        self.tally["comparisons"] += 1
        self.tally["bytes"] += len(ours)
        self.tally[f"{name} bytes"] += len(ours)


def play(number: int) -> "Counter[str]":
    """What twin game `number` compared. Raises Told for a leak."""
    return Twins(number).play()
