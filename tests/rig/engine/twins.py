"""Two worlds of one game: alike in what a viewer may know, different in the rest.

A commitment is a handle here that hangs on its slot alone, and every draw but the
deck's is the same in both worlds; the real commitments are tested apart.
"""

import copy
import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec
import pytest

from engine import events, fairness, views
from engine.board import Card, Seat
from engine.commands import (
    Ballot,
    Chair,
    CloseTable,
    CreateGame,
    Options,
    Sealed,
    Source,
    StartGame,
)
from engine.deck import CARDS
from engine.editions import EDITIONS
from engine.errors import BadTable
from tests.rig.engine.tables import Table, options

T = TypeVar("T")

GAME = "00000000-0000-4000-8000-000000000002"
SHARED = 32
"""How many bytes of a world's key both worlds share; its deck is the rest."""

_encoder = msgspec.json.Encoder()


class Draws(fairness.DrawStream):
    """The draws of a key that says its deck outright."""

    def __init__(self, key: bytes, label: str) -> None:
        super().__init__(key[:SHARED], label)
        self._deck = key[SHARED:] if label == "deck" else b""

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        if not self._deck:
            return super().shuffled(items)
        return tuple(items[card] for card in self._deck)


def handles(patch: pytest.MonkeyPatch) -> None:
    """Let every commitment and salt hang on its slot, and on nothing it binds."""

    def leaf(game: str, key: bytes, index: int, card: int) -> bytes:
        return fairness.digest("leaf", index)

    def ballot(game: str, key: bytes, decision: int, seat: Seat, card: Card) -> bytes:
        return fairness.digest("ballot", decision, seat)

    def card_salt(key: bytes, index: int) -> bytes:
        return fairness.digest("card salt", index)

    def ballot_salt(key: bytes, decision: int, seat: Seat) -> bytes:
        return fairness.digest("ballot salt", decision, seat)

    def seed_commitment(game: str, seed: bytes) -> bytes:
        return fairness.digest("seed", game)

    for handle in (leaf, ballot, card_salt, ballot_salt, seed_commitment):
        patch.setattr(fairness, handle.__name__, handle)
    patch.setattr(fairness, "DrawStream", Draws)


class Case(msgspec.Struct, frozen=True):
    """A table, and who looks at it: a seat, or a spectator (None)."""

    edition: str
    seats: int
    placement: str
    history: str
    viewer: Seat | None


def _cases() -> Iterator[Case]:
    for law in EDITIONS.values():
        for seats in law.seats:
            for placement in law.choices.placement:
                for history in law.choices.ballot_history:
                    try:
                        law.check_table(seats, 1, placement, history)
                    except BadTable:
                        continue
                    for viewer in (None, *range(seats)):
                        seat = None if viewer is None else Seat(viewer)
                        yield Case(law.id, seats, placement, history, seat)


CASES = tuple(_cases())
"""Every table that can be played at, seen by every seat and by a spectator."""


class World(Table):
    """A table that keeps what it would serve of each moment for good."""

    def __init__(self, seed: bytes, key: bytes) -> None:
        super().__init__(GAME, seed)
        self.key = key
        self.facts: list[bytes] = []
        self.pasts: list[bytes] = []

    @property
    def sealed(self) -> Sealed:
        return Sealed(self.seed, self.key)

    def _keep(self, event: events.LogEvent) -> None:
        super()._keep(event)
        public = self.rows[-1].public
        if public is None:
            return
        self.facts.append(public)
        if self.game.seats:
            self.pasts.append(_encoder.encode(views.view_of_past(self.game)))
        if isinstance(event, events.RoundScored):
            places = views.places_after(self.game, event.round)
            self.pasts.append(_encoder.encode(places))

    def fork(self) -> "World":
        """The same world at this moment, to go on by itself."""
        other = copy.copy(self)
        for name in ("log", "rows", "heads", "facts", "pasts"):
            setattr(other, name, list(getattr(self, name)))
        return other

    def begin(self, edition: str, chosen: Options, chairs: tuple[Chair, ...]) -> None:
        self.do(CreateGame(self.seed, b""))
        self.do(CloseTable(edition, chosen, chairs, (b"",) * len(chairs)))
        self.do(StartGame(self.sealed))


def worlds(case: Case, round_number: int, rng: random.Random) -> tuple[World, World]:
    """Two worlds at their start whose viewer can't tell them apart in that round.

    The rounds before it deal the same cards, since their ends tell them; the viewer's
    card of the round is the same; whatever else is dealt or not differs.
    """
    chosen = options(
        rounds=rng.randint(round_number, 3),
        placement=case.placement,
        history=case.history,
        first=rng.choice([None, *range(case.seats)]),
        take_back=True,
    )
    others = (
        Chair(*rng.choice([("person", None), ("bot", "steady")]))
        for _ in range(case.seats - 1)
    )
    chairs = (Chair("person"), *others)
    deck = rng.sample(range(len(CARDS)), len(CARDS))
    dealt = (round_number - 1) * case.seats
    known = set(range(dealt))
    if case.viewer is not None:
        known.add(dealt + case.viewer)
    shared = rng.randbytes(SHARED)
    both = []
    for cards in (deck, _other_deck(deck, known, rng)):
        world = World(rng.randbytes(32), shared + bytes(cards))
        world.begin(case.edition, chosen, chairs)
        both.append(world)
    return both[0], both[1]


def _other_deck(deck: list[int], known: set[int], rng: random.Random) -> list[int]:
    hidden = [index for index in range(len(deck)) if index not in known]
    other = list(deck)
    shuffled = rng.sample(hidden, len(hidden))
    for index, source in zip(hidden, shuffled, strict=True):
        other[index] = deck[source]
    return other


class Stage(msgspec.Struct):
    """Moments of an election among which a viewer may see no difference.

    `laid` is what the latest reminder told.
    """

    laid: tuple[Seat, ...] | None
    moments: list[World]


def lay(
    world: World,
    cards: Sequence[Card],
    halves: Sequence[Sequence[Seat]],
    viewer: Seat | None,
    source: Source,
) -> list[Stage]:
    """Lay cards in this order, a reminder between the halves.

    The stages are cut where a viewer learns something: at its own ballot and at the
    reminder.
    """
    stages = [Stage(None, [world.fork()])]
    laid: tuple[Seat, ...] = ()
    for number, half in enumerate(halves):
        if number:
            stages.append(Stage(laid, [world.fork()]))
        for seat in half:
            laid_by = Source.PERSON if seat == viewer else source
            world.answer(Ballot(cards[seat]), seat, laid_by)
            if seat == viewer:
                stages.append(Stage(stages[-1].laid, []))
            stages[-1].moments.append(world.fork())
        laid = tuple(sorted({*laid, *half}))
    return stages
