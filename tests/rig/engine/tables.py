"""A table that plays a game as a service would: decide, store, load, evolve."""

import random
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from engine import events, fairness, views
from engine.board import LETTERS, Board, Card, Seat
from engine.commands import (
    Answer,
    AnswerByClock,
    Ballot,
    Chair,
    CloseTable,
    Command,
    CreateGame,
    GiveAnswer,
    History,
    Move,
    Options,
    Placement,
    PlacementOption,
    ResolveElection,
    Sealed,
    Source,
    StartGame,
)
from engine.decide import decide
from engine.deck import CARDS
from engine.evolve import evolve
from engine.state import Game, Phase
from tests.rig.engine import loading

GAME = "00000000-0000-4000-8000-000000000001"
SEED = bytes(range(32))

RACHEL, SIMON, TERRY, PAUL = Seat(0), Seat(1), Seat(2), Seat(3)


def chance(seed: int) -> random.Random:
    """A source of chance that a failing test can be repeated with."""
    return random.Random(seed)


def options(
    rounds: int = 3,
    placement: str = "choose",
    history: str = "table",
    first: int | None = 0,
    decision_time: int | None = 86400,
    **more: Any,
) -> Options:
    return Options(
        rounds=rounds,
        placement=PlacementOption(placement),
        ballot_history=History(history),
        first=None if first is None else Seat(first),
        decision_time=decision_time,
        **more,
    )


def closing(seats: int, chosen: Options, edition: str = "classic") -> CloseTable:
    return CloseTable(
        edition=edition,
        options=chosen,
        seats=(Chair("person"),) * seats,
        words=(b"",) * seats,
    )


class Table:
    """A game with its log; every event goes through its stored bytes."""

    def __init__(self, game_id: str = GAME, seed: bytes = SEED) -> None:
        self.game = Game(id=game_id)
        self.seed = seed
        self.log: list[events.LogEvent] = []
        self.rows: list[events.Stored] = []
        self.heads = [fairness.chain_start(game_id)]

    @property
    def sealed(self) -> Sealed:
        closed = self.heads[2]
        words = [bytes.fromhex(word) for word in self.game.words]
        return Sealed(self.seed, fairness.draw_key(self.seed, closed, words))

    @property
    def record(self) -> list[bytes]:
        return [row.public for row in self.rows if row.public is not None]

    @property
    def turn(self) -> Seat:
        assert self.game.decision is not None
        assert self.game.decision.seat is not None
        return self.game.decision.seat

    @property
    def number(self) -> int:
        assert self.game.decision is not None
        return self.game.decision.number

    def do(self, command: Command) -> tuple[events.LogEvent, ...]:
        happened = decide(self.game, command)
        for event in happened:
            self._keep(event)
        return happened

    def _keep(self, event: events.LogEvent) -> None:
        row = events.store(event)
        self.log.append(event)
        self.rows.append(row)
        self.game = evolve(self.game, loading.load(self.game.id, row))
        if row.public is not None:
            number = len(self.heads)
            self.heads.append(fairness.chain(self.heads[-1], number, row.public))

    def answer(
        self, answer: Answer, seat: Seat | None = None, source: Source = Source.PERSON
    ) -> tuple[events.LogEvent, ...]:
        asked = self.turn if seat is None else seat
        return self.do(GiveAnswer(self.number, asked, answer, source))

    def place(
        self, character: str, place: str, seat: Seat | None = None
    ) -> tuple[events.LogEvent, ...]:
        return self.answer(Placement(character, place), seat)

    def move(
        self, character: str, seat: Seat | None = None
    ) -> tuple[events.LogEvent, ...]:
        return self.answer(Move(character), seat)

    def lay(self, seat: Seat, card: str) -> tuple[events.LogEvent, ...]:
        return self.answer(Ballot(Card(card)), seat)

    def resolve(self) -> tuple[events.LogEvent, ...]:
        return self.do(ResolveElection(self.number, self.sealed))

    def answer_number(self, number: int) -> tuple[events.LogEvent, ...]:
        """Lay a Yes for seat 0 in the decision of that number."""
        return self.do(GiveAnswer(number, RACHEL, Ballot(Card.YES), Source.PERSON))

    def clock(self) -> tuple[events.LogEvent, ...]:
        return self.do(AnswerByClock(self.number, self.sealed))

    def vote(self, *cards: str) -> tuple[events.LogEvent, ...]:
        """Lay these cards in seat order and turn them over."""
        for seat, card in enumerate(cards):
            self.lay(Seat(seat), card)
        return self.resolve()

    def ask(self, seat: Seat) -> None:
        """Put the open question to another seat."""
        assert self.game.decision is not None
        self.game = replace(self.game, decision=replace(self.game.decision, seat=seat))

    def nominate(self, character: str) -> None:
        """Move one character up, whoever is in turn, until it is put to the vote."""
        while self.game.board.at[character] != "throne":
            self.move(character)

    def crown(self, character: str) -> tuple[events.LogEvent, ...]:
        self.nominate(character)
        return self.vote(*["yes"] * len(self.game.seats))

    def arrange(self, places: Mapping[str, Iterable[str]]) -> None:
        """Set the characters of the castle out anew, by place."""
        at = {letter: place for place, letters in places.items() for letter in letters}
        self.game = replace(self.game, board=Board(at))

    def deal(self, *cards: str) -> None:
        """Give these favourites for this round, in seat order, by their letters."""
        numbers = [CARDS.index(frozenset(card)) for card in cards]
        start = (self.game.round - 1) * len(self.game.seats)
        others = [n for n in self.game.deck if n not in numbers]
        deck = (*others[:start], *numbers, *others[start:])
        self.game = replace(self.game, deck=deck)

    def view(self, seat: Seat | None = None) -> views.View:
        return views.view(self.game, seat)

    def legal(self, seat: Seat) -> tuple[Answer, ...]:
        own = self.view(seat).own
        assert own is not None
        return tuple(entry.answer for entry in own.legal)


def closed(
    seats: int = 4,
    chosen: Options | None = None,
    seed: bytes = SEED,
    edition: str = "classic",
) -> Table:
    """A table whose seats and options are settled."""
    table = Table(seed=seed)
    table.do(CreateGame(table.seed, b""))
    table.do(closing(seats, options() if chosen is None else chosen, edition))
    return table


def started(
    seats: int = 4,
    chosen: Options | None = None,
    seed: bytes = SEED,
    edition: str = "classic",
) -> Table:
    """A table at the first decision of round one."""
    table = closed(seats, chosen, seed, edition)
    table.do(StartGame(table.sealed))
    return table


def fill(table: Table) -> None:
    """Place for everybody: letter by letter, each on the highest floor with room.

    That is A to D on 4, E to I on 3, L to O on 2; the Jester's 3 holds E to G only.
    """
    for letter in LETTERS:
        if table.game.phase is not Phase.PLACEMENT:
            return
        rooms = table.game.law.placements(table.game.board)
        table.place(letter, max(floor for free, floor in rooms if free == letter))


def settled(
    seats: int = 4,
    chosen: Options | None = None,
    seed: bytes = SEED,
    edition: str = "classic",
) -> Table:
    """A table at the first move of round one."""
    table = started(seats, chosen, seed, edition)
    fill(table)
    return table
